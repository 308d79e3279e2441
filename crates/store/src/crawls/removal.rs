//! Forgetting a crawl, piece by piece: others write in between.

use crate::database::{Connection, OptionalExtension, params};
use crate::{Store, StoreError};
use model::CrawlId;

/// Rows removed in one transaction.
const SLICE: i64 = 2_000;

/// The phase of a crawl that is being forgotten. It is not one of people's: whoever reads it sees a finished one.
const REMOVING: &str = "removing";

impl Store {
    /// Forgets a crawl and all it found; false if there is none. Files stay. If it is interrupted, the crawl stays with
    /// what is left of it, cannot go on, and can be forgotten again.
    pub async fn remove_crawl(&self, id: CrawlId) -> Result<bool, StoreError> {
        let begun = self
            .write(move |connection| {
                // Whoever runs it is refused from now on.
                let begun = connection.execute(
                    "UPDATE crawl SET phase = ?2, why = 'half forgotten: forget it again', epoch = epoch + 1 WHERE id = ?1",
                    params![id.0, REMOVING],
                )?;
                Ok(begun > 0)
            })
            .await?;
        if !begun {
            return Ok(false);
        }
        for sql in [
            "DELETE FROM crawl_page WHERE id IN (SELECT id FROM crawl_page WHERE crawl_id = ?1 LIMIT ?2)",
            "DELETE FROM crawl_candidate WHERE id IN (SELECT id FROM crawl_candidate WHERE crawl_id = ?1 LIMIT ?2)",
            "DELETE FROM crawl_url WHERE crawl_id = ?1 AND spot IN (SELECT spot FROM crawl_url WHERE crawl_id = ?1 LIMIT ?2)",
        ] {
            while self
                .write(move |connection| {
                    Ok(connection.prepare_cached(sql)?.execute(params![id.0, SLICE])? > 0)
                })
                .await?
            {}
        }
        self.write(move |connection| Ok(connection.execute("DELETE FROM crawl WHERE id = ?1", [id.0])? > 0))
            .await
    }
}

/// A crawl that is being forgotten is not found any more.
pub(super) fn check(connection: &Connection, id: CrawlId) -> Result<(), StoreError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM crawl WHERE id = ?1 AND phase = ?2")?;
    match statement.query_row(params![id.0, REMOVING], |_| Ok(())).optional()? {
        None => Ok(()),
        Some(()) => Err(StoreError::not_found(format!("crawl {id}: it is being forgotten"))),
    }
}
