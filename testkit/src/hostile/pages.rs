//! Proper HTTP with improper content.

use super::{
    Expected, Hostile, brotli_bomb, gzip_bomb, is_content, is_content_or_capped, is_empty, is_protocol,
    is_redirects, is_refused, own_address, zstd_bomb,
};
use crate::site::{Answer, Asked, Site};

pub(super) async fn add(hostile: &mut Hostile) {
    // Made before anybody waits for it: packing takes a second in a debug build.
    gzip_bomb();
    let mut page = async |name, expected: Expected, script: fn(&Asked) -> Answer| {
        let polite = move |asked: &Asked| match asked.path.as_str() {
            "/robots.txt" => Answer::status(404),
            _ => script(asked),
        };
        let site = Site::start_at(own_address(), None, polite).await;
        hostile.case(name, site.url("/").as_str(), expected);
        hostile.sites.push(site);
    };
    page("redirects in a circle", is_redirects, |asked| match asked.path.as_str() {
        "/" => Answer::redirect(302, "/b"),
        _ => Answer::redirect(302, "/"),
    })
    .await;
    page("redirects without end", is_redirects, |asked| Answer::redirect(302, format!("{}x", asked.path)))
        .await;
    page("redirect to nowhere", is_redirects, |_| Answer::status(302)).await;
    page("redirect to a reserved address", is_refused, |_| Answer::redirect(302, "http://240.0.0.1/")).await;
    page("redirect to a file", is_refused, |_| Answer::redirect(302, "file:///etc/passwd")).await;
    page("redirect with a password", is_refused, |_| Answer::redirect(302, "http://me:secret@127.0.0.1/"))
        .await;
    page("redirect with a backslash", is_refused, |_| Answer::redirect(302, "http://127.0.0.1\\@x.example/"))
        .await;
    page("gzip bomb", is_content_or_capped, |_| Answer::html(gzip_bomb()).header("content-encoding", "gzip"))
        .await;
    page("brotli bomb", is_content_or_capped, |_| {
        Answer::html(brotli_bomb()).header("content-encoding", "br")
    })
    .await;
    page("zstd bomb", is_content_or_capped, |_| Answer::html(zstd_bomb()).header("content-encoding", "zstd"))
        .await;
    page("wrong charset", is_content, |_| Answer::html(b"<p>caf\xe9 \x81\xfe\xff</p>".as_slice())).await;
    page("deep nesting", is_content_or_capped, |_| Answer::html("<div>".repeat(50_000))).await;
    page("200 without a body", is_empty, |_| Answer::html("")).await;
    page("304 nobody asked for", is_protocol, |_| Answer::status(304)).await;
    page("a part nobody asked for", is_protocol, |_| Answer { status: 206, ..Answer::html("part") }).await;
}
