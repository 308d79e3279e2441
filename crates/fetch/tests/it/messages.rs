//! What we send: to webhooks and mail servers, through the same gate.

use crate::world::{fetcher, fetcher_with, settings, short_limits};
use fetch::gate::Refusal;
use fetch::{
    BoxFuture, Encryption, Letter, MailFailure, MailServer, Post, PostFailure, Posted, Resolve, Settings,
};
use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use testkit::authority::{Authority, Offer};
use testkit::post_office::{Manner, PostOffice, Trouble};
use testkit::site::{Answer, Site};
use url::Url;

async fn post(settings: Settings, url: &Url) -> Result<Posted, PostFailure> {
    let headers = [("idempotency-key".to_owned(), "k1".to_owned())];
    let content = b"{\"a\":1}".to_vec();
    fetcher(settings).post(Post { url, headers: &headers, content_type: "application/json", content }).await
}

#[tokio::test]
async fn a_webhook_gets_what_is_posted_and_nothing_else_is_asked() {
    let authority = Authority::new();
    for offer in [None, Some(Offer::Http1), Some(Offer::Http2)] {
        let tls = offer.map(|offer| authority.good("127.0.0.1", offer));
        let site = Site::start_at([127, 0, 0, 1].into(), tls, |_| Answer::text("thanks\nmore")).await;
        // Robots.txt would be asked of a visit.
        let settings = Settings { obey_robots: true, extra_roots: vec![authority.root()], ..settings() };
        let posted = post(settings, &site.url("/hook?x=1")).await.unwrap();
        let expected = Posted { status: 200, retry_after: None, redirect: None, said: "thanks".into() };
        assert_eq!(posted, expected);
        let log = site.log();
        assert_eq!((log.len(), log[0].path.as_str()), (1, "/hook?x=1"));
        assert_eq!(log[0].content, b"{\"a\":1}");
        assert_eq!(log[0].headers["content-type"], "application/json");
        assert_eq!(log[0].headers["idempotency-key"], "k1");
        assert!(log[0].headers["user-agent"].to_str().unwrap().starts_with("Ripplewatch/"));
    }
}

#[tokio::test]
async fn a_webhook_cannot_send_us_elsewhere_nor_flood_us() {
    let inside = Site::start(|_| Answer::text("secret")).await;
    let to = inside.url("/");
    let site = Site::start(move |asked| match asked.path.as_str() {
        "/redirect" => Answer::redirect(307, &to),
        "/busy" => Answer::status(429).header("retry-after", "77"),
        "/flood" => Answer::text("x".repeat(9_000_000)),
        _ => Answer::html("\u{1b}[31mred"),
    })
    .await;
    let redirected = post(settings(), &site.url("/redirect")).await.unwrap();
    assert_eq!((redirected.status, redirected.redirect), (307, Some(inside.url("/").to_string())));
    assert_eq!(inside.connections(), 0);
    let busy = post(settings(), &site.url("/busy")).await.unwrap();
    assert_eq!((busy.status, busy.retry_after), (429, Some(Duration::from_secs(77))));
    assert!(post(settings(), &site.url("/flood")).await.unwrap().said.len() <= 200);
    assert_eq!(
        post(settings(), &site.url("/red")).await.unwrap().said,
        "[31mred",
        "nothing steers a terminal"
    );
}

struct Always(SocketAddr);

impl Resolve for Always {
    fn resolve(&self, _: &str, _: u16) -> BoxFuture<'_, io::Result<Vec<SocketAddr>>> {
        Box::pin(async { Ok(vec![self.0]) })
    }
}

#[tokio::test]
async fn neither_webhook_nor_mail_reaches_a_private_address_that_is_not_allowed() {
    let site = Site::start(|_| Answer::text("secret")).await;
    let office = PostOffice::start(Manner::default()).await;
    let refused = post(Settings::default(), &site.url("/")).await.unwrap_err();
    assert!(matches!(refused, PostFailure::Refused(Refusal::Address { .. })), "{refused}");
    // Nor by a name that leads there.
    let fetcher = fetcher_with(Settings::default(), Always(site.address()));
    let url = Url::parse("http://hooks.example/").unwrap();
    let named = Post { url: &url, headers: &[], content_type: "application/json", content: Vec::new() };
    assert!(matches!(fetcher.post(named).await, Err(PostFailure::Refused(_))));
    for host in ["127.0.0.1", "127.1", "2130706433", "::1", "::ffff:127.0.0.1", "localhost", "mail.example"] {
        let fetcher = fetcher_with(Settings::default(), Always(office.address()));
        let server = MailServer { host, ..server(&office, Encryption::None) };
        let refused = fetcher.mail(&server, &letter()).await.unwrap_err();
        assert!(matches!(refused, MailFailure::Refused(Refusal::Address { .. })), "{host}: {refused}");
    }
    assert_eq!((site.connections(), office.said().len()), (0, 0));
}

fn letter() -> Letter {
    Letter {
        from: "watch@a.example".into(),
        to: vec!["one@b.example".into(), "two@b.example".into()],
        content: b"Subject: hello\r\n\r\nfirst\r\n.\r\n..dots\r\nlast\r\n".to_vec(),
    }
}

fn server(office: &PostOffice, encryption: Encryption) -> MailServer<'static> {
    MailServer { host: "127.0.0.1", port: office.address().port(), encryption, login: None }
}

#[tokio::test]
async fn a_letter_arrives_as_it_was_written() {
    let office = PostOffice::start(Manner::default()).await;
    fetcher(settings()).mail(&server(&office, Encryption::None), &letter()).await.unwrap();
    let received = office.received();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].content, "Subject: hello\n\nfirst\n.\n..dots\nlast\n");
    assert_eq!((received[0].from.as_str(), received[0].to.len()), ("watch@a.example", 2));
    assert_eq!(office.said()[0], "EHLO [127.0.0.1]");
}

#[tokio::test]
async fn tls_and_login_protect_each_other() {
    let authority = Authority::new();
    let tls = || Some(authority.good("127.0.0.1", Offer::Http1));
    let trusting = Settings { extra_roots: vec![authority.root()], ..settings() };
    for ways in ["PLAIN LOGIN", "LOGIN", "LOGIN PLAIN CRAM-MD5"] {
        for implicit in [true, false] {
            let login = Some(("anna", "s3cret", ways));
            let manner = if implicit {
                Manner { implicit: tls(), login, ..Manner::default() }
            } else {
                Manner { starttls: tls(), login, ..Manner::default() }
            };
            let office = PostOffice::start(manner).await;
            let encryption = if implicit { Encryption::Implicit } else { Encryption::Starttls };
            let server = MailServer { login: Some(("anna", "s3cret")), ..server(&office, encryption) };
            fetcher(trusting.clone()).mail(&server, &letter()).await.unwrap();
            let received = office.received();
            assert!(received[0].encrypted && received[0].user.as_deref() == Some("anna"), "{ways}");
            let wrong = MailServer { login: Some(("anna", "guess")), ..server };
            let said = fetcher(trusting.clone()).mail(&wrong, &letter()).await.unwrap_err();
            assert_eq!(said.to_string(), "the mail server answered to AUTH: 535 wrong user or password");
            // A stranger's certificate ends it before a word of the login.
            let before = office.said().len();
            let refused = fetcher(settings()).mail(&server, &letter()).await.unwrap_err();
            assert!(refused.to_string().starts_with("TLS refused"), "{refused}");
            assert!(!office.said()[before..].iter().any(|line| line.contains("AUTH")));
        }
    }
    let plain = PostOffice::start(Manner { login: Some(("a", "b", "PLAIN")), ..Manner::default() }).await;
    let login = MailServer { login: Some(("a", "b")), ..server(&plain, Encryption::Starttls) };
    let refused = fetcher(settings()).mail(&login, &letter()).await.unwrap_err().to_string();
    assert!(refused.contains("does not offer STARTTLS"), "{refused}");
    assert!(!plain.said().iter().any(|line| line.contains("AUTH")), "no password in the clear");
}

#[tokio::test]
async fn words_smuggled_before_tls_are_not_believed() {
    let authority = Authority::new();
    let tls = Some(authority.good("127.0.0.1", Offer::Http1));
    let manner = Manner { starttls: tls, trouble: Some(Trouble::Smuggles), ..Manner::default() };
    let office = PostOffice::start(manner).await;
    let trusting = Settings { extra_roots: vec![authority.root()], ..settings() };
    let refused =
        fetcher(trusting).mail(&server(&office, Encryption::Starttls), &letter()).await.unwrap_err();
    assert!(refused.to_string().contains("between STARTTLS and TLS"), "{refused}");
    assert!(office.received().is_empty());
}

#[tokio::test]
async fn a_mail_server_in_trouble_is_told_apart_and_holds_nobody_up() {
    for (trouble, expected) in [
        (Trouble::Silent, "timed out"),
        (Trouble::Greets(421), "421 not now"),
        (Trouble::Recipient(550), "RCPT TO: 550 not here"),
        (Trouble::Letter(452), "the letter: 452 not this one"),
        (Trouble::HangsUp, "closed the connection"),
        (Trouble::Slow(Duration::from_mins(1)), "timed out"),
    ] {
        let office = PostOffice::start(Manner { trouble: Some(trouble), ..Manner::default() }).await;
        let began = Instant::now();
        let hasty = Settings { limits: short_limits(), ..settings() };
        let failure = fetcher(hasty).mail(&server(&office, Encryption::None), &letter()).await.unwrap_err();
        assert!(failure.to_string().contains(expected), "{trouble:?}: {failure}");
        assert!(began.elapsed() < Duration::from_secs(8), "{trouble:?}");
        assert!(office.received().is_empty(), "{trouble:?}");
    }
    // Nobody is there.
    let nobody = Site::start(|_| Answer::status(200)).await.address();
    let server =
        MailServer { host: "127.0.0.1", port: nobody.port(), encryption: Encryption::Implicit, login: None };
    let failure = fetcher(settings()).mail(&server, &letter()).await.unwrap_err().to_string();
    assert!(failure.starts_with("no connection: 127.0.0.1:"), "{failure}");
}
