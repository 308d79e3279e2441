//! Article pages.

use model::ArticlePage;
use page::{Caps, Input, read_article};
use url::Url;

fn article(url: &str, html: &str) -> ArticlePage {
    let url = Url::parse(url).unwrap();
    read_article(
        &Input { url: &url, content_type: Some("text/html; charset=utf-8"), bytes: html.as_bytes() },
        &Caps::default(),
    )
}

#[test]
fn a_news_page() {
    let url = "https://www.harbourtimes.example/world/2026/nov/15/ceasefire-talks-resume-in-geneva?page=1";
    let page = article(url, include_str!("../../../../fixtures/articles/news.html"));
    assert_eq!(page.title.as_deref(), Some("Ceasefire talks resume in Geneva"));
    assert_eq!(page.published_at.unwrap().to_string(), "2026-11-15T09:12:00Z");
    assert_eq!(page.language.as_deref(), Some("en-gb"));
    assert_eq!(
        page.canonical.unwrap().as_str(),
        "https://harbourtimes.example/world/2026/nov/15/ceasefire-talks-resume-in-geneva"
    );
    assert!(page.text.contains("\n\nThe talks, held behind drawn curtains"), "{}", page.text);
    for absent in ["cookies", "Most viewed", "Something entirely", "color:red", "Harbour News"] {
        assert!(!page.text.contains(absent), "{absent} in {}", page.text);
    }
    assert!(page.fingerprint.is_some());
    assert!(page.notes.is_empty());
}

#[test]
fn a_page_that_says_little_about_itself() {
    let page = article(
        "https://zfcg.jiangcheng.example/gg/5512.html",
        include_str!("../../../../fixtures/articles/plain.html"),
    );
    assert_eq!(page.title.as_deref(), Some("关于公布招标结果的通知"));
    assert_eq!(page.published_at.unwrap().to_string(), "2026-11-15T10:30:00Z");
    assert!(page.text.contains("三千二百万元"), "{}", page.text);
    // The canonical address is the home page: a template's mistake.
    assert_eq!(page.canonical, None);
}

#[test]
fn a_canonical_elsewhere_is_not_believed() {
    let html = "<link rel=canonical href='https://evil.example/x'><h1>A headline here</h1>";
    assert_eq!(article("https://a.example/x", html).canonical, None);
}

#[test]
fn the_language_is_guessed_only_from_enough_text() {
    let sentence = "Die Verhandlungen wurden am Sonntag in Genf fortgesetzt, und beide Seiten saßen zum ersten Mal an einem Tisch. ";
    let page = article("https://a.example/x", &format!("<p>{}</p>", sentence.repeat(4)));
    assert_eq!(page.language.as_deref(), Some("de"));
    assert_eq!(article("https://a.example/x", "<p>Kurz und gut</p>").language, None);
}

#[test]
fn a_challenge_is_not_an_article() {
    let html = "<title>Just a moment...</title><div id=cf-challenge-running></div><script src='/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1'></script>";
    let page = article("https://a.example/x", html);
    assert_eq!((page.text.as_str(), page.title), ("", None));
    assert!(page.challenge);
}

#[test]
fn an_article_about_captchas_is_not_a_challenge() {
    let story = "Researchers say that the captcha has outlived its purpose, because machines now solve it faster than people. ";
    let html = format!(
        "<title>Are you a robot? The end of the captcha</title><p>{}</p><div class=g-recaptcha></div>",
        story.repeat(12)
    );
    assert!(!article("https://a.example/x", &html).challenge);
    let login = "<title>Log in</title><form><div class=g-recaptcha></div></form>";
    assert!(!article("https://a.example/x", login).challenge);
}
