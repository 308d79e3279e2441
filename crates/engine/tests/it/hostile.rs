//! Every hostile server of the testkit as a source, at once: each gets its own outcome within its limits, and
//! the others are visited on time.

use crate::lab::{Lab, list_page, until};
use model::FailureKind;
use model::Outcome;
use std::time::Duration;
use testkit::hostile::Hostile;
use testkit::site::{Answer, Site};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_sites_get_their_outcome_and_the_others_are_visited_all_the_same() {
    let hostile = Hostile::start().await;
    let good = Site::start(|_| {
        Answer::html(list_page(&[
            "A quiet day at the harbour of Vantoria",
            "Second story of this fine day",
            "Rowers prepare for the spring cup",
        ]))
    })
    .await;
    let mut lab = Lab::new();
    lab.fetch.extra_roots = vec![hostile.root()];
    lab.fetch.limits = testkit_limits();
    let good_id = lab.add(&good.url("/")).await;
    let mut cases = Vec::new();
    for case in &hostile.cases {
        cases.push((lab.add(&case.url).await, case));
    }
    let engine = lab.start().await;
    let visited = async || {
        for (id, _) in &cases {
            if lab.source(*id).await.state.last_visit_at.is_none() {
                return false;
            }
        }
        true
    };
    until("all hostile sources were visited", visited).await;
    let before = good.log().len();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(good.log().len() > before, "the good site is still being visited");
    engine.stop().await;
    let mut wrong = Vec::new();
    for (id, case) in &cases {
        let visits = lab.store.visits_of(*id, 50).await.unwrap();
        let outcome = &visits.last().unwrap().outcome;
        // What a page says is judged by the reader, not by the fetcher: a bomb is seen when it is unpacked.
        let read_later = matches!(
            outcome,
            Outcome::Truncated { .. }
                | Outcome::Failed { kind: FailureKind::Decoding | FailureKind::Empty, .. }
        );
        if !(case.expected)(outcome) && !read_later {
            wrong.push(format!("{}: {outcome}", case.name));
        }
        if let Some(new) = visits.iter().find(|visit| visit.new > 0) {
            wrong.push(format!("{}: brought {} articles", case.name, new.new));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(lab.source(good_id).await.state.articles, 3);
}

/// The same limits, smaller: the test need not take minutes.
fn testkit_limits() -> fetch::Limits {
    fetch::Limits {
        body_bytes: 2 << 20,
        connect: Duration::from_secs(1),
        first_byte: Duration::from_secs(1),
        idle: Duration::from_secs(1),
        total: Duration::from_secs(3),
        ..fetch::Limits::default()
    }
}
