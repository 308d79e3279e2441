//! A page as a crawl sees it: what it says, where it leads, and what it would be worth watching for. One parse.

mod entries;
mod links;

pub use entries::DatedEntries;
pub use links::{WebLink, Zone};

use crate::list::{base_of, feeds, main_text};
use crate::outline::{Outline, outline_of_text};
use crate::sniff::{Document, sniff};
use crate::text::{cut, one_line};
use crate::{Caps, FeedLink, Input, Listing, challenge, charset, decode, feed, language};
use crate::{sitemap, urls};
use url::Url;

/// What a fetched document says to a crawl.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WebPage {
    /// What it turned out to be.
    pub kind: WebKind,
    /// What it calls itself.
    pub title: Option<String>,
    /// Its visible main text, cut at [`WebPage::TEXT_BYTES`].
    pub text: String,
    /// BCP 47 language, lower case: declared, else guessed.
    pub language: Option<String>,
    /// Where it leads, in its order. The same address may come twice, from two places.
    pub links: Vec<WebLink>,
    /// The feeds it offers.
    pub feeds: Vec<FeedLink>,
    /// The address it calls its own, normalised; on the same site.
    pub canonical: Option<Url>,
    /// It asks not to be kept (`<meta name=robots>`).
    pub noindex: bool,
    /// It asks not to be followed.
    pub nofollow: bool,
    /// It is a captcha or "checking your browser" page, not the content.
    pub challenge: bool,
    /// The dated entries it lists, if it lists any: what watching it would bring.
    pub dated_entries: Option<DatedEntries>,
}

/// What a document turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WebKind {
    /// A page for people.
    #[default]
    Html,
    /// RSS, Atom or JSON Feed: its links are its articles.
    Feed,
    /// A sitemap or an index of sitemaps: its links are what it names.
    Sitemap,
    /// Plain text.
    Text,
    /// Pictures, archives, PDF: nothing to read.
    Other,
}

impl WebPage {
    /// Longer texts say nothing new about their topic, and cost time.
    pub const TEXT_BYTES: usize = 64 << 10;
}

/// Reads a document once for all a crawl asks of it. `input.bytes` may still be gzip by themselves (`.xml.gz`).
pub fn read_web_page(input: &Input<'_>, caps: &Caps) -> WebPage {
    if decode::is_gzip(input.bytes) {
        let unpacked = decode::decode(input.bytes, Some("gzip"), caps);
        return read_text(&charset::text(&unpacked.bytes, input.content_type), input, caps);
    }
    read_text(&charset::text(input.bytes, input.content_type), input, caps)
}

fn read_text(text: &str, input: &Input<'_>, caps: &Caps) -> WebPage {
    match sniff(text, input.content_type) {
        Document::Html => read_html(text, input.url, caps),
        Document::XmlFeed | Document::JsonFeed => {
            of_listing(WebKind::Feed, feed::read(text, input.url, caps))
        }
        Document::Sitemap => of_listing(WebKind::Sitemap, sitemap::read(text, input.url, caps)),
        Document::SitemapIndex => of_listing(WebKind::Sitemap, sitemap::read_index(text, input.url, caps)),
        Document::Plain => finish(WebPage {
            kind: WebKind::Text,
            text: cut(text, WebPage::TEXT_BYTES).to_owned(),
            ..WebPage::default()
        }),
        Document::Binary => WebPage { kind: WebKind::Other, ..WebPage::default() },
    }
}

fn read_html(text: &str, url: &Url, caps: &Caps) -> WebPage {
    let outline = outline_of_text(text, caps);
    if challenge::is_challenge_page(text, &outline) {
        return WebPage { challenge: true, ..WebPage::default() };
    }
    let base = base_of(&outline, url);
    let robots = robots(&outline);
    let says = |words: &[&str]| robots.split([',', ' ']).any(|word| words.contains(&word));
    finish(WebPage {
        kind: WebKind::Html,
        title: outline.head.title.clone(),
        text: joined(&main_text(&outline)),
        language: language::declared(&outline.head, None),
        links: links::of(&outline, &base, caps),
        feeds: feeds(&outline, &base),
        canonical: canonical(&outline, &base, url),
        noindex: says(&["noindex", "none"]),
        nofollow: says(&["nofollow", "none"]),
        dated_entries: entries::of_outline(&outline),
        ..WebPage::default()
    })
}

/// What a feed or sitemap lists, as links.
fn of_listing(kind: WebKind, listing: Listing) -> WebPage {
    let dates = listing.articles.iter().filter_map(|article| article.published_at);
    let dated_entries = DatedEntries::of(dates);
    let text: String = listing.articles.iter().fold(String::new(), |text, article| {
        let summary = article.summary.as_deref().unwrap_or_default();
        if text.len() > WebPage::TEXT_BYTES { text } else { text + &article.title + "\n" + summary + "\n" }
    });
    let children = listing.sitemaps.into_iter().map(|child| (child.url, String::new(), String::new()));
    let articles = listing.articles.into_iter().map(|article| {
        let context = cut(&article.summary.unwrap_or_default(), links::CONTEXT_BYTES).to_owned();
        (article.url, article.title, context)
    });
    let path = if kind == WebKind::Feed { "feed > item" } else { "sitemap > url" };
    let links = articles.chain(children).map(|(url, text, context)| WebLink {
        url,
        text,
        context,
        path: path.to_owned(),
        zone: Zone::Main,
        disowned: false,
    });
    let links = links.collect();
    let text = cut(&text, WebPage::TEXT_BYTES).to_owned();
    finish(WebPage { kind, title: listing.title, text, links, dated_entries, ..WebPage::default() })
}

/// Text that tells the language; more costs time and changes nothing.
const LANGUAGE_BYTES: usize = 1_500;

fn finish(mut page: WebPage) -> WebPage {
    page.language = page.language.or_else(|| language::guess(cut(&page.text, LANGUAGE_BYTES)));
    page
}

fn joined(stretches: &[&str]) -> String {
    let mut text = String::new();
    for stretch in stretches {
        let room = WebPage::TEXT_BYTES - text.len().min(WebPage::TEXT_BYTES);
        text.push_str(cut(stretch, room));
    }
    text
}

/// What the page asks of robots, lower case.
fn robots(outline: &Outline) -> String {
    let metas = outline.head.metas.iter().filter(|(name, _)| name == "robots" || name == "ripplewatch");
    metas.fold(String::new(), |said, (_, content)| said + &content.to_ascii_lowercase() + ",")
}

/// Only on the same site, and never the home page, which careless templates name on every page.
fn canonical(outline: &Outline, base: &Url, url: &Url) -> Option<Url> {
    let canonical = base.join(&one_line(outline.head.canonical.as_deref()?)).ok()?;
    let home = canonical.path() == "/" && canonical.query().is_none() && url.path() != "/";
    let ours = matches!(canonical.scheme(), "http" | "https")
        && urls::site_of(&canonical) == urls::site_of(url)
        && !home;
    ours.then(|| urls::normalise(&canonical))
}
