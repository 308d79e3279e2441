//! Telling people: what is written is delivered, once in effect, whatever the endpoints do.

use crate::lab::{Lab, article_page, list_page, until};
use engine::{ChannelWish, signature};
use jiff::Timestamp;
use model::{ChannelId, FolderId};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};
use store::{
    ChannelSettings, DeliveryFilter, DeliveryInfo, DeliveryState, Encryption, Hidden, MailTarget, Message,
    Quiet, Rhythm, Target,
};
use testkit::clock::{Fast, Manual};
use testkit::post_office::{Manner, PostOffice, Trouble};
use testkit::site::{Answer, Asked, Site};
use url::Url;

const SECRET: &str = "a secret of the test's own";

fn webhook(name: &str, url: &Url) -> ChannelSettings {
    ChannelSettings {
        name: name.into(),
        target: Target::Webhook { url: url.clone(), secret: Hidden::new(SECRET) },
        wants: vec!["event_opened".into(), "event_ended".into(), "source_late".into()],
        folders: Vec::new(),
        rhythm: Rhythm::AtOnce,
        quiet: None,
        zone: "Europe/Berlin".into(),
        enabled: true,
    }
}

fn mail(name: &str, office: &PostOffice) -> ChannelSettings {
    let target = MailTarget {
        host: "127.0.0.1".into(),
        port: office.address().port(),
        encryption: Encryption::None,
        user: None,
        password: None,
        from: "Ripplewatch <watch@a.example>".into(),
        to: vec!["desk@b.example".into()],
    };
    ChannelSettings { target: Target::Mail(target), ..webhook(name, &"http://x.example/".parse().unwrap()) }
}

fn event(n: i64, folder: &str, at: Timestamp) -> Message {
    let payload = json!({
        "event": n, "folder": {"id": n, "name": folder}, "state": "opened", "observed": 9, "expected": 2.1,
        "reason": "More than in any of the last six weeks.", "url": format!("/events/{n}"),
        "articles": [{"id": 1, "title": "A <b>bold</b> & “quoted” headline\r\nBcc: all@b.example", "url": "https://a.example/1"}],
    });
    Message { key: format!("event:{n}:opened"), kind: "event_opened".into(), payload, created_at: at }
}

impl Lab {
    async fn channel(&self, settings: ChannelSettings) -> ChannelId {
        self.store.add_channel(settings, self.clock.now()).await.unwrap()
    }

    async fn post(&self, n: i64, folder: &str) {
        self.store.post_messages(vec![event(n, folder, self.clock.now())]).await.unwrap();
    }

    async fn deliveries(&self) -> Vec<DeliveryInfo> {
        self.store.deliveries(DeliveryFilter { limit: 1000, ..DeliveryFilter::default() }).await.unwrap()
    }

    async fn all_delivered(&self, count: usize) -> bool {
        let deliveries = self.deliveries().await;
        deliveries.len() == count && deliveries.iter().all(|one| one.state == DeliveryState::Delivered)
    }
}

fn key(asked: &Asked) -> &str {
    asked.headers["idempotency-key"].to_str().unwrap()
}

fn body(asked: &Asked) -> Value {
    serde_json::from_slice(&asked.content).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_webhook_gets_the_facts_under_a_key_and_signed() {
    let site = Site::start(|_| Answer::status(204)).await;
    let mut lab = Lab::new();
    lab.settings.public_url = "https://watch.example/".parse().unwrap();
    lab.channel(webhook("desk", &site.url("/hook"))).await;
    let engine = lab.start().await;
    lab.post(7, "Sport").await;
    lab.post(7, "Sport").await;
    until("it is delivered", async || lab.all_delivered(1).await).await;
    engine.stop().await;
    let log = site.log();
    assert_eq!((log.len(), log[0].path.as_str(), key(&log[0])), (1, "/hook", "event:7:opened"));
    let told = body(&log[0]);
    assert_eq!(told["subject"], "Sport is unusually busy: 9 stories against 2.1 expected");
    assert_eq!(
        (&told["key"], &told["kind"], &told["event"]),
        (&json!("event:7:opened"), &json!("event_opened"), &json!(7))
    );
    assert_eq!(told["links"]["page"], "https://watch.example/events/7");
    let header = log[0].headers["ripplewatch-signature"].to_str().unwrap();
    let (at, mac) = header.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
    assert_eq!(mac, signature(SECRET, at.parse().unwrap(), &log[0].content));
    assert_ne!(mac, signature("another secret", at.parse().unwrap(), &log[0].content));
    let delivery = &lab.deliveries().await[0];
    assert_eq!((delivery.tries, delivery.last_status), (1, Some(204)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trouble_is_told_and_tried_again_under_the_same_key_until_it_is_over() {
    let status = Arc::new(AtomicU16::new(503));
    let said = status.clone();
    let site = Site::start(move |_| Answer::status(said.load(Ordering::SeqCst))).await;
    let mut lab = Lab::new();
    // Three days of patience take three seconds.
    lab.clock = Arc::new(Fast::new(100_000));
    let id = lab.channel(webhook("desk", &site.url("/"))).await;
    let engine = lab.start().await;
    lab.post(1, "Sport").await;
    until("it was tried three times", async || site.log().len() >= 3).await;
    let channel = lab.store.channel(id).await.unwrap();
    assert!(channel.failing_since.is_some() && channel.retry_at.is_some());
    assert_eq!(channel.last_error.as_deref(), Some("HTTP 503"));
    status.store(200, Ordering::SeqCst);
    until("it is delivered", async || lab.all_delivered(1).await).await;
    assert!(site.log().iter().all(|asked| key(asked) == "event:1:opened"));
    assert_eq!(lab.store.channel(id).await.unwrap().failing_since, None);
    // Who says that it is gone is believed.
    status.store(410, Ordering::SeqCst);
    lab.post(2, "Sport").await;
    until("it is given up", async || lab.deliveries().await[0].state == DeliveryState::GivenUp).await;
    assert!(lab.deliveries().await[0].last_error.as_ref().unwrap().contains("gone"));
    // Three days later nobody waits any more; a person may, and tries it again.
    status.store(500, Ordering::SeqCst);
    lab.post(3, "Sport").await;
    until("it is given up", async || lab.deliveries().await[0].state == DeliveryState::GivenUp).await;
    status.store(200, Ordering::SeqCst);
    lab.store.retry_delivery(lab.deliveries().await[0].id, lab.clock.now()).await.unwrap();
    engine.handle().tell();
    until("it is delivered", async || lab.deliveries().await[0].state == DeliveryState::Delivered).await;
    assert_eq!(key(site.log().last().unwrap()), "event:3:opened");
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoints_that_hang_or_are_dead_hold_up_neither_each_other_nor_visits() {
    let hanging = Site::start(|_| Answer::status(200).after(Duration::from_mins(5))).await;
    let dead = Site::start(|_| Answer::status(200)).await.url("/");
    let silent = PostOffice::start(Manner { trouble: Some(Trouble::Silent), ..Manner::default() }).await;
    let fine = Site::start(|_| Answer::status(200)).await;
    let news = Site::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Answer::status(404),
        "/" => Answer::html(list_page(&[
            "A story of some length today",
            "Another story of this fine day",
            "A third one of them",
        ])),
        _ => Answer::html(article_page("One")),
    })
    .await;
    let lab = Lab::new();
    lab.channel(webhook("hanging", &hanging.url("/"))).await;
    lab.channel(webhook("dead", &dead)).await;
    lab.channel(mail("silent", &silent)).await;
    let id = lab.channel(webhook("fine", &fine.url("/"))).await;
    let engine = lab.start().await;
    for n in 0..20 {
        lab.post(n, "Sport").await;
    }
    let began = Instant::now();
    let source = lab.add(&news.url("/")).await;
    engine.handle().wake();
    engine.handle().tell();
    until("the good channel has them all, and the page was visited", async || {
        fine.log().len() == 20 && lab.source(source).await.state.articles == 3
    })
    .await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(hanging.connections(), 1, "one request at a time");
    let through_fine = DeliveryFilter { channel: Some(id), limit: 100, ..DeliveryFilter::default() };
    until("it is written down", async || {
        let all = lab.store.deliveries(through_fine.clone()).await.unwrap();
        all.iter().all(|one| one.state == DeliveryState::Delivered)
    })
    .await;
    let began = Instant::now();
    engine.stop().await;
    assert!(began.elapsed() < Duration::from_secs(2), "a clean stop took {:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_comes_in_quiet_hours_or_for_a_digest_is_told_together_at_its_time() {
    let office = PostOffice::start(Manner::default()).await;
    let (quiet_site, hourly_site) =
        (Site::start(|_| Answer::status(200)).await, Site::start(|_| Answer::status(200)).await);
    let mut lab = Lab::new();
    // 22:30 in Berlin.
    let clock = Arc::new(Manual::new("2026-01-15T21:30:00Z".parse().unwrap()));
    lab.clock = clock.clone();
    let quiet = Some(Quiet { from: "22:00".parse().unwrap(), to: "07:00".parse().unwrap() });
    lab.channel(ChannelSettings { quiet, ..webhook("quiet", &quiet_site.url("/")) }).await;
    lab.channel(ChannelSettings { rhythm: Rhythm::Hourly, ..webhook("hourly", &hourly_site.url("/")) }).await;
    let daily = Rhythm::Daily { at: "08:00".parse().unwrap() };
    lab.channel(ChannelSettings { rhythm: daily, quiet, ..mail("daily", &office) }).await;
    let engine = lab.start().await;
    for (n, folder) in [(1, "Sport"), (2, "Weather"), (3, "Sport")] {
        lab.post(n, folder).await;
    }
    let looks = Duration::from_millis(600);
    tokio::time::sleep(looks).await;
    assert_eq!((quiet_site.log().len(), hourly_site.log().len(), office.received().len()), (0, 0, 0));
    clock.set("2026-01-15T22:00:00Z".parse().unwrap());
    until("the hourly digest is there", async || !hourly_site.log().is_empty()).await;
    let digest = body(&hourly_site.log()[0]);
    assert_eq!((&digest["kind"], digest["messages"].as_array().unwrap().len()), (&json!("digest"), 3));
    assert_eq!(digest["subject"], "3 messages: Sport (2), Weather (1)");
    tokio::time::sleep(looks).await;
    assert_eq!((quiet_site.log().len(), hourly_site.log().len(), office.received().len()), (0, 1, 0));
    clock.set("2026-01-16T06:00:00Z".parse().unwrap());
    until("the night is over", async || !quiet_site.log().is_empty()).await;
    assert_eq!(body(&quiet_site.log()[0])["messages"].as_array().unwrap().len(), 3);
    lab.post(4, "Sport").await;
    until("the day is told at once", async || quiet_site.log().len() == 2).await;
    assert_eq!(body(&quiet_site.log()[1])["kind"], "event_opened");
    clock.set("2026-01-16T07:00:00Z".parse().unwrap());
    until("the mail is there", async || !office.received().is_empty()).await;
    let mail = office.received()[0].clone();
    assert_eq!(mail.header("subject").unwrap(), "4 messages: Sport (3), Weather (1)");
    let content = mail.readable();
    assert!(content.contains("Sport (3)\n=========") && content.contains("Weather (1)"), "{content}");
    engine.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_digest_that_fails_is_repeated_as_it_was() {
    let status = Arc::new(AtomicU16::new(500));
    let said = status.clone();
    let site = Site::start(move |_| Answer::status(said.load(Ordering::SeqCst))).await;
    let mut lab = Lab::new();
    let clock = Arc::new(Manual::new("2026-01-15T12:30:00Z".parse().unwrap()));
    lab.clock = clock.clone();
    lab.channel(ChannelSettings { rhythm: Rhythm::Hourly, ..webhook("hourly", &site.url("/")) }).await;
    let engine = lab.start().await;
    lab.post(1, "Sport").await;
    lab.post(2, "Sport").await;
    clock.set("2026-01-15T13:00:00Z".parse().unwrap());
    until("it was tried", async || site.log().len() == 1).await;
    engine.stop().await;
    // One that comes meanwhile is not slipped in, nor after a restart.
    lab.post(3, "Sport").await;
    clock.set("2026-01-15T14:00:00Z".parse().unwrap());
    status.store(200, Ordering::SeqCst);
    let engine = lab.start().await;
    until("all are delivered", async || lab.all_delivered(3).await).await;
    engine.stop().await;
    let log = site.log();
    assert_eq!(log.len(), 3);
    assert_eq!((key(&log[0]), &log[0].content), (key(&log[1]), &log[1].content));
    assert_eq!(key(&log[2]), "event:3:opened");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_says_it_all_and_nothing_in_it_can_pretend_to_be_a_header() {
    let office = PostOffice::start(Manner::default()).await;
    let mut lab = Lab::new();
    lab.settings.public_url = "https://watch.example/".parse().unwrap();
    lab.channel(mail("desk", &office)).await;
    let engine = lab.start().await;
    lab.post(5, "Sport\r\nBcc: all@b.example\r\n\r\n<script>").await;
    until("it is delivered", async || lab.all_delivered(1).await).await;
    engine.stop().await;
    let mail = office.received()[0].clone();
    assert_eq!(
        (mail.from.as_str(), mail.to.as_slice()),
        ("watch@a.example", &["desk@b.example".to_owned()][..])
    );
    let subject = "Sport Bcc: all@b.example <script> is unusually busy: 9 stories against 2.1 expected";
    assert_eq!(mail.header("subject").unwrap(), subject);
    assert_eq!(mail.header("bcc"), None);
    assert_eq!(mail.header("auto-submitted").unwrap(), "auto-generated");
    assert_eq!(mail.header("list-id").unwrap(), "Ripplewatch <notifications.watch.example>");
    assert_eq!(mail.header("x-ripplewatch-key").unwrap(), "event:5:opened");
    assert!(mail.header("message-id").unwrap().ends_with("@watch.example>"));
    assert!(mail.header("date").is_some());
    let content = mail.readable();
    assert!(content.contains("multipart/alternative") && content.contains("https://watch.example/events/5"));
    assert!(content.contains("&lt;b&gt;bold&lt;/b&gt; &amp;"), "{content}");
    assert!(!content.contains("<script>\n") && !content.contains("href=\"javascript"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_goes_the_real_way_and_says_how_it_ended() {
    let site = Site::start(|asked| Answer::status(if asked.path == "/bad" { 404 } else { 200 })).await;
    let office = PostOffice::start(Manner::default()).await;
    let lab = Lab::new();
    // Neither quiet hours nor a digest nor a pause holds up a test.
    let quiet = Some(Quiet { from: "00:00".parse().unwrap(), to: "23:59".parse().unwrap() });
    let good = ChannelSettings {
        quiet,
        rhythm: Rhythm::Hourly,
        enabled: false,
        ..webhook("good", &site.url("/good"))
    };
    let good = lab.channel(good).await;
    let bad = lab.channel(webhook("bad", &site.url("/bad"))).await;
    let letter = lab.channel(mail("mail", &office)).await;
    let idle = lab.idle();
    let tested = idle.test_channel(good).await.unwrap();
    assert_eq!((tested.state, tested.last_status), (DeliveryState::Delivered, Some(200)));
    assert_eq!(body(&site.log()[0])["kind"], "test");
    let tested = idle.test_channel(bad).await.unwrap();
    assert_eq!((tested.state, tested.last_error.as_deref()), (DeliveryState::GivenUp, Some("HTTP 404")));
    assert_eq!(idle.test_channel(letter).await.unwrap().state, DeliveryState::Delivered);
    assert!(office.received()[0].header("subject").unwrap().contains("test"));
    // Posted by another process, the running loop takes it.
    let engine = lab.start().await;
    let now = lab.clock.now();
    let id = lab.store.post_test(good, now, now).await.unwrap();
    until("it is sent", async || lab.store.delivery(id).await.unwrap().state == DeliveryState::Delivered)
        .await;
    engine.stop().await;
    assert_eq!(site.log().len(), 3, "a test is tried once");
}

fn hook_wish(url: &str) -> ChannelWish {
    ChannelWish { url: Some(url.into()), ..ChannelWish::default() }
}

fn mail_wish() -> ChannelWish {
    ChannelWish {
        host: Some("mail.example".into()),
        from: Some("watch@a.example".into()),
        to: Some(vec!["desk@b.example".into()]),
        ..ChannelWish::default()
    }
}

#[tokio::test]
async fn channels_that_cannot_work_are_refused_with_the_reason() {
    let mut lab = Lab::new();
    lab.fetch.allow = Vec::new();
    let idle = lab.idle();
    let text = |text: &str| Some(text.to_owned());
    let hook = || hook_wish("https://hooks.example/x");
    for (kind, wish, expected) in [
        ("webhook", hook_wish("http://127.0.0.1/"), "127.0.0.1 is this machine itself"),
        ("webhook", hook_wish("http://10.0.0.8/"), "allowed addresses"),
        ("webhook", hook_wish("ftp://a.example/"), "only http and https"),
        ("webhook", hook_wish("https://u:p@a.example/"), "user name or password"),
        ("webhook", hook_wish("nonsense"), "is not a URL"),
        ("webhook", ChannelWish::default(), "URL is missing"),
        ("pigeon", hook(), "no kind of channel"),
        ("webhook", ChannelWish { name: Some("x".repeat(101)), ..hook() }, "needs a name"),
        ("webhook", ChannelWish { wants: Some(Vec::new()), ..hook() }, "at least one kind"),
        ("webhook", ChannelWish { wants: Some(vec!["all".into()]), ..hook() }, "event_opened"),
        ("webhook", ChannelWish { zone: text("Berlin"), ..hook() }, "Europe/Berlin"),
        ("webhook", ChannelWish { quiet: text("08:00-08:00"), ..hook() }, "quiet hours"),
        ("webhook", ChannelWish { quiet: text("at night"), ..hook() }, "22:00-07:00"),
        ("webhook", ChannelWish { rhythm: text("weekly"), ..hook() }, "daily 08:00"),
        ("webhook", ChannelWish { secret: text("short"), ..hook() }, "secret"),
        ("webhook", ChannelWish { folders: Some(vec![FolderId(99)]), ..hook() }, "no folder 99"),
        ("webhook", ChannelWish { host: text("mail.example"), ..hook() }, "no mail server"),
        ("mail", ChannelWish { host: None, ..mail_wish() }, "is missing"),
        ("mail", ChannelWish { host: text("192.168.1.5"), ..mail_wish() }, "192.168.1.5 is"),
        ("mail", ChannelWish { host: text("a b"), ..mail_wish() }, "neither the name of a server"),
        (
            "mail",
            ChannelWish { host: text("1.1.1.1"), encryption: text("none"), ..mail_wish() },
            "without encryption",
        ),
        ("mail", ChannelWish { encryption: text("rot13"), ..mail_wish() }, "starttls"),
        ("mail", ChannelWish { to: Some(Vec::new()), ..mail_wish() }, "whom to write to"),
        ("mail", ChannelWish { to: Some(vec!["nobody".into()]), ..mail_wish() }, "not an e-mail address"),
        (
            "mail",
            ChannelWish { from: text("a@b.example\r\nBcc: c@d.example"), ..mail_wish() },
            "not an e-mail address",
        ),
        ("mail", ChannelWish { user: text("anna"), ..mail_wish() }, "needs a password"),
        ("mail", ChannelWish { url: text("https://a.example/"), ..mail_wish() }, "no URL"),
    ] {
        let said = idle.add_channel(kind, wish).await.unwrap_err().to_string();
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(lab.store.channels().await.unwrap().is_empty());
    // A name may lead to a private address only later: then the delivery is refused, and says so.
    let private: Url = "http://127.0.0.1:9/".parse().unwrap();
    let id = lab.store.add_channel(webhook("late", &private), lab.clock.now()).await.unwrap();
    let tested = idle.test_channel(id).await.unwrap();
    assert!(tested.last_error.unwrap().contains("the gate refused it: 127.0.0.1"), "nothing was sent");
}

#[tokio::test]
async fn what_is_not_said_has_a_default_or_stays() {
    let lab = Lab::new();
    let idle = lab.idle();
    let hook = idle.add_channel("webhook", hook_wish("https://hooks.example/x")).await.unwrap();
    assert_eq!((hook.settings.name.as_str(), hook.settings.rhythm), ("hooks.example", Rhythm::AtOnce));
    let Target::Webhook { secret, .. } = &hook.settings.target else { panic!() };
    assert!(secret.reveal().starts_with("rwh_") && secret.reveal().len() > 60);
    assert!(!format!("{hook:?}").contains(secret.reveal()), "no secret in a log");
    let change = ChannelWish { rhythm: Some("hourly".into()), ..ChannelWish::default() };
    let changed = idle.change_channel(hook.id, change).await.unwrap();
    assert_eq!((changed.settings.rhythm, &changed.settings.target), (Rhythm::Hourly, &hook.settings.target));
    let renewed = ChannelWish { new_secret: true, ..ChannelWish::default() };
    assert_ne!(idle.change_channel(hook.id, renewed).await.unwrap().settings.target, hook.settings.target);
    let login = ChannelWish { user: Some("anna".into()), password: Some("s3cret".into()), ..mail_wish() };
    let mail = idle.add_channel("mail", login).await.unwrap();
    let Target::Mail(target) = &mail.settings.target else { panic!() };
    assert_eq!((target.port, target.encryption), (465, Encryption::Implicit));
    assert!(!format!("{mail:?}").contains("s3cret"));
    let starttls = ChannelWish { encryption: Some("starttls".into()), ..ChannelWish::default() };
    let changed = idle.change_channel(mail.id, starttls).await.unwrap();
    let Target::Mail(target) = &changed.settings.target else { panic!() };
    assert_eq!((target.port, target.password.as_ref().unwrap().reveal()), (587, "s3cret"));
    let taken = ChannelWish { name: Some("hooks.example".into()), ..ChannelWish::default() };
    assert!(idle.change_channel(mail.id, taken).await.unwrap_err().to_string().contains("already a channel"));
}

#[tokio::test]
async fn only_what_a_channel_wants_is_told() {
    let lab = Lab::new();
    let sports = lab.store.create_folder("Sports".into()).await.unwrap();
    let soccer = lab.store.create_folder("Sports/Soccer".into()).await.unwrap();
    let weather = lab.store.create_folder("Weather".into()).await.unwrap();
    let url: Url = "https://hooks.example/".parse().unwrap();
    let about = |name: &str, folders: Vec<FolderId>| ChannelSettings { folders, ..webhook(name, &url) };
    for settings in [
        about("all", Vec::new()),
        about("sports", vec![sports]),
        about("soccer", vec![soccer]),
        ChannelSettings { enabled: false, ..about("paused", Vec::new()) },
        ChannelSettings { wants: vec!["event_ended".into()], ..about("ended", Vec::new()) },
    ] {
        lab.store.add_channel(settings, lab.clock.now()).await.unwrap();
    }
    let told = async |folder: FolderId, kind: &str| {
        let payload = json!({"folder": {"id": folder, "name": "x"}});
        let message = Message {
            key: format!("{kind}:{folder}"),
            kind: kind.into(),
            payload,
            created_at: lab.clock.now(),
        };
        lab.store.post_messages(vec![message]).await.unwrap();
        let key = format!("{kind}:{folder}");
        let all = lab.deliveries().await.into_iter().filter(|one| one.message.key == key);
        let mut names: Vec<_> = all.map(|one| one.channel).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(told(soccer, "event_opened").await, "all soccer sports");
    assert_eq!(told(sports, "event_opened").await, "all sports");
    assert_eq!(told(weather, "event_opened").await, "all");
    assert_eq!(told(weather, "event_ended").await, "all ended");
    assert_eq!(told(weather, "event_grew").await, "");
}
