//! What an address looks like: an article's, or a section's, an author's, a menu's.

use crate::hash::Hash;
use url::Url;

/// What an address tells before anything is fetched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Address {
    /// How much it looks like an article's.
    pub(super) score: f32,
    /// Equal for addresses built alike.
    pub(super) shape: u64,
}

/// Looks at an address.
pub(super) fn look(url: &Url) -> Address {
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let Some((last, before)) = segments.split_last() else {
        return home(url);
    };
    let stem = last.rsplit_once('.').map_or(*last, |(stem, _)| stem);
    let digits = longest_digits(stem).max(query_digits(url));
    let parts = stem.split(['-', '_']).filter(|part| part.chars().any(char::is_alphabetic)).count();
    // A path that ends with the day is that day's archive.
    let year = |segment: &&str| segment.len() == 4 && segment.starts_with("20") && is_digits(segment);
    let archive = last.len() <= 2 && is_digits(last) && before.iter().any(year);
    let dated = has_date(&segments) && !archive;

    let mut score = 0.0;
    score += if dated { 2.0 } else { 0.0 };
    score += match parts {
        4.. => 2.0,
        3 => 1.0,
        _ => 0.0,
    };
    score += match digits {
        5.. => 1.5,
        3..=4 => 0.5,
        _ => 0.0,
    };
    score += if is_code(stem) || stem.matches('%').count() >= 6 { 1.0 } else { 0.0 };
    score += if before.is_empty() { 0.0 } else { 0.3 };
    score -= if archive { 2.0 } else { 0.0 };
    let service = before.iter().take(3).any(|segment| is_service(segment)) || is_service(stem);
    if service {
        score -= if dated || digits >= 5 { 1.0 } else { 3.0 };
    } else if score < 0.5 && url.query().is_none() && !is_digits(stem) {
        // Nothing but short words: a section.
        score -= 2.0;
    }
    Address { score, shape: shape(url, &segments) }
}

/// The bare host: a home page, unless a query says which article.
fn home(url: &Url) -> Address {
    let score = if query_digits(url) >= 3 { 0.5 } else { -4.0 };
    Address { score, shape: shape(url, &[]) }
}

/// Path segments under which no site keeps its articles.
fn is_service(segment: &str) -> bool {
    if segment.len() > LONGEST_SERVICE {
        return false;
    }
    if segment.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return SERVICES.binary_search(&segment.to_ascii_lowercase().as_str()).is_ok();
    }
    SERVICES.binary_search(&segment).is_ok()
}

const LONGEST_SERVICE: usize = "privacy-policy".len();

#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "abo", "about", "about-us", "account", "advertise", "advertising", "app", "apps", "archive", "archives",
    "auteur", "auteurs", "author", "authors", "autor", "autores", "careers", "cart", "cat", "categoria",
    "categories", "category", "comments", "contact", "contact-us", "contacts", "cookie-policy", "cookies",
    "copyright", "creator", "datenschutz", "etiqueta", "events", "faq", "feed", "feeds", "fixtures",
    "follow", "forum", "help", "hilfe", "impressum", "imprint", "index", "item", "jobs", "kategorie",
    "keyword", "kontakt", "league", "leagues", "legal", "live-scores", "login", "match", "matches",
    "member", "members", "newest", "newsletter", "newsletters", "page", "people", "player", "players",
    "policies", "print", "privacy", "privacy-policy", "profile", "profiles", "rank", "ranking", "register",
    "results", "rss", "search", "section", "sections", "share", "shop", "sign-in", "sign-up", "signin",
    "signup", "sitemap", "staff", "standings", "store", "submit", "subscribe", "subscription",
    "subscriptions", "suche", "support", "tables", "tag", "tags", "team", "teams", "tema", "temas", "terms",
    "thema", "themen", "topic", "topics", "user", "users", "vote", "writers",
];

/// `2026/11/15`, `2026-11-15`, `20261115`, `202611/t20261115_1`: a year and a month together.
fn has_date(segments: &[&str]) -> bool {
    if !segments.iter().any(|segment| segment.contains("20")) {
        return false;
    }
    let year = |text: &str| text.len() == 4 && text.starts_with("20") && is_digits(text);
    let month = |text: &str| {
        text.len() <= 2 && text.parse::<u8>().is_ok_and(|month| (1..=12).contains(&month))
            || matches!(
                text.to_ascii_lowercase().as_str(),
                "jan" | "feb" | "mar" | "apr" | "may" | "jun" | "jul" | "aug" | "sep" | "oct" | "nov" | "dec"
            )
    };
    segments.windows(2).any(|pair| year(pair[0]) && month(pair[1].split('-').next().unwrap_or_default()))
        || segments.iter().any(|segment| {
            let parts: Vec<&str> =
                segment.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
            parts.windows(2).any(|pair| year(pair[0]) && month(pair[1]))
                || parts.iter().any(|part| {
                    matches!(part.len(), 6 | 8)
                        && part.starts_with("20")
                        && month(&part[4..6])
                        && part[2..4].parse::<u8>().is_ok_and(|year| year < 50)
                })
        })
}

/// A code such as `c4gj0x9k2mno` or `DGXZQOUA15`: letters and digits mixed, no words.
fn is_code(stem: &str) -> bool {
    stem.len() >= 8
        && stem.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && stem.bytes().filter(u8::is_ascii_digit).count() >= 2
        && stem.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn longest_digits(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0)
}

/// Digits of the longest number among the parameters.
fn query_digits(url: &Url) -> usize {
    url.query().map_or(0, |query| {
        let values = query.split('&').filter(|pair| !pair.starts_with("page=") && !pair.starts_with("p="));
        values
            .filter_map(|pair| pair.split_once('='))
            .map(|(_, value)| if is_digits(value) { value.len() } else { 0 })
            .max()
            .unwrap_or(0)
    })
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The address with its particulars left out: numbers, slugs, codes and words by kind, parameters by name.
fn shape(url: &Url, segments: &[&str]) -> u64 {
    let mut hash = Hash::new().with(url.host_str().unwrap_or_default().as_bytes());
    for (at, segment) in segments.iter().enumerate() {
        let (stem, extension) =
            segment.rsplit_once('.').filter(|_| at + 1 == segments.len()).unwrap_or((segment, ""));
        let parts = stem.split(['-', '_']).count();
        let kind = if is_service(stem) {
            stem
        } else if is_digits(stem) && stem.len() <= 4 {
            "number"
        } else if parts >= 3 || is_code(stem) || longest_digits(stem) >= 5 {
            "slug"
        } else {
            "word"
        };
        hash = hash.with(kind.as_bytes()).with(b"/").with(extension.as_bytes());
    }
    for pair in url.query().into_iter().flat_map(|query| query.split('&')) {
        hash = hash.with(pair.split('=').next().unwrap_or(pair).as_bytes()).with(b"&");
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(path: &str) -> f32 {
        look(&Url::parse("https://news.example").unwrap().join(path).unwrap()).score
    }

    #[test]
    fn articles_look_like_articles() {
        for path in [
            "/world/2026/nov/15/minister-resigns-after-vote",
            "/news/articles/c4gj0x9k2mno",
            "/xxgk/202611/t20261115_4471.html",
            "/news/12345678",
            "/2026/11/short",
            "/a-b-c-d-story",
            "/article?id=558812",
        ] {
            assert!(score(path) > 1.0, "{path}: {}", score(path));
        }
        for path in [
            "/",
            "/world",
            "/world/europe",
            "/author/jane-doe",
            "/tag/elections-2026",
            "/about-us",
            "/page/2",
            "/login?next=x",
            "/news/2026/11/14/",
        ] {
            assert!(score(path) < 0.0, "{path}: {}", score(path));
        }
    }

    #[test]
    fn services_are_sorted() {
        assert!(SERVICES.is_sorted());
        assert!(SERVICES.iter().all(|service| service.len() <= LONGEST_SERVICE));
    }
}
