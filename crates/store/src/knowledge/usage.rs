//! What rules are good for: how often they filed, were confirmed and were overturned.

use crate::database::Connection;
use crate::{Store, StoreError};
use jiff::Timestamp;
use knowledge::{RuleTree, Usage};
use model::RuleId;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Counting reads every filing: pages share one count for this long, unless something was taught or confirmed.
const COUNTED_FOR: Duration = Duration::from_secs(5);

/// The last count.
#[derive(Debug)]
pub(super) struct Counted {
    at: Instant,
    version: i64,
    usage: Arc<HashMap<RuleId, Usage>>,
}

impl Store {
    /// The use of every rule, by the articles as they were filed a few seconds ago.
    pub async fn rule_usage(&self) -> Result<Arc<HashMap<RuleId, Usage>>, StoreError> {
        let known = self.inner.known.clone();
        self.read(move |connection| {
            let state = known.for_reading(connection)?;
            if let Some(counted) = known.counted().as_ref()
                && counted.version == state.version
                && counted.at.elapsed() < COUNTED_FOR
            {
                return Ok(counted.usage.clone());
            }
            let mut usage = records(connection)?;
            count_concluded(connection, &mut usage)?;
            count_fired(state.base.tree(), &mut usage);
            let usage = Arc::new(usage);
            let counted = Counted { at: Instant::now(), version: state.version, usage: usage.clone() };
            *known.counted() = Some(counted);
            Ok(usage)
        })
        .await
    }
}

fn records(connection: &Connection) -> Result<HashMap<RuleId, Usage>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT id, confirmed, overturned FROM rule WHERE undone = 0")?;
    let rows = statement.query_map([], |row| {
        let (confirmed, overturned): (i64, i64) = (row.get(1)?, row.get(2)?);
        let usage = Usage {
            confirmed: confirmed.unsigned_abs(),
            overturned: overturned.unsigned_abs(),
            ..Usage::default()
        };
        Ok((RuleId(row.get(0)?), usage))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn count_concluded(connection: &Connection, usage: &mut HashMap<RuleId, Usage>) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT u.rule_id, u.articles, a.first_seen_at
         FROM (SELECT rule_id, count(*) AS articles, max(article_id) AS last FROM filing GROUP BY rule_id) u
         JOIN article a ON a.id = u.last",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if let Some(usage) = usage.get_mut(&RuleId(row.get(0)?)) {
            usage.concluded = row.get::<_, i64>(1)?.unsigned_abs();
            usage.last_used = Timestamp::from_millisecond(row.get(2)?).ok();
        }
    }
    Ok(())
}

/// A rule fires wherever it or a rule below it is live. An article under two branches is counted twice here: an upper
/// bound, without looking at every article.
fn count_fired(tree: &RuleTree, usage: &mut HashMap<RuleId, Usage>) {
    for rule in tree.rules().iter().rev() {
        let below: u64 =
            tree.children(rule.id).filter_map(|child| usage.get(&child.id)).map(|usage| usage.fired).sum();
        let last = tree.children(rule.id).filter_map(|child| usage.get(&child.id)?.last_used).max();
        if let Some(usage) = usage.get_mut(&rule.id) {
            usage.fired = usage.concluded + below;
            usage.last_used = usage.last_used.max(last);
        }
    }
}
