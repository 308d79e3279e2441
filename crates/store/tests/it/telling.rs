//! Channels and deliveries: what is due, what waits, what is forgotten.

use crate::shop::{Shop, at};
use model::{ChannelId, DeliveryId};
use serde_json::json;
use std::time::Duration;
use store::{
    ChannelSettings, DeliveryFilter, DeliveryState, Hidden, Message, Retention, Rhythm, StoreError, Target,
    Tried,
};

pub(crate) fn settings(name: &str) -> ChannelSettings {
    ChannelSettings {
        name: name.into(),
        target: Target::Webhook { url: "https://a.example/".parse().unwrap(), secret: Hidden::new("s") },
        wants: vec!["event_opened".into()],
        folders: Vec::new(),
        rhythm: Rhythm::AtOnce,
        quiet: None,
        zone: "UTC".into(),
        enabled: true,
    }
}

pub(crate) fn message(n: i64) -> Message {
    Message {
        key: format!("event:{n}"),
        kind: "event_opened".into(),
        payload: json!({"event": n}),
        created_at: at(n),
    }
}

async fn states(shop: &Shop) -> Vec<(i64, DeliveryState)> {
    let all = DeliveryFilter { limit: 100, ..DeliveryFilter::default() };
    shop.store.deliveries(all).await.unwrap().into_iter().map(|one| (one.id.0, one.state)).collect()
}

fn again(second: i64, channel_waits: bool) -> Tried {
    Tried::Again { at: at(second), error: "no".into(), status: None, channel_waits }
}

#[tokio::test]
async fn a_failing_channel_waits_as_a_whole_and_a_failing_message_alone() {
    let shop = Shop::new();
    let store = &shop.store;
    let id = store.add_channel(settings("a"), at(0)).await.unwrap();
    store.post_messages(vec![message(1), message(2)]).await.unwrap();
    assert_eq!(store.due_channels("worker", at(0)).await.unwrap(), [], "not before they are written");
    assert_eq!(store.due_channels("worker", at(5)).await.unwrap(), [(id, false)]);
    let first = store.next_dispatch(id, "worker", at(5), at(5 + 60)).await.unwrap().unwrap();
    assert_eq!((first.key.as_str(), first.messages.len()), ("event:1", 1));
    store.record_try(&first, again(60, false), at(5)).await.unwrap();
    let second = store.next_dispatch(id, "worker", at(5), at(5 + 60)).await.unwrap().unwrap();
    assert_eq!(second.key, "event:2", "the next one is tried all the same");
    store.record_try(&second, again(60, true), at(5)).await.unwrap();
    assert!(store.next_dispatch(id, "worker", at(59), at(59 + 60)).await.unwrap().is_none());
    // A restart changes nothing.
    let shop = shop.reopened();
    let store = &shop.store;
    assert_eq!(store.due_channels("worker", at(60)).await.unwrap(), [(id, true)]);
    let channel = store.channel(id).await.unwrap();
    assert_eq!((channel.failures, channel.failing_since, channel.retry_at), (2, Some(at(5)), Some(at(60))));
    let first = store.next_dispatch(id, "worker", at(60), at(60 + 60)).await.unwrap().unwrap();
    assert_eq!((first.tries, first.first_try_at), (1, Some(at(5))));
    store.record_try(&first, Tried::Delivered { status: Some(200) }, at(60)).await.unwrap();
    let channel = store.channel(id).await.unwrap();
    assert_eq!((channel.failures, channel.retry_at, channel.last_delivered_at), (0, None, Some(at(60))));
    let second = store.next_dispatch(id, "worker", at(60), at(60 + 60)).await.unwrap().unwrap();
    store
        .record_try(&second, Tried::GivenUp { error: "gone".into(), status: Some(410) }, at(61))
        .await
        .unwrap();
    assert_eq!(states(&shop).await, [(2, DeliveryState::GivenUp), (1, DeliveryState::Delivered)]);
    store.retry_delivery(DeliveryId(2), at(70)).await.unwrap();
    assert_eq!(store.next_dispatch(id, "worker", at(70), at(70 + 60)).await.unwrap().unwrap().key, "event:2");
    let refused = store.retry_delivery(DeliveryId(1), at(70)).await;
    assert!(matches!(refused, Err(StoreError::NotFound { .. })), "what was delivered is not sent again");
}

#[tokio::test]
async fn a_mended_channel_is_tried_at_once_and_a_paused_one_not_at_all() {
    let shop = Shop::new();
    let store = &shop.store;
    let id = store.add_channel(settings("a"), at(0)).await.unwrap();
    store.post_messages(vec![message(1)]).await.unwrap();
    let dispatch = store.next_dispatch(id, "worker", at(5), at(5 + 60)).await.unwrap().unwrap();
    store.record_try(&dispatch, again(3600, true), at(5)).await.unwrap();
    store.set_channel(id, ChannelSettings { enabled: false, ..settings("b") }, at(10)).await.unwrap();
    assert_eq!(store.due_channels("worker", at(4000)).await.unwrap(), []);
    store.set_channel(id, settings("b"), at(20)).await.unwrap();
    assert_eq!(store.due_channels("worker", at(20)).await.unwrap(), [(id, false)]);
    store.add_channel(settings("c"), at(20)).await.unwrap();
    let taken = store.set_channel(id, settings("c"), at(20)).await;
    assert!(matches!(taken, Err(StoreError::NameTaken { .. })));
    store.remove_channel(id).await.unwrap();
    assert!(states(&shop).await.is_empty());
    assert!(matches!(store.remove_channel(id).await, Err(StoreError::NotFound { .. })));
    assert!(matches!(store.post_test(ChannelId(99), at(0), at(0)).await, Err(StoreError::NotFound { .. })));
}

#[tokio::test]
async fn old_messages_are_forgotten_unless_they_wait() {
    let shop = Shop::new();
    let store = &shop.store;
    let id = store.add_channel(settings("a"), at(0)).await.unwrap();
    store.post_messages(vec![message(1), message(2), message(1000)]).await.unwrap();
    let dispatch = store.next_dispatch(id, "worker", at(5), at(5 + 60)).await.unwrap().unwrap();
    store.record_try(&dispatch, Tried::Delivered { status: None }, at(5)).await.unwrap();
    let keep = Retention {
        articles: None,
        visits: None,
        page_bytes: None,
        messages: Some(Duration::from_secs(500)),
    };
    assert_eq!(store.enforce_retention(keep, at(1000)).await.unwrap().messages, 1);
    assert_eq!(states(&shop).await, [(3, DeliveryState::Waiting), (2, DeliveryState::Waiting)]);
}

#[tokio::test]
async fn a_channel_is_served_by_one_worker_at_a_time() {
    let shop = Shop::new();
    let store = &shop.store;
    let id = store.add_channel(settings("a"), at(0)).await.unwrap();
    store.post_messages(vec![message(1)]).await.unwrap();
    assert!(store.next_dispatch(id, "one", at(2), at(60)).await.unwrap().is_some());
    assert!(store.due_channels("two", at(3)).await.unwrap().is_empty());
    assert!(store.next_dispatch(id, "two", at(3), at(63)).await.unwrap().is_none());
    assert_eq!(store.due_channels("two", at(60)).await.unwrap(), [(id, false)], "one is silent for too long");
    store.leave_channel(id, "one").await.unwrap();
    assert!(store.next_dispatch(id, "two", at(4), at(64)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_late_word_about_a_try_does_not_take_back_what_was_delivered() {
    let shop = Shop::new();
    let store = &shop.store;
    let id = store.add_channel(settings("a"), at(0)).await.unwrap();
    store.post_messages(vec![message(1)]).await.unwrap();
    let late = store.next_dispatch(id, "one", at(2), at(60)).await.unwrap().unwrap();
    let other = store.next_dispatch(id, "two", at(61), at(120)).await.unwrap().unwrap();
    assert_eq!(late.key, other.key, "however often it is sent, it has one name");
    store.record_try(&other, Tried::Delivered { status: Some(200) }, at(62)).await.unwrap();
    store.record_try(&late, again(300, false), at(63)).await.unwrap();
    assert_eq!(states(&shop).await, [(1, DeliveryState::Delivered)]);
}
