//! Lists of sources from elsewhere.

use page::subscriptions::{Subscription, read, write_opml};

#[test]
fn opml_with_folders() {
    let opml = br#"<?xml version="1.0"?><opml version="1.0"><body>
        <outline text="News"><outline text="World" title="World"><outline type="rss" text="Harbour &amp; Times" xmlUrl="https://a.example/rss"/></outline></outline>
        <outline type="rss" text="https://b.example/feed" xmlUrl="https://b.example/feed" htmlUrl="https://b.example/"></outline>
        </body></opml>"#;
    let found = read(opml).unwrap();
    let brief: Vec<_> = found
        .iter()
        .map(|found| (found.url.as_str(), found.title.as_deref(), found.folder.as_deref()))
        .collect();
    assert_eq!(
        brief,
        [
            ("https://a.example/rss", Some("Harbour & Times"), Some("News / World")),
            ("https://b.example/feed", None, None)
        ]
    );
}

#[test]
fn a_plain_list() {
    let found = read(b"# mine\n\nnews.example/world\n  https://a.example/#frag # the second\n").unwrap();
    let urls: Vec<_> = found.iter().map(|found| found.url.as_str()).collect();
    assert_eq!(urls, ["https://news.example/world", "https://a.example/#frag"]);
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let error = read(b"https://a.example/\nftp://b.example/\n\nhttps://u:p@c.example/\n").unwrap_err();
    let places: Vec<_> = error.problems.iter().map(|problem| problem.place.as_str()).collect();
    assert_eq!(places, ["line 2", "line 4"]);
    let opml = b"<opml><body><outline text='Good' xmlUrl='https://a.example/'/><outline text='Bad' xmlUrl='file:///x'/></body></opml>";
    assert!(
        read(opml).unwrap_err().to_string().contains("outline 2 (Bad): file: addresses cannot be watched")
    );
}

#[test]
fn what_is_no_list_is_refused() {
    assert!(read(b"").is_err());
    assert!(read(b"<html><body>hello</body></html>").unwrap_err().to_string().contains("neither OPML"));
    assert!(read(b"<!DOCTYPE opml [<!ENTITY x 'y'>]><opml/>").unwrap_err().to_string().contains("entities"));
    let deep = format!("<opml><body>{}</body></opml>", "<outline text='x'>".repeat(100));
    assert!(read(deep.as_bytes()).unwrap_err().to_string().contains("nested"));
}

#[test]
fn written_as_opml() {
    let one = Subscription {
        url: "https://a.example/?a=1&b=2".parse().unwrap(),
        title: Some("A \"b\" <c>".into()),
        folder: Some("F".into()),
    };
    insta::assert_snapshot!(write_opml("Mine", &[one]), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0">
      <head><title>Mine</title></head>
      <body>
        <outline text="F">
          <outline type="rss" text="A &quot;b&quot; &lt;c&gt;" xmlUrl="https://a.example/?a=1&amp;b=2"/>
        </outline>
      </body>
    </opml>
    "#);
}
