//! The live stream, and stopping.

use crate::client::open;
use crate::world::World;
use http_body_util::BodyExt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_change_is_told_at_most_twice_a_second() {
    let world = World::open().await;
    let mut stream = open(world.address, "GET", "/api/v1/stream", &[], "").await.into_body();
    let (began, mut told) = (Instant::now(), 0);
    world.published.store(8, Ordering::Relaxed);
    world.watch("/feed.xml").await;
    while began.elapsed() < Duration::from_secs(2) {
        let frame = tokio::time::timeout(Duration::from_millis(300), stream.frame()).await;
        if let Ok(Some(Ok(frame))) = frame {
            let text = String::from_utf8_lossy(frame.data_ref().unwrap()).into_owned();
            assert!(text.contains("event: change"), "{text}");
            told += 1;
        }
    }
    assert!((1..=5).contains(&told), "{told} events in two seconds");
}

#[tokio::test]
async fn streams_end_and_the_server_stops() {
    let world = World::open().await;
    let mut stream = open(world.address, "GET", "/api/v1/stream", &[], "").await.into_body();
    let took = tokio::spawn(world.stop());
    let ended = tokio::time::timeout(Duration::from_secs(2), async {
        while stream.frame().await.is_some_and(|frame| frame.is_ok()) {}
    });
    ended.await.expect("the stream ends");
    assert!(took.await.unwrap() < Duration::from_millis(900), "at once, not by running out of patience");
}

#[tokio::test]
async fn a_slow_client_does_not_hold_up_the_stop() {
    let world = World::open().await;
    let mut slow = tokio::net::TcpStream::connect(world.address).await.unwrap();
    tokio::io::AsyncWriteExt::write_all(
        &mut slow,
        b"POST /login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n",
    )
    .await
    .unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(world.stop().await < Duration::from_millis(1500));
}
