//! What stands on the pages.

use super::Shared;
use crate::chaos::words::{TEXT_WORD, sentences};
use crate::chaos::world::{Article, PAGES_PER_HOST};
use std::fmt::Write as _;
use std::time::Duration;

const HTML: &str = "text/html; charset=utf-8";

/// Kind, tag and content of a page.
type Content = (&'static str, String, String);

impl Shared {
    pub(super) fn content(&self, host: usize, path: &str, at: Duration) -> Option<Content> {
        if path == "/robots.txt" {
            return Some(("text/plain", "\"r\"".into(), self.robots(host)));
        }
        if path.starts_with("/list/") || path.starts_with("/feed/") {
            return self.listing(host, path, at);
        }
        if let Some(page) = path.strip_prefix("/p/") {
            let page =
                page.parse().ok().filter(|page| *page < PAGES_PER_HOST && host < self.world.crawled)?;
            return Some((HTML, "\"p\"".into(), self.linked_page(host, page)));
        }
        let number: usize = path.rsplit('-').next()?.parse().ok()?;
        let article = self.world.articles.get(number)?;
        let is_there = article.host == host && article.path == path && article.at <= at;
        is_there.then(|| (HTML, "\"a\"".into(), article_page(article, number)))
    }

    fn robots(&self, host: usize) -> String {
        let mut text = "User-agent: *\nDisallow: /secret\n".to_owned();
        if let Some(delay) = self.world.hosts[host].crawl_delay {
            let _ = writeln!(text, "Crawl-delay: {}", delay.as_secs_f64());
        }
        text
    }

    /// Everything the source has published so far: nothing scrolls away before it was seen.
    fn listing(&self, host: usize, path: &str, at: Duration) -> Option<Content> {
        let place: usize = path.get(6..)?.trim_end_matches(".xml").parse().ok()?;
        let number = host + place * self.world.hosts.len();
        let source = self.world.sources.get(number).filter(|source| source.path == path)?;
        let all = self.world.on.get(number)?.iter().map(|article| &self.world.articles[*article]);
        let mut shown: Vec<&Article> = all.take_while(|article| article.at <= at).collect();
        shown.reverse();
        let tag = format!("\"{}\"", shown.len());
        Some(if source.path.starts_with("/feed/") {
            ("application/rss+xml", tag, self.feed(number, &shown))
        } else {
            (HTML, tag, self.list(number, &shown))
        })
    }

    fn feed(&self, number: usize, shown: &[&Article]) -> String {
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\"><channel><title>Feed {number}</title>\
             <link>http://127.0.0.1/</link><description>What is new</description>"
        );
        for article in shown {
            let link = self.world.url(self.port, article.host, &article.path);
            let at = self.began_at + article.at;
            let _ = write!(
                text,
                "<item><title>{}</title><link>{link}</link><guid>{link}</guid><pubDate>{}</pubDate></item>",
                article.title,
                at.strftime("%a, %d %b %Y %H:%M:%S GMT")
            );
        }
        text + "</channel></rss>"
    }

    fn list(&self, number: usize, shown: &[&Article]) -> String {
        let mut cards = String::new();
        for article in shown {
            let link = self.world.url(self.port, article.host, &article.path);
            let _ = write!(
                cards,
                "<article class=\"card\"><h2><a href=\"{link}\">{}</a></h2><p class=\"lead\">A teaser of a length that \
                 teasers have, saying a little more about it, and no more than that, so that a reader will want to open \
                 it and read on.</p><time datetime=\"{:.0}\">today</time></article>",
                article.title,
                self.began_at + article.at
            );
        }
        let menu = ["home", "politics", "business", "sport", "culture", "weather"];
        let menu: String =
            menu.iter().map(|name| format!("<li><a href=\"/{name}\">{name}</a></li>")).collect();
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>List {number}</title></head><body><nav><ul>{menu}</ul>\
             </nav><main>{cards}</main><footer><a href=\"/imprint\">Imprint</a><a href=\"/privacy\">Privacy</a></footer></body></html>"
        )
    }

    fn linked_page(&self, host: usize, page: usize) -> String {
        let links: String = self
            .world
            .links(host, page)
            .into_iter()
            .map(|(to, page)| self.world.url(self.port, to, &format!("/p/{page}")))
            .chain(["/secret".to_owned()])
            .map(|to| format!("<p><a href=\"{to}\">a song</a></p>"))
            .collect();
        let text = sentences(1 << 40 | (host * PAGES_PER_HOST + page) as u64, 6);
        format!(
            "<!doctype html><html lang=\"en\"><title>Page {page} of host {host}</title><body><main><p>The composer wrote a song for \
             the orchestra.</p><p>{text}</p>{links}</main></body></html>"
        )
    }
}

fn article_page(article: &Article, number: usize) -> String {
    let word = if article.text { format!("<p>A {TEXT_WORD} was seen.</p>") } else { String::new() };
    let paragraphs: String =
        (0..4).map(|part| format!("<p>{}</p>", sentences((number * 4 + part) as u64, 3))).collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{0}</title></head><body><article><h1>{0}</h1>{paragraphs}{word}</article></body></html>",
        article.title
    )
}
