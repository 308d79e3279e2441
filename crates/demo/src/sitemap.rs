//! Sitemaps: addresses for machines, plain, with news titles, or one compressed file a day.

use crate::article::KnownArticle;
use crate::calendar::{DAY_SECONDS, at_second, day_of};
use crate::markup::{Escaped, Markup};
use crate::site::Site;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::sync::Arc;

/// How many articles a sitemap holds.
pub(crate) const SITEMAP_SIZE: usize = 200;

/// How many days an index goes back.
pub(crate) const INDEX_DAYS: i64 = 4;

/// How long an article stays in a news sitemap.
pub(crate) const NEWS_HOURS: i64 = 48;

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
const SCHEMA: &str = "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/// Addresses and dates, no titles.
pub(crate) fn sitemap(base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = Markup::new();
    writeln!(out, "{DECLARATION}<urlset {SCHEMA}>");
    for article in articles {
        writeln!(
            out,
            "<url><loc>{base}{}</loc><lastmod>{}</lastmod></url>",
            Escaped(&article.path),
            article.published_at
        );
    }
    out.push("</urlset>\n");
    out.into_string()
}

/// The last two days, with titles.
pub(crate) fn news_sitemap(site: &Site, base: &str, articles: &[Arc<KnownArticle>]) -> String {
    let mut out = Markup::new();
    writeln!(
        out,
        "{DECLARATION}<urlset {SCHEMA} xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\">"
    );
    for article in articles {
        writeln!(
            out,
            "<url><loc>{base}{}</loc><news:news><news:publication><news:name>{}</news:name>\
             <news:language>en</news:language></news:publication><news:publication_date>{}</news:publication_date>\
             <news:title>{}</news:title></news:news></url>",
            Escaped(&article.path),
            Escaped(&site.name),
            article.published_at,
            Escaped(&article.title)
        );
    }
    out.push("</urlset>\n");
    out.into_string()
}

/// One entry a day, newest first, each with the time of its newest article.
pub(crate) fn index(base: &str, now: Timestamp, newest_of: impl Fn(i64) -> Option<Timestamp>) -> String {
    let mut out = Markup::new();
    writeln!(out, "{DECLARATION}<sitemapindex {SCHEMA}>");
    let today = day_of(now);
    for day in (today - INDEX_DAYS + 1..=today).rev() {
        if let Some(newest) = newest_of(day) {
            writeln!(out, "<sitemap><loc>{base}{}</loc><lastmod>{newest}</lastmod></sitemap>", day_path(day));
        }
    }
    out.push("</sitemapindex>\n");
    out.into_string()
}

/// Where the sitemap of a day is.
fn day_path(day: i64) -> String {
    format!("/sitemaps/{}.xml.gz", at_second(day * DAY_SECONDS).to_zoned(TimeZone::UTC).date())
}

/// The day whose sitemap is at `path`.
pub(crate) fn day_at(path: &str) -> Option<i64> {
    let date: Date = path.strip_prefix("/sitemaps/")?.strip_suffix(".xml.gz")?.parse().ok()?;
    Some(day_of(date.to_zoned(TimeZone::UTC).ok()?.timestamp()))
}
