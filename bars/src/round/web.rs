//! A web of many small sites on loopback, for measuring: list pages with validators, article pages, and counts of
//! what was asked.

use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::net::TcpListener;

/// What was asked so far.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    /// List pages, 304s included.
    pub(crate) listings: usize,
    /// List pages answered with 304.
    pub(crate) not_modified: usize,
    /// Article pages.
    pub(crate) articles: usize,
}

#[derive(Default)]
struct Shared {
    listings: AtomicUsize,
    not_modified: AtomicUsize,
    articles: AtomicUsize,
    version: AtomicUsize,
}

/// The sites.
pub(crate) struct Pages {
    /// The list pages.
    pub(crate) urls: Vec<String>,
    shared: Arc<Shared>,
}

impl Pages {
    /// `sources` list pages on `hosts` addresses of 127.1.0.0/16.
    pub(crate) async fn start(sources: usize, hosts: usize) -> anyhow::Result<Self> {
        let shared = Arc::new(Shared::default());
        let mut addresses = Vec::new();
        for host in 0..hosts {
            let ip = Ipv4Addr::new(127, 1, (host / 250) as u8, (host % 250 + 1) as u8);
            let listener = TcpListener::bind((ip, 0)).await?;
            addresses.push(listener.local_addr()?);
            tokio::spawn(serve(listener, shared.clone()));
        }
        let urls = (0..sources).map(|n| format!("http://{}/list/{n}", addresses[n % hosts])).collect();
        Ok(Self { urls, shared })
    }

    /// Every list gets a new article.
    pub(crate) fn publish(&self) {
        self.shared.version.fetch_add(1, Relaxed);
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts {
            listings: self.shared.listings.load(Relaxed),
            not_modified: self.shared.not_modified.load(Relaxed),
            articles: self.shared.articles.load(Relaxed),
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = shared.clone();
        let service = service_fn(move |request| {
            let answer = answer(&request, &shared);
            async { Ok::<_, Infallible>(answer) }
        });
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(request: &Request<Incoming>, shared: &Shared) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    if let Some(list) = path.strip_prefix("/list/") {
        shared.listings.fetch_add(1, Relaxed);
        let version = shared.version.load(Relaxed);
        let etag = format!("\"v{version}\"");
        if asks_for(request.headers(), &etag) {
            shared.not_modified.fetch_add(1, Relaxed);
            return reply(StatusCode::NOT_MODIFIED, &etag, String::new());
        }
        return reply(StatusCode::OK, &etag, list_page(list, version));
    }
    if path.starts_with("/2026/") {
        shared.articles.fetch_add(1, Relaxed);
        return reply(StatusCode::OK, "\"a\"", article_page(path));
    }
    reply(StatusCode::NOT_FOUND, "\"n\"", String::new())
}

fn asks_for(headers: &HeaderMap, etag: &str) -> bool {
    headers.get("if-none-match").is_some_and(|tag| tag == etag)
}

fn reply(status: StatusCode, etag: &str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    for (name, value) in [("content-type", "text/html; charset=utf-8"), ("etag", etag)] {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// About 4.5 KB: nine articles the site shares and one of the list's own, among the usual furniture.
fn list_page(list: &str, version: usize) -> String {
    let own = format!("own-story-of-list-{list}-in-edition-{version}");
    let shared = (0..9).map(|n| format!("shared-story-number-{n}-of-this-site"));
    let card = |slug: String| {
        let title = slug.replace('-', " ");
        format!(
            "<article class=\"card\"><h2><a href=\"/2026/03/02/{slug}\">The {title} and what it means</a></h2>\
             <p class=\"lead\">A teaser of a length that teasers have, saying a little more about the {title}, and no \
             more than that, so that a reader will want to open it and read on.</p><time datetime=\"2026-03-02T06:00:00Z\">\
             2 March</time></article>"
        )
    };
    let cards: String = std::iter::once(own).chain(shared).map(card).collect();
    let menu: String = ["home", "politics", "business", "sport", "culture", "weather"]
        .iter()
        .map(|name| format!("<li><a href=\"/{name}\">{name}</a></li>"))
        .collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>List {list}</title></head><body><nav><ul>{menu}</ul></nav>\
         <main>{cards}</main><footer><a href=\"/imprint\">Imprint</a><a href=\"/privacy\">Privacy</a></footer></body></html>"
    )
}

fn article_page(path: &str) -> String {
    let title = path.rsplit('/').next().unwrap_or_default().replace('-', " ");
    let paragraph = format!(
        "<p>{} was discussed on Monday by people who know about it. {}</p>",
        title,
        "They said that more would be known soon. ".repeat(6)
    );
    format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title></head><body><article><h1>The {title} and what it means</h1>{}</article></body></html>",
        paragraph.repeat(6)
    )
}
