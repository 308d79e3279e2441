//! Pages: what a site shows of what it has published.
//!
//! Each layout is a template of its own, with its own markup around the articles and its own furniture. On a
//! list page every link that is an article leads to one of the listed articles; every other link does not.

mod aggregator;
mod article;
mod blog;
mod broadsheet;
mod business;
mod furniture;
mod notices;
mod plain;
mod regional;
mod sports;
mod tabloid;
mod tech;
mod wire;

pub(crate) use article::article_page;
pub(crate) use furniture::PLACES;
pub(crate) use plain::{not_found_page, plain_page};

use crate::article::KnownArticle;
use crate::calendar::day_of;
use crate::markup::{Escaped, Markup};
use crate::random::{Dice, hash};
use crate::site::{Charset, Layout, Linking, Offer, Section, Site};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::sync::Arc;

/// Everything a list page shows.
#[derive(Debug)]
pub(crate) struct ListPage<'a> {
    pub(crate) site: &'a Site,
    /// `http://address:port`, without a slash at the end.
    pub(crate) base: &'a str,
    pub(crate) now: Timestamp,
    /// None on the front page.
    pub(crate) section: Option<&'static Section>,
    /// 1 for the newest.
    pub(crate) number: usize,
    /// Newest first.
    pub(crate) articles: &'a [Arc<KnownArticle>],
}

/// The page in the template of its site.
pub(crate) fn list_page(page: &ListPage<'_>) -> String {
    let body = match page.site.layout {
        Layout::Broadsheet => broadsheet::body,
        Layout::Tabloid => tabloid::body,
        Layout::Aggregator => aggregator::body,
        Layout::Blog => blog::body,
        Layout::Notices => notices::body,
        Layout::Wire => wire::body,
        Layout::Sports => sports::body,
        Layout::Business => business::body,
        Layout::Tech => tech::body,
        Layout::Regional => regional::body,
    };
    let mut out = Markup::new();
    head(&mut out, page.site, &page.heading(), &format!("{}{}", page.base, page.path()), "");
    body(&mut out, page);
    out.push("</html>\n");
    out.into_string()
}

impl ListPage<'_> {
    /// The address of this page on its site.
    pub(crate) fn path(&self) -> String {
        self.section.map_or_else(|| "/".to_owned(), |section| format!("/{}/", section.slug))
    }

    fn heading(&self) -> String {
        match self.section {
            Some(section) => format!("{} | {}", section.name, self.site.name),
            None => self.site.name.clone(),
        }
    }

    /// The escaped address of an article, as this site links to it from `place` on the page.
    fn href(&self, article: &KnownArticle, place: &str) -> String {
        let Self { base, site, .. } = self;
        let path = &article.path;
        match site.linking {
            Linking::Rooted => path.clone(),
            Linking::Absolute => format!("{base}{path}"),
            Linking::Tracked => format!("{path}?utm_source=list&amp;utm_medium=web&amp;utm_campaign={place}"),
            Linking::Fragment => format!("{path}#{place}"),
        }
    }

    /// A link to an article with its headline and nothing else.
    fn headline(&self, article: &KnownArticle, place: &str) -> String {
        format!("<a href=\"{}\">{}</a>", self.href(article, place), Escaped(&article.title))
    }

    /// Some of the listed articles again, as a most-read box repeats them.
    fn most_read(&self, count: usize) -> Vec<&KnownArticle> {
        let mut articles: Vec<&KnownArticle> = self.articles.iter().map(Arc::as_ref).collect();
        articles.sort_by_key(|article| hash(article.path.as_bytes()));
        articles.truncate(count);
        articles
    }

    /// Draws for furniture: on a lively site new ones every ten minutes, on others the same all day.
    fn whim(&self, salt: u64) -> Dice {
        let tick = if self.site.lively { self.now.as_second() / 600 } else { 0 };
        Dice::of(&[self.site.index as u64, salt, tick as u64])
    }

    /// The newest moment the page knows of: the clock on a lively site, else its newest article.
    fn as_of(&self) -> Zoned {
        let newest = self.articles.first().map_or(self.now, |article| article.published_at);
        local(self.site, if self.site.lively { self.now } else { newest })
    }

    /// The listed articles by day, newest day first.
    fn by_day(&self) -> impl Iterator<Item = &[Arc<KnownArticle>]> {
        self.articles.chunk_by(|a, b| self.local_day(a) == self.local_day(b))
    }

    fn local_day(&self, article: &KnownArticle) -> i64 {
        let offset = jiff::SignedDuration::from_hours(i64::from(self.site.utc_offset));
        day_of(article.published_at + offset)
    }

    /// The listed articles by section, in the order of the site's sections.
    fn by_section(&self) -> impl Iterator<Item = (&'static Section, Vec<&KnownArticle>)> {
        self.site.sections.iter().map(|section| {
            let of_section = self.articles.iter().filter(|article| article.section == section.slug);
            (section, of_section.map(Arc::as_ref).collect())
        })
    }
}

/// A moment as the site's clock shows it.
fn local(site: &Site, at: Timestamp) -> Zoned {
    let zone = jiff::tz::Offset::from_hours(site.utc_offset).map_or(TimeZone::UTC, TimeZone::fixed);
    at.to_zoned(zone)
}

/// Everything up to the body.
fn head(out: &mut Markup, site: &Site, title: &str, address: &str, extra: &str) {
    out.push("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    match site.delivery.charset {
        Charset::Utf8 => out.push("<meta charset=\"utf-8\">\n"),
        Charset::Windows1252 => {}
        Charset::Latin1 => {
            out.push("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=iso-8859-1\">\n");
        }
    }
    write!(out, "<title>{}</title>\n<link rel=\"canonical\" href=\"{address}\">\n", Escaped(title));
    for offer in site.offers {
        let kind = match offer {
            Offer::Rss => "application/rss+xml",
            Offer::Atom => "application/atom+xml",
            Offer::Rdf => "application/rdf+xml",
            Offer::JsonFeed => "application/feed+json",
            _ => continue,
        };
        writeln!(out, "<link rel=\"alternate\" type=\"{kind}\" href=\"{}\">", offer.path());
    }
    out.push("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    write!(out, "<style>{}</style>\n{extra}</head>\n", furniture::STYLE);
}

impl Offer {
    /// Where an offer is, on every site that makes it. Sections have paths of their own.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Front | Self::Sections => "/",
            Self::Rss => "/rss.xml",
            Self::Atom => "/atom.xml",
            Self::Rdf => "/index.rdf",
            Self::JsonFeed => "/feed.json",
            Self::Sitemap => "/sitemap.xml",
            Self::NewsSitemap => "/news-sitemap.xml",
            Self::SitemapIndex => "/sitemap_index.xml",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{World, WorldSettings};
    use std::time::{Duration, Instant};

    #[test]
    fn a_page_takes_well_under_a_millisecond() {
        const ROUNDS: u32 = 20;
        let world = World::new(WorldSettings::default());
        let now = world.settings().start;
        world.articles_between(now, now);
        let begun = Instant::now();
        for _ in 0..ROUNDS {
            for site in world.sites() {
                let articles = world.newest(site.index, None, now, 0, site.page_size);
                let base = "http://127.0.2.1:8000";
                let page = ListPage { site, base, now, section: None, number: 1, articles: &articles };
                assert!(list_page(&page).len() > 5_000);
                assert!(article_page(site, base, &articles[0], &articles[1..6]).len() > 2_000);
            }
        }
        let mean = begun.elapsed() / (ROUNDS * world.sites().len() as u32 * 2);
        println!("{mean:?} a page");
        // Unoptimised code gets ten times as long, and neighbours may be busy.
        let limit = if cfg!(debug_assertions) { Duration::from_millis(10) } else { Duration::from_millis(1) };
        assert!(mean < limit, "{mean:?}");
    }
}
