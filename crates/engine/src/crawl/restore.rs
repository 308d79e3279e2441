//! The mind of a crawl that goes on, from its rows.

use super::desk::{Hits, Tries};
use discovery::crawl::{Crawl, CrawlError, CrawlSettings, SpotState, StoredUrl};
use discovery::ontology::Topic;
use model::CrawlId;
use std::collections::HashMap;
use store::{CrawlUrl, Store, StoreError, UrlState};
use tokio::sync::mpsc;

/// Rows read at a time: memory holds two such pieces, however many URLs are known.
const PIECE: usize = 5_000;

/// A mind as it was, and what else rows tell.
pub(super) struct Restored {
    pub(super) mind: Crawl,
    /// How often each URL was asked for in vain.
    pub(super) tries: HashMap<u32, Tries>,
    /// Pages read, by the name of their host.
    pub(super) hits: HashMap<String, Hits>,
}

pub(super) async fn restore(
    store: &Store,
    crawl: CrawlId,
    topic: Topic,
    settings: CrawlSettings,
    soft: Option<String>,
) -> Result<Result<Restored, CrawlError>, StoreError> {
    let (sender, mut pieces) = mpsc::channel::<Vec<CrawlUrl>>(1);
    let building = tokio::task::spawn_blocking(move || {
        let (mut tries, mut hits) = (HashMap::new(), HashMap::<String, Hits>::new());
        let rows = std::iter::from_fn(|| pieces.blocking_recv()).flatten();
        let urls = rows.map(|row| {
            if row.tries > 0 {
                tries.insert(row.spot, Tries { count: row.tries, asked_to_wait: true });
            }
            if let Some((_, on_topic)) = row.page
                && let Some(host) = model::host_name(&row.url)
            {
                hits.entry(host).or_default().add(on_topic);
            }
            stored(row)
        });
        // Soft state that cannot be read is lost, as after a crash before the first snapshot.
        let soft = soft.and_then(|text| serde_json::from_str(&text).ok());
        let mind = Crawl::restore(topic, settings, urls, soft)?;
        Ok(Restored { mind, tries, hits })
    });
    let mut from = 0;
    loop {
        let piece = store.crawl_urls(crawl, from, PIECE).await?;
        let Some(last) = piece.last() else { break };
        from = last.spot + 1;
        if sender.send(piece).await.is_err() {
            break;
        }
    }
    drop(sender);
    building.await.map_err(|_| StoreError::Panicked).map(|built: Result<Restored, CrawlError>| built)
}

fn stored(row: CrawlUrl) -> StoredUrl {
    StoredUrl {
        url: row.url,
        depth: row.depth,
        priority: row.priority,
        state: match row.state {
            UrlState::Waiting => SpotState::Waiting,
            UrlState::Resting => SpotState::Resting,
            UrlState::Fetched => SpotState::Fetched,
            UrlState::Redirected => SpotState::Redirected,
            UrlState::Dropped => SpotState::Dropped,
        },
        parent: row.parent.map(discovery::crawl::Spot),
        anchor: row.anchor,
        page: row.page,
        retry_at: row.not_before,
    }
}
