//! An article's own page: headline, text, time, language, canonical address.

mod body;
mod title;

use crate::outline::{Outline, Zones, outline};
use crate::sniff::{Document, sniff};
use crate::text::{cut, half_words};
use crate::{Caps, Input, challenge, charset, dates, fingerprint, html, jsonld, language, urls};
use jiff::Timestamp;
use jsonld::Named;
use model::ArticlePage;
use url::Url;

/// Reads an article's page.
pub fn read_article(input: &Input<'_>, caps: &Caps) -> ArticlePage {
    let text = charset::text(input.bytes, input.content_type);
    match sniff(&text, input.content_type) {
        Document::Html => read_page(&text, input.url, caps),
        Document::Plain => {
            finish(ArticlePage { text: cut(&text, caps.text_bytes).to_owned(), ..ArticlePage::default() })
        }
        _ => ArticlePage {
            notes: vec!["not an HTML page: no text was read".to_owned()],
            ..ArticlePage::default()
        },
    }
}

fn read_page(text: &str, url: &Url, caps: &Caps) -> ArticlePage {
    let html = html::parse(text, caps);
    let outline = outline(&html.document);
    if challenge::is_challenge_page(text, &outline) {
        return ArticlePage { challenge: true, ..ArticlePage::default() };
    }
    let mut notes: Vec<String> = html.stopped.map(str::to_owned).into_iter().collect();
    let named = main_article(&outline);
    let title = title::of(&outline, named.as_ref());
    let language = language::declared(&outline.head, named.as_ref());
    let published_at = published_at(&outline, named.as_ref());
    let canonical = canonical(&outline, url);
    let text = body::of(html.document, &outline, url, named.as_ref(), caps, &mut notes);
    finish(ArticlePage { title, text, published_at, language, canonical, notes, ..ArticlePage::default() })
}

fn finish(mut page: ArticlePage) -> ArticlePage {
    page.fingerprint = fingerprint::fingerprint(&page.text);
    page.language = page.language.or_else(|| language::guess(&page.text));
    page
}

/// The article the page is about, by its own word.
fn main_article(outline: &Outline) -> Option<Named> {
    jsonld::articles(&outline.head.json_ld)
        .into_iter()
        .find(|named| !named.listed && named.headline.is_some())
}

fn published_at(outline: &Outline, named: Option<&Named>) -> Option<Timestamp> {
    let metas = [
        "article:published_time",
        "og:article:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dc.date.issued",
        "pubdate",
        "publishdate",
        "publish-date",
        "parsely-pub-date",
        "sailthru.date",
        "article.published",
    ];
    let meta = || metas.iter().find_map(|name| outline.head.meta(name).and_then(dates::parse));
    named.and_then(|named| named.published_at).or_else(meta).or_else(|| time_on_page(outline))
}

/// The first time in the main matter; one in a sidebar belongs to another article.
fn time_on_page(outline: &Outline) -> Option<Timestamp> {
    let elsewhere = Zones::FURNITURE | Zones::ASIDE;
    let time = outline
        .times
        .iter()
        .filter(|time| !outline.elements[time.at].zones.has(elsewhere))
        .find_map(|time| dates::parse(&time.value));
    time.or_else(|| {
        let heading = outline.elements.iter().find(|element| &*element.tag == "h1")?;
        // A written date stands near the headline.
        let near = cut(&outline.text[heading.text.end..], 300);
        near.lines().filter(|line| half_words(line) < 24).find_map(dates::find)
    })
}

/// The address the page calls its own; only on the same site, and never the home page, which careless
/// templates name on every page.
fn canonical(outline: &Outline, url: &Url) -> Option<Url> {
    let href = outline.head.canonical.as_deref().or_else(|| outline.head.meta("og:url"))?;
    let canonical = url.join(href).ok().filter(|canonical| matches!(canonical.scheme(), "http" | "https"))?;
    let home = canonical.path() == "/" && canonical.query().is_none() && url.path() != "/";
    (!home && urls::site_of(&canonical) == urls::site_of(url)).then(|| urls::normalise(&canonical))
}
