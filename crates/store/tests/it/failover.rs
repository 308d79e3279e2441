//! The server goes away and comes back in mid-load: whoever waits, waits; nothing is lost, nothing done twice.

use crate::shop::{at, new_source};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use store::{SourceFilter, Store};
use testkit::postgres::Postgres;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_restarts_in_mid_load_loses_and_doubles_nothing() {
    const WRITERS: usize = 6;
    const EACH: usize = 400;
    let mut server = Postgres::start();
    let store = Store::connect(&server.url()).unwrap();
    let done = Arc::new(AtomicUsize::new(0));
    let over = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (store, done) = (store.clone(), done.clone());
            tokio::spawn(async move {
                for n in 0..EACH {
                    let address = format!("https://site{writer}.example/{n}");
                    // Done twice, it would be refused: the source is there already.
                    store.add_sources(vec![new_source(&address)], at(0)).await.unwrap();
                    done.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let reader = {
        let (store, over) = (store.clone(), over.clone());
        tokio::spawn(async move {
            let mut last = 0;
            while !over.load(Ordering::SeqCst) {
                let page = SourceFilter { limit: 1, ..SourceFilter::default() };
                let total = store.sources_page(page).await.unwrap().total;
                assert!(total >= last, "what was committed is there");
                last = total;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
    };
    for restart in 1..=3 {
        wait_until(&done, WRITERS * EACH / 5 * restart).await;
        server = tokio::task::spawn_blocking(move || {
            server.stop();
            std::thread::sleep(Duration::from_millis(300));
            server.start_again();
            server
        })
        .await
        .unwrap();
        let back = Instant::now();
        wait_until(&done, done.load(Ordering::SeqCst) + 1).await;
        assert!(back.elapsed() < Duration::from_secs(5), "it goes on {:?} after the return", back.elapsed());
    }
    for writer in writers {
        writer.await.unwrap();
    }
    over.store(true, Ordering::SeqCst);
    reader.await.unwrap();
    let page = SourceFilter { limit: 1, ..SourceFilter::default() };
    assert_eq!(store.sources_page(page).await.unwrap().total, (WRITERS * EACH) as u64);
}

async fn wait_until(done: &AtomicUsize, wanted: usize) {
    let began = Instant::now();
    while done.load(Ordering::SeqCst) < wanted {
        assert!(began.elapsed() < Duration::from_mins(1), "nothing goes on");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}
