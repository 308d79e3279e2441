//! Reading single header values.

use http::HeaderMap;
use http::header::{CACHE_CONTROL, DATE, HeaderName, RETRY_AFTER};
use jiff::Timestamp;
use std::time::Duration;

/// A header's value, if it is UTF-8 (servers do put more than ASCII there).
pub(crate) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    std::str::from_utf8(headers.get(name)?.as_bytes()).ok()
}

/// `max-age` of `Cache-Control`.
pub(crate) fn max_age(headers: &HeaderMap) -> Option<Duration> {
    let directives = text(headers, &CACHE_CONTROL)?.split(',');
    let mut pairs = directives.filter_map(|directive| directive.trim().split_once('='));
    let (_, seconds) = pairs.find(|(name, _)| name.eq_ignore_ascii_case("max-age"))?;
    seconds.trim_matches('"').parse().ok().map(Duration::from_secs)
}

/// `Retry-After` in seconds or as a date. A date counts from the server's own `Date`, whose clock it was
/// made with; without one from `now`.
pub(crate) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = text(headers, &RETRY_AFTER)?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = date(value)?;
    let from = text(headers, &DATE).and_then(date).unwrap_or(now);
    Some(Duration::try_from(until.duration_since(from)).unwrap_or_default())
}

fn date(text: &str) -> Option<Timestamp> {
    Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(HeaderName, &str)]) -> HeaderMap {
        fields.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = "2026-01-01T00:00:00Z".parse().unwrap();
        let asked = |fields: &[_]| retry_after(&headers(fields), now);
        assert_eq!(asked(&[(RETRY_AFTER, "120")]), Some(Duration::from_mins(2)));
        assert_eq!(asked(&[(RETRY_AFTER, "Thu, 01 Jan 2026 00:02:00 GMT")]), Some(Duration::from_mins(2)));
        assert_eq!(asked(&[(RETRY_AFTER, "Wed, 31 Dec 2025 00:02:00 GMT")]), Some(Duration::ZERO));
        assert_eq!(asked(&[(RETRY_AFTER, "soon")]), None);
        let own_clock =
            [(RETRY_AFTER, "Fri, 05 Mar 2027 10:00:30 GMT"), (DATE, "Fri, 05 Mar 2027 10:00:00 GMT")];
        assert_eq!(asked(&own_clock), Some(Duration::from_secs(30)));
    }

    #[test]
    fn max_age_is_found_among_others() {
        let age = |value| max_age(&headers(&[(CACHE_CONTROL, value)]));
        assert_eq!(age("public, Max-Age=300"), Some(Duration::from_mins(5)));
        assert_eq!(age("s-maxage=5"), None);
        assert_eq!(age("max-age=never"), None);
    }
}
