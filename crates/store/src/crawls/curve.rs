//! The harvest curve: how many of the first n pages were on the topic.

use crate::database::params;
use crate::{Store, StoreError};
use model::CrawlId;

/// A point of the curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct CrawlPoint {
    /// Pages read so far.
    pub pages: u64,
    /// Those on the topic.
    pub relevant: u64,
}

/// A curve as far as it has been read. Whoever keeps it reads only what came since.
#[derive(Debug, Clone)]
pub struct CrawlCurve {
    /// The page read last.
    last: i64,
    pages: u64,
    relevant: u64,
    /// Pages from one point to the next; doubled when there are too many points.
    step: u64,
    points: Vec<CrawlPoint>,
}

/// Points kept at most.
const POINTS: usize = 480;

/// Pages read at a time.
const PIECE: usize = 20_000;

impl Default for CrawlCurve {
    fn default() -> Self {
        Self { last: 0, pages: 0, relevant: 0, step: 1, points: Vec::new() }
    }
}

impl CrawlCurve {
    /// From the first page to the last.
    pub fn points(&self) -> Vec<CrawlPoint> {
        let last = CrawlPoint { pages: self.pages, relevant: self.relevant };
        let end = (self.pages > 0 && self.points.last() != Some(&last)).then_some(last);
        self.points.iter().copied().chain(end).collect()
    }

    fn add(&mut self, id: i64, on_topic: bool) {
        self.last = id;
        self.pages += 1;
        self.relevant += u64::from(on_topic);
        if self.pages.is_multiple_of(self.step) {
            self.points.push(CrawlPoint { pages: self.pages, relevant: self.relevant });
        }
        if self.points.len() > POINTS {
            self.step *= 2;
            let step = self.step;
            self.points.retain(|point| point.pages.is_multiple_of(step));
        }
    }
}

impl Store {
    /// Goes on with a harvest curve: pages read since are added to it.
    pub async fn crawl_curve(&self, crawl: CrawlId, known: CrawlCurve) -> Result<CrawlCurve, StoreError> {
        let mut curve = known;
        loop {
            let last = curve.last;
            let piece: Vec<(i64, bool)> = self
                .read(move |connection| {
                    // By number, not by crawl: else all pages of the crawl would be read and sorted each time.
                    let by_number = connection.dialect().by_number();
                    let mut statement = connection.prepare_cached(&format!(
                        "SELECT id, on_topic FROM crawl_page{by_number} WHERE id > ?2 AND crawl_id = ?1 ORDER BY id LIMIT ?3",
                    ))?;
                    let rows = statement.query_map(params![crawl.0, last, PIECE as i64], |row| Ok((row.get(0)?, row.get(1)?)))?;
                    Ok(rows.collect::<Result<_, _>>()?)
                })
                .await?;
            for (id, on_topic) in &piece {
                curve.add(*id, *on_topic);
            }
            if piece.len() < PIECE {
                return Ok(curve);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_few_points_and_its_end() {
        let mut curve = CrawlCurve::default();
        for id in 1..=10_001 {
            curve.add(id, id % 4 == 0);
        }
        let points = curve.points();
        assert!(points.len() <= POINTS + 1 && points.len() > POINTS / 4, "{}", points.len());
        assert_eq!(points.last(), Some(&CrawlPoint { pages: 10_001, relevant: 2_500 }));
        assert!(points.windows(2).all(|pair| pair[0].pages < pair[1].pages));
        assert!(points.iter().all(|point| point.relevant == point.pages / 4));
    }
}
