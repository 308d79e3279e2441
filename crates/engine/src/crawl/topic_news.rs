//! What people do to a topic reaches the crawls that run on it: words from a database, lessons taken back.

use super::Run;
use jiff::Timestamp;
use store::StoreError;

/// Looks whether the topic was changed since it was looked at last.
pub(super) async fn take_in(run: &Run, known: &mut Option<Timestamp>) -> Result<(), StoreError> {
    let Some(news) = run.worker.store.topic_news(run.id, *known).await? else { return Ok(()) };
    *known = Some(news.changed_at);
    let grown = {
        let mut desk = run.desk();
        for lesson in news.undone {
            desk.mind.undo(lesson);
        }
        let is_new = desk.mind.given().ontology != news.given.ontology;
        is_new.then(|| {
            let gain = desk.mind.absorb(&news.given.ontology);
            tracing::info!(crawl = %run.id, %gain, "the topic has grown while the crawl goes on");
            desk.mind.given().clone()
        })
    };
    match grown {
        Some(topic) => run.worker.store.save_crawl_topic(run.id, topic).await,
        None => Ok(()),
    }
}
