//! How a crawl goes, on one line of a terminal.

use crate::console;
use model::CrawlId;
use std::time::Duration;
use store::{CrawlInfo, CrawlPhase, Store};

/// Returns when the crawl has ended.
pub(super) async fn progress(store: &Store, id: CrawlId) {
    let mut line = console::StatusLine::default();
    loop {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let Ok(info) = store.crawl(id).await else { continue };
        if info.phase != CrawlPhase::Running {
            line.end();
            return;
        }
        line.show(&in_words(&info));
    }
}

/// One line: pages, harvest; while it runs also speed, frontier, and why it is idle.
pub(super) fn in_words(info: &CrawlInfo) -> String {
    let (pages, harvest) = (info.settings.pages, 100.0 * info.harvest());
    let done =
        format!("{} of {pages} pages, {} relevant (harvest {harvest:.0} %)", info.fetched, info.relevant);
    if info.phase != CrawlPhase::Running {
        return done;
    }
    let Some(progress) = &info.progress else { return done };
    let idle = if progress.idle.is_empty() { String::new() } else { format!("; idle: {}", progress.idle) };
    format!(
        "{done}, {:.1} pages/s, {} URLs wait on {} hosts{idle}",
        progress.pages_per_second, progress.waiting, progress.hosts
    )
}
