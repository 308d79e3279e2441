//! Every way to misbehave ends in time, as what it is.

use crate::world::{PATIENT, fetcher, settings, short_limits};
use fetch::{Accept, Request, Settings};
use std::time::{Duration, Instant};
use testkit::hostile::Hostile;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_hostile_server_is_survived() {
    let hostile = Hostile::start().await;
    let settings = Settings {
        limits: short_limits(),
        extra_roots: vec![hostile.root()],
        obey_robots: true,
        ..settings()
    };
    let fetcher = fetcher(settings);
    let began = Instant::now();
    let visits: Vec<_> = hostile
        .cases
        .iter()
        .map(|case| {
            let (fetcher, url) = (fetcher.clone(), case.url.clone());
            tokio::spawn(async move {
                let request = Request {
                    url: &url,
                    validators: None,
                    accept: Accept::Html,
                    headers: &[],
                    patience: PATIENT,
                };
                let reply = fetcher.session().get(&request).await;
                (reply, began.elapsed())
            })
        })
        .collect();
    let mut failures = Vec::new();
    for (case, visit) in hostile.cases.iter().zip(visits) {
        let (reply, took) = visit.await.unwrap();
        if !(case.expected)(&reply.outcome) {
            failures.push(format!("{}: {:?}", case.name, reply.outcome));
        }
        if took > Duration::from_secs(10) {
            failures.push(format!("{}: took {took:?}", case.name));
        }
        let received = reply.response.map_or(0, |response| response.body.len());
        assert!(received <= 1 << 20, "{}: {received} bytes kept", case.name);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
