//! `notify`: the ways people are told.

mod add;

use crate::cli::{ChannelRef, Notify};
use crate::config::Config;
use crate::console;
use crate::context::{DataLock, idle_engine, open_store};
use crate::words::{maybe_when, when};
use anyhow::Context;
use jiff::Timestamp;
use model::ChannelId;
use serde::Serialize;
use std::time::{Duration, Instant};
use store::{Channel, DeliveryFilter, DeliveryInfo, DeliveryState, Store, StoreError, Target};

/// How long to wait for a running monitor to send a test: longer than any try takes.
const WAIT: Duration = Duration::from_secs(90);

pub(crate) async fn run(config: Config, command: Notify, json: bool) -> anyhow::Result<()> {
    let store = open_store(&config)?;
    match command {
        Notify::List => list(&store, json).await,
        Notify::Add(command) => add::run(config, store, *command, json).await,
        Notify::Remove { channels } => {
            for channel in channels {
                store.remove_channel(find(&store, &channel).await?.id).await?;
            }
            console::note("removed");
            Ok(())
        }
        Notify::Test { channel, allow } => {
            let mut config = config;
            config.allow(&allow);
            test(&config, &store, channel.as_ref(), json).await
        }
        Notify::Deliveries { channel, state, limit } => {
            let channel = match channel {
                Some(channel) => Some(find(&store, &channel).await?.id),
                None => None,
            };
            let state = state.as_deref().and_then(DeliveryState::from_word);
            let filter = DeliveryFilter { channel, state, limit };
            deliveries(&store.deliveries(filter).await?, json)
        }
        Notify::Retry { delivery } => {
            // Due whatever clock a running monitor goes by.
            store.retry_delivery(delivery, Timestamp::UNIX_EPOCH).await?;
            console::note("it is tried again as soon as `ripplewatch serve` runs");
            Ok(())
        }
    }
}

async fn find(store: &Store, meant: &ChannelRef) -> anyhow::Result<Channel> {
    match meant {
        ChannelRef::Id(id) => Ok(store.channel(*id).await?),
        ChannelRef::Name(name) => {
            let found = store.channels().await?.into_iter().find(|channel| channel.settings.name == *name);
            found.ok_or_else(|| StoreError::NotFound { what: format!("channel called “{name}”") }.into())
        }
    }
}

/// A channel for machines, without its secrets.
#[derive(Debug, Serialize)]
struct ChannelRow {
    id: ChannelId,
    name: String,
    kind: &'static str,
    target: String,
    wants: Vec<String>,
    folders: Vec<model::FolderId>,
    rhythm: String,
    quiet: Option<String>,
    zone: String,
    enabled: bool,
    failing_since: Option<Timestamp>,
    last_error: Option<String>,
    last_delivered_at: Option<Timestamp>,
    /// Only when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl ChannelRow {
    fn of(channel: &Channel, reveal: bool) -> Self {
        let settings = &channel.settings;
        let secret = match &settings.target {
            Target::Webhook { secret, .. } if reveal => Some(secret.reveal().to_owned()),
            _ => None,
        };
        Self {
            id: channel.id,
            name: settings.name.clone(),
            kind: settings.target.word(),
            target: settings.target.to_string(),
            wants: settings.wants.clone(),
            folders: settings.folders.clone(),
            rhythm: settings.rhythm.to_string(),
            quiet: settings.quiet.map(|quiet| quiet.to_string()),
            zone: settings.zone.clone(),
            enabled: settings.enabled,
            failing_since: channel.failing_since,
            last_error: channel.last_error.clone(),
            last_delivered_at: channel.last_delivered_at,
            secret,
        }
    }
}

async fn list(store: &Store, json: bool) -> anyhow::Result<()> {
    let channels: Vec<_> =
        store.channels().await?.iter().map(|channel| ChannelRow::of(channel, false)).collect();
    if json {
        return console::json(&channels);
    }
    if channels.is_empty() {
        console::hint(
            "nobody is told: add a channel with `ripplewatch notify add webhook URL` or `notify add mail ADDRESS …`",
        );
        return Ok(());
    }
    let now = Timestamp::now();
    let row = |channel: &ChannelRow| {
        let standing = match (channel.enabled, channel.failing_since) {
            (false, _) => "paused".into(),
            (true, Some(since)) => {
                format!(
                    "failing since {}: {}",
                    when(since, now),
                    channel.last_error.as_deref().unwrap_or_default()
                )
            }
            (true, None) => "fine".to_owned(),
        };
        vec![
            channel.id.to_string(),
            channel.name.clone(),
            format!("{} {}", channel.kind, channel.target),
            channel.rhythm.clone(),
            maybe_when(channel.last_delivered_at, now),
            standing,
        ]
    };
    let rows: Vec<_> = channels.iter().map(row).collect();
    console::table(&["id", "name", "to", "rhythm", "last told", "state"], &rows);
    Ok(())
}

/// What came of a test.
#[derive(Debug, Serialize)]
struct TestRow {
    channel: ChannelId,
    name: String,
    delivered: bool,
    status: Option<u16>,
    error: Option<String>,
}

async fn test(
    config: &Config,
    store: &Store,
    channel: Option<&ChannelRef>,
    json: bool,
) -> anyhow::Result<()> {
    let channels = match channel {
        Some(channel) => vec![find(store, channel).await?],
        None => store.channels().await?,
    };
    anyhow::ensure!(
        !channels.is_empty(),
        "there is no channel to test: add one with `ripplewatch notify add`"
    );
    // Who delivers holds the data: this process, or the one that is running.
    let lock = DataLock::take(config, store, |_| true).await?;
    let mut rows = Vec::new();
    for channel in channels {
        let tested = match lock {
            Some(_) => idle_engine(config, store.clone()).await?.test_channel(channel.id).await?,
            None => ask_the_running_one(store, channel.id).await?,
        };
        rows.push(TestRow {
            channel: channel.id,
            name: channel.settings.name,
            delivered: tested.state == DeliveryState::Delivered,
            status: tested.last_status,
            error: tested.last_error,
        });
    }
    if json {
        console::json(&rows)?;
    } else {
        for row in &rows {
            let said =
                if row.delivered { "delivered" } else { row.error.as_deref().unwrap_or("not delivered") };
            console::line(&format!("{}: {said}", row.name));
        }
    }
    let failed = rows.iter().filter(|row| !row.delivered).count();
    anyhow::ensure!(failed == 0, "{failed} of {} tests failed", rows.len());
    Ok(())
}

/// A running `serve` has the data: leave the test to it and see how it ends.
async fn ask_the_running_one(store: &Store, channel: ChannelId) -> anyhow::Result<DeliveryInfo> {
    // Due whatever clock the other one goes by.
    let id = store.post_test(channel, Timestamp::now(), Timestamp::UNIX_EPOCH).await?;
    let began = Instant::now();
    while began.elapsed() < WAIT {
        let delivery = store.delivery(id).await?;
        if delivery.state != DeliveryState::Waiting {
            return Ok(delivery);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(anyhow::anyhow!("see `ripplewatch notify deliveries`"))
        .context("the running monitor has not sent the test")
}

fn deliveries(deliveries: &[DeliveryInfo], json: bool) -> anyhow::Result<()> {
    if json {
        return console::json(&deliveries);
    }
    let now = Timestamp::now();
    let row = |delivery: &DeliveryInfo| {
        let state = match (delivery.state, delivery.due_at) {
            (DeliveryState::Waiting, Some(due)) if due <= now => "waiting, next try now".into(),
            (DeliveryState::Waiting, Some(due)) => format!("waiting, next try {}", when(due, now)),
            (state, _) => state.word().replace('_', " "),
        };
        vec![
            delivery.id.to_string(),
            delivery.channel.clone(),
            delivery.message.key.clone(),
            when(delivery.message.created_at, now),
            delivery.tries.to_string(),
            state,
            delivery.last_error.clone().unwrap_or_default(),
        ]
    };
    let rows: Vec<_> = deliveries.iter().map(row).collect();
    console::table(&["id", "channel", "message", "written", "tries", "state", "error"], &rows);
    Ok(())
}
