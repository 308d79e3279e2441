//! Reading one article's page: its own deed, after the listing that found it.

use crate::reading;
use crate::status::Counters;
use crate::turn::{Step, Turn};
use fetch::{Accept, Reply, Request};
use jiff::{SignedDuration, Timestamp};
use model::Outcome;
use page::urls;
use store::{BodyRecord, DueBody, StoreError};

/// Before the second try; each further one waits six times as long: 10 min, 1 h, 6 h.
const FIRST_RETRY: SignedDuration = SignedDuration::from_mins(10);

/// Reads an article's page.
pub(crate) async fn read(turn: &mut Turn<'_>, due: DueBody) -> Result<Step, StoreError> {
    let request = Request {
        url: &due.url,
        validators: None,
        accept: Accept::Html,
        headers: &[],
        patience: turn.patience(),
    };
    let Some(reply) = turn.get(&request).await else {
        return Ok(Step::GiveBack);
    };
    let record = look(turn, &due, reply).await;
    let was_read = record.read.is_some();
    match turn.worker.store.record_body(record).await {
        Ok(recorded) => {
            turn.done();
            turn.worker.react(&recorded.events, recorded.triggered).await;
            Counters::add(&turn.worker.counters.bodies, was_read.into());
            turn.worker.announce();
            Ok(Step::Next)
        }
        // Removed while it was being read.
        Err(StoreError::NotFound { .. }) => Ok(Step::Next),
        Err(error) => Err(error),
    }
}

async fn look(turn: &mut Turn<'_>, due: &DueBody, reply: Reply) -> BodyRecord {
    let robots = turn.robots();
    let after = turn.after(&reply.outcome, &robots);
    let mut record = BodyRecord {
        lease: turn.lease.clone(),
        article_id: due.article_id,
        outcome: reply.outcome,
        read: None,
        page: None,
        retry_at: None,
        robots,
        after,
    };
    if let (Outcome::NewContent, Some(response)) = (&record.outcome, reply.response) {
        match reading::article(turn.worker, response, reply.final_url.clone()).await {
            Ok((mut read, page)) => {
                // A shortened or tracking link: the article lives where it led.
                if read.canonical.is_none() && !reply.redirects.is_empty() && reply.final_url.path() != "/" {
                    read.canonical = Some(urls::normalise(&reply.final_url));
                }
                record.read = Some(read);
                record.page = Some(page);
            }
            Err(outcome) => record.outcome = outcome,
        }
    }
    if record.read.is_none() {
        record.retry_at =
            retry_at(&record.outcome, due.tries + 1, turn.worker.settings.body_tries, turn.now());
    }
    record
}

/// What may pass is worth another try; missing pages and the gate's refusals are final.
fn retry_at(outcome: &Outcome, tries: u32, most: u32, now: Timestamp) -> Option<Timestamp> {
    if tries >= most {
        return None;
    }
    let wait = FIRST_RETRY.checked_mul(6_i32.saturating_pow(tries - 1)).unwrap_or(FIRST_RETRY);
    let later = now.checked_add(wait).ok()?;
    match outcome {
        Outcome::Busy { until, .. } => Some((*until).max(later)),
        // A robots.txt that could not be read refuses for an hour; asking again costs nothing while it is known.
        Outcome::Failed { .. } | Outcome::RefusedByRobots { .. } => Some(later),
        _ => None,
    }
}
