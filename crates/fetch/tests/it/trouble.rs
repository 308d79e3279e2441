//! Who is busy or failing is left in peace.

use crate::world::{fetcher, get_once, plain, settings};
use fetch::{Fetcher, Limits, Request, Settings};
use jiff::{SignedDuration, Timestamp};
use model::{Manners, Outcome};
use std::time::Duration;
use testkit::site::{Answer, Site};

async fn busy_for(fetcher: &Fetcher, answer: Answer) -> (u16, SignedDuration) {
    let site = Site::start(move |_| answer.clone()).await;
    let reply = get_once(fetcher, &site.url("/")).await;
    let Outcome::Busy { status, until } = reply.outcome else { panic!("{:?}", reply.outcome) };
    assert_eq!(fetcher.manners("127.0.0.1").unwrap().not_before, Some(until));
    (status, until.duration_since(reply.ended_at))
}

#[tokio::test]
async fn retry_after_is_kept() {
    for status in [429, 503] {
        let answer = Answer::status(status).header("retry-after", "7200");
        let (said, wait) = busy_for(&fetcher(settings()), answer).await;
        assert_eq!(said, status);
        assert!((7_100..=7_200).contains(&wait.as_secs()), "{wait:?}");
    }
}

#[tokio::test]
async fn retry_after_as_a_date_counts_from_the_servers_own_clock() {
    let answer = Answer::status(503)
        .header("date", "Fri, 05 Mar 2027 10:00:00 GMT")
        .header("retry-after", "Fri, 05 Mar 2027 11:00:00 GMT");
    let (_, wait) = busy_for(&fetcher(settings()), answer).await;
    assert!((3_500..=3_600).contains(&wait.as_secs()), "{wait:?}");
}

#[tokio::test]
async fn nobody_can_send_us_away_for_more_than_a_day() {
    let (_, wait) =
        busy_for(&fetcher(settings()), Answer::status(429).header("retry-after", "99999999")).await;
    assert!(wait <= SignedDuration::from_hours(24));
}

#[tokio::test]
async fn without_retry_after_the_wait_doubles() {
    let fetcher = fetcher(settings());
    for expected in [60.0, 120.0, 240.0] {
        // The next request itself waits for the back-off to be over.
        let (_, wait) = busy_for(&fetcher, Answer::status(429)).await;
        assert!((expected * 0.8..=expected * 1.1).contains(&wait.as_secs_f64()), "{wait:?}");
    }
    assert_eq!(fetcher.manners("127.0.0.1").unwrap().troubles, 3);
}

#[tokio::test]
async fn one_page_that_never_ends_does_not_stop_its_host_and_three_in_a_row_do() {
    let site = Site::start(|asked| match asked.path.as_str() {
        "/fine" => Answer::html("x"),
        "/broken" => Answer::status(500),
        _ => Answer::html("x").after(Duration::from_secs(9)),
    })
    .await;
    let limits = Limits { first_byte: Duration::from_millis(50), ..Limits::default() };
    let fetcher = fetcher(Settings { limits, ..settings() });
    let troubles = async |path: &str| {
        get_once(&fetcher, &site.url(path)).await;
        fetcher.manners("127.0.0.1").unwrap().troubles
    };
    for path in ["/tarpit", "/broken", "/fine", "/fine", "/fine", "/tarpit", "/broken"] {
        assert_eq!(troubles(path).await, 0, "{path}");
    }
    assert_eq!(troubles("/broken").await, 1);
    assert_eq!(troubles("/tarpit").await, 2, "after a rest, the next failure is enough");
}

#[tokio::test]
async fn who_fails_every_second_time_is_left_in_peace_at_last() {
    let site =
        Site::start(|asked| if asked.path == "/a" { Answer::status(502) } else { Answer::html("x") }).await;
    let fetcher = fetcher(settings());
    for _ in 0..5 {
        get_once(&fetcher, &site.url("/a")).await;
        get_once(&fetcher, &site.url("/b")).await;
    }
    assert_eq!(fetcher.manners("127.0.0.1").unwrap().troubles, 1);
}

#[tokio::test]
async fn a_missing_page_is_no_trouble() {
    let site = Site::start(|_| Answer::status(404)).await;
    let fetcher = fetcher(settings());
    get_once(&fetcher, &site.url("/")).await;
    assert_eq!(fetcher.manners("127.0.0.1"), Some(Manners::default()));
}

#[tokio::test]
async fn a_restored_block_holds() {
    let site = Site::start(|_| Answer::html("x")).await;
    let fetcher = fetcher(settings());
    let until = Timestamp::now() + SignedDuration::from_hours(24 * 30);
    let blocked = Manners { not_before: Some(until), troubles: 3, ..Manners::default() };
    fetcher.restore("127.0.0.1", blocked);
    // An older snapshot does not lift it.
    fetcher.restore("127.0.0.1", Manners::default());
    assert_eq!(fetcher.earliest("127.0.0.1"), until);
    let url = site.url("/");
    let reply = fetcher.session().get(&Request { patience: Duration::from_hours(1), ..plain(&url) }).await;
    assert_eq!(reply.outcome, Outcome::Busy { status: fetch::OWN_MANNERS, until });
    assert_eq!(site.connections(), 0);
}
