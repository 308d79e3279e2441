//! The two cookies there are. Both carry our port in their name: browsers share cookies between all ports of a
//! host, and two monitors on one machine must not log each other out.

use http::header::{COOKIE, HeaderMap, HeaderValue};
use std::time::Duration;

/// Which cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// The login.
    Session,
    /// Ties form tokens to a browser.
    Visitor,
}

impl Cookie {
    fn name(self, port: u16) -> String {
        match self {
            Self::Session => format!("rw_session_{port}"),
            Self::Visitor => format!("rw_visitor_{port}"),
        }
    }

    /// Its value in a request.
    pub(crate) fn read(self, headers: &HeaderMap, port: u16) -> Option<&str> {
        let name = self.name(port);
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|header| header.to_str().ok())
            .flat_map(|header| header.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find_map(|(key, value)| (key == name).then_some(value))
            .filter(|value| is_ours(value))
    }

    /// The header that sets it. Scripts never see it, and other sites' requests never carry it.
    pub(crate) fn set(self, port: u16, value: &str, lifetime: Duration, secure: bool) -> Option<HeaderValue> {
        let (name, seconds) = (self.name(port), lifetime.as_secs());
        let secure = if secure { "; Secure" } else { "" };
        let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::try_from(cookie).ok()
    }
}

/// We only ever give out hexadecimal digits.
fn is_ours(value: &str) -> bool {
    (1..=128).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether a proxy in front says that the browser came by https.
pub(crate) fn came_by_https(headers: &HeaderMap) -> bool {
    headers.get("x-forwarded-proto").is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_cookie_of_our_port_is_read() {
        let mut headers = HeaderMap::new();
        headers.insert(
            COOKIE,
            HeaderValue::from_static("rw_session_80=aa; rw_session_81=bb; rw_visitor_80=<b>"),
        );
        assert_eq!(Cookie::Session.read(&headers, 80), Some("aa"));
        assert_eq!(Cookie::Session.read(&headers, 81), Some("bb"));
        assert_eq!(Cookie::Session.read(&headers, 82), None);
        assert_eq!(Cookie::Visitor.read(&headers, 80), None, "not something we gave out");
    }
}
