//! The harvest curve: how many of the first n pages were on the topic.

use crate::{Store, StoreError};
use model::CrawlId;
use rusqlite::params;

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CrawlPoint {
    /// Pages read so far.
    pub pages: u64,
    /// Those on the topic.
    pub relevant: u64,
}

impl Store {
    /// The harvest curve in at most about `points` points, from the first page to the last.
    pub async fn crawl_curve(&self, crawl: CrawlId, points: usize) -> Result<Vec<CrawlPoint>, StoreError> {
        self.read(move |connection| {
            let mut statement = connection
                .prepare_cached("SELECT on_topic FROM crawl_page WHERE crawl_id = ?1 ORDER BY id")?;
            let hits: Vec<bool> =
                statement.query_map(params![crawl.0], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let step = (hits.len() / points.max(1)).max(1) as u64;
            let (mut curve, mut relevant) = (Vec::new(), 0);
            for (pages, hit) in (1..).zip(&hits) {
                relevant += u64::from(*hit);
                if pages % step == 0 || pages == hits.len() as u64 {
                    curve.push(CrawlPoint { pages, relevant });
                }
            }
            Ok(curve)
        })
        .await
    }
}
