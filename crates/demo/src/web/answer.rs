//! From a request to an answer.

use super::encoding::{encoded, gzipped};
use super::journal::Journal;
use super::robots::robots;
use super::route::Route;
use super::scene::{Behaviour, Scene};
use crate::article::KnownArticle;
use crate::calendar::day_of;
use crate::layout::{ListPage, article_page, list_page, not_found_page, plain_page};
use crate::random::hash;
use crate::site::{Charset, Offer, Site};
use crate::world::World;
use crate::{feed, sitemap};
use http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    LAST_MODIFIED, RETRY_AFTER, VARY,
};
use http::request::Parts;
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use model::Clock;
use std::fmt;
use std::sync::Arc;

/// Everything a site needs to answer.
pub(super) struct Stage {
    pub(super) world: Arc<World>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) site: usize,
    /// `http://address:port`.
    pub(super) base: String,
    pub(super) journal: Arc<Journal>,
    pub(super) scene: Arc<Scene>,
}

/// An answer before it is decided how it travels.
struct Content {
    status: StatusCode,
    kind: String,
    bytes: Vec<u8>,
    /// When what it shows last changed, if that can be said.
    modified: Option<Timestamp>,
}

/// What an answer is made of.
pub(super) type Answer = Response<Full<Bytes>>;

impl Stage {
    /// The answer to a request at `now`.
    pub(super) fn answer(&self, request: &Parts, behaviour: &Behaviour, now: Timestamp) -> Answer {
        if let Some(wait) = behaviour.down {
            let mut answer = bare(StatusCode::SERVICE_UNAVAILABLE);
            set(&mut answer, RETRY_AFTER, &wait.as_secs().to_string());
            return answer;
        }
        if behaviour.gone {
            return bare(StatusCode::GONE);
        }
        if request.method != Method::GET && request.method != Method::HEAD {
            return bare(StatusCode::METHOD_NOT_ALLOWED);
        }
        let site = self.site();
        let (path, query) = (request.uri.path(), request.uri.query().unwrap_or_default());
        let route = Route::of(&self.world, site, path, query, now);
        let content = self.content(&route, path, behaviour, now);
        deliver(site, request, content)
    }

    fn site(&self) -> &Site {
        &self.world.sites()[self.site]
    }

    fn content(&self, route: &Route, path: &str, behaviour: &Behaviour, now: Timestamp) -> Content {
        let (site, base) = (self.site(), &self.base);
        match route {
            Route::Robots => Content::text(robots(site, base, behaviour)),
            Route::List(section, number) => {
                let slug = section.map(|section| section.slug);
                let skip = (number - 1) * site.page_size;
                let articles = self.world.newest(self.site, slug, now, skip, site.page_size);
                let page =
                    ListPage { site, base, now, section: *section, number: *number, articles: &articles };
                Content::html(site, list_page(&page)).modified(newest(&articles).filter(|_| !site.lively))
            }
            Route::Feed(offer) => self.feed(*offer, now),
            Route::DaySitemap(day) => {
                let mut articles = self.world.listing(self.site, Offer::SitemapIndex, None, now);
                articles.retain(|article| day_of(article.published_at) == *day);
                let modified = newest(&articles);
                let bytes = gzipped(sitemap::sitemap(base, &articles).as_bytes()).unwrap_or_default();
                Content { status: StatusCode::OK, kind: "application/gzip".into(), bytes, modified }
            }
            Route::Article(article) => {
                let section = Some(article.section);
                // Only older ones, so that the page of an article never changes.
                let related = self.world.newest(self.site, section, article.published_at, 0, 6);
                let related: Vec<_> =
                    related.into_iter().filter(|other| other.path != article.path).take(5).collect();
                Content::html(site, article_page(site, base, article, &related))
                    .modified(Some(article.published_at))
            }
            Route::Plain => Content::html(site, plain_page(site, base, path)),
            Route::Missing => {
                Content { status: StatusCode::NOT_FOUND, ..Content::html(site, not_found_page(site, base)) }
            }
        }
    }

    fn feed(&self, offer: Offer, now: Timestamp) -> Content {
        let (site, base) = (self.site(), self.base.as_str());
        let articles = self.world.listing(self.site, offer, None, now);
        let content = match offer {
            Offer::Atom => Content::xml(site, "application/atom+xml", feed::atom(site, base, &articles)),
            Offer::Rdf => Content::xml(site, "application/rdf+xml", feed::rdf(site, base, &articles)),
            Offer::JsonFeed => Content::utf8("application/feed+json", feed::json(site, base, &articles)),
            Offer::Sitemap => Content::utf8("application/xml", sitemap::sitemap(base, &articles)),
            Offer::NewsSitemap => {
                Content::utf8("application/xml", sitemap::news_sitemap(site, base, &articles))
            }
            Offer::SitemapIndex => {
                let newest_of = |day| {
                    let of_day = articles.iter().find(|article| day_of(article.published_at) == day);
                    of_day.map(|article| article.published_at)
                };
                Content::utf8("application/xml", sitemap::index(base, now, newest_of))
            }
            Offer::Rss | Offer::Front | Offer::Sections => {
                Content::xml(site, "application/rss+xml", feed::rss(site, base, &articles))
            }
        };
        content.modified(newest(&articles))
    }
}

impl Content {
    fn html(site: &Site, page: String) -> Self {
        let charset = site.delivery.charset;
        // One site leaves it to the page to say how it is written.
        let kind = match charset {
            Charset::Latin1 => "text/html".to_owned(),
            charset => format!("text/html; charset={}", charset.name()),
        };
        Self { status: StatusCode::OK, kind, bytes: encoded(page, charset), modified: None }
    }

    fn xml(site: &Site, kind: &str, text: String) -> Self {
        let bytes = encoded(text, site.delivery.charset);
        Self { status: StatusCode::OK, kind: kind.to_owned(), bytes, modified: None }
    }

    fn utf8(kind: &str, text: String) -> Self {
        Self { status: StatusCode::OK, kind: kind.to_owned(), bytes: text.into_bytes(), modified: None }
    }

    fn text(text: String) -> Self {
        Self::utf8("text/plain; charset=utf-8", text)
    }

    fn modified(self, modified: Option<Timestamp>) -> Self {
        Self { modified, ..self }
    }
}

/// Adds validators, answers conditional requests, compresses: as far as the site does such things.
fn deliver(site: &Site, request: &Parts, content: Content) -> Answer {
    let Content { status, kind, bytes, modified } = content;
    let delivery = site.delivery;
    let found = status == StatusCode::OK;
    // Weak, because a site may send the same page compressed or not.
    let tag = (found && delivery.etag).then(|| format!("W/\"{:016x}\"", hash(&bytes)));
    let modified = modified.filter(|_| found && delivery.last_modified);
    let wants = |name: HeaderName| request.headers.get(name).and_then(|value| value.to_str().ok());
    let unchanged = match (wants(IF_NONE_MATCH), wants(IF_MODIFIED_SINCE)) {
        // RFC 9110: with a tag to compare, the date is not looked at.
        (Some(known), _) => tag.as_deref().is_some_and(|tag| known.split(',').any(|one| one.trim() == tag)),
        (None, Some(since)) => match (modified, rfc2822::parse(since)) {
            (Some(modified), Ok(since)) => modified.as_second() <= since.timestamp().as_second(),
            _ => false,
        },
        (None, None) => false,
    };
    let mut answer = bare(if unchanged { StatusCode::NOT_MODIFIED } else { status });
    if let Some(tag) = &tag {
        set(&mut answer, ETAG, tag);
    }
    if let Some(modified) = modified {
        let date = rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&modified);
        set(&mut answer, LAST_MODIFIED, &date.unwrap_or_default());
    }
    if unchanged {
        return answer;
    }
    set(&mut answer, CONTENT_TYPE, &kind);
    let accepts = wants(ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip"));
    let packed = (delivery.gzip && accepts && kind != "application/gzip").then(|| gzipped(&bytes)).flatten();
    if delivery.gzip {
        set(&mut answer, VARY, "accept-encoding");
    }
    if packed.is_some() {
        set(&mut answer, CONTENT_ENCODING, "gzip");
    }
    *answer.body_mut() = Full::new(Bytes::from(packed.unwrap_or(bytes)));
    answer
}

fn newest(articles: &[Arc<KnownArticle>]) -> Option<Timestamp> {
    articles.first().map(|article| article.published_at)
}

fn bare(status: StatusCode) -> Answer {
    let mut answer = Response::new(Full::default());
    *answer.status_mut() = status;
    answer
}

/// Sets a header. Values are made here from ASCII, so none is ever refused.
fn set(answer: &mut Answer, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").field("site", &self.site).field("base", &self.base).finish_non_exhaustive()
    }
}
