//! Complete windows of a folder, and its week at a glance.

use crate::database::{Connection, params};
use crate::rows::{ms, time};
use crate::{Store, StoreError};
use detection::Closed;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use model::FolderId;

/// A complete window: what was seen of a folder against what was expected.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct FolderWindow {
    /// Its beginning.
    pub from: Timestamp,
    /// Its end.
    pub to: Timestamp,
    /// Stories seen.
    pub observed: f64,
    /// Stories that would have been usual.
    pub expected: f64,
    /// The range that would not surprise.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// How unusual, on the detector's scale.
    pub score: f64,
    /// Whether it alarmed.
    pub alarm: bool,
    /// It is still going on.
    pub open: bool,
}

/// Articles a week in each hour of the week: Monday first, 24 hours each.
pub type HourOfWeek = [[f64; 24]; 7];

/// So many articles of a folder are looked at for its week at most: the newest.
const MOST: i64 = 50_000;

impl Store {
    /// The complete windows of a folder that end in (from, to], oldest first, and the one that is going on.
    pub async fn folder_windows(
        &self,
        folder: FolderId,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<FolderWindow>, StoreError> {
        let now = self.watcher(move |watcher| watcher.now(folder)).await?;
        self.read(move |connection| {
            let mut windows = windows(connection, folder, from, to)?;
            let is_new =
                |now: &Closed| now.from <= to && windows.last().is_none_or(|last| last.from < now.from);
            windows.extend(
                now.as_ref().filter(|now| is_new(now)).map(|now| FolderWindow { open: true, ..of(now) }),
            );
            Ok(windows)
        })
        .await
    }

    /// When in the week a folder's articles are first seen, from those since `since`: a mean week.
    pub async fn folder_week(
        &self,
        folder: FolderId,
        since: Timestamp,
        now: Timestamp,
        zone: TimeZone,
    ) -> Result<HourOfWeek, StoreError> {
        self.read(move |connection| {
            let mut statement = connection.prepare_cached(
                "SELECT a.first_seen_at AS at FROM (SELECT DISTINCT article_id FROM filing
                     WHERE folder_id = ?1 ORDER BY article_id DESC LIMIT ?3) f
                 JOIN article a ON a.id = f.article_id WHERE a.first_seen_at > ?2",
            )?;
            let mut rows = statement.query(params![folder.0, ms(since), MOST])?;
            let (mut week, mut earliest) = (HourOfWeek::default(), now);
            while let Some(row) = rows.next()? {
                let at = time(&row, "at")?;
                earliest = earliest.min(at);
                let local = at.to_zoned(zone.clone());
                let day = local.weekday().to_monday_zero_offset().unsigned_abs();
                let cell = week
                    .get_mut(usize::from(day))
                    .and_then(|day| day.get_mut(local.hour().unsigned_abs() as usize));
                if let Some(cell) = cell {
                    *cell += 1.0;
                }
            }
            let weeks = (now.duration_since(earliest).as_secs_f64() / (7.0 * 86_400.0)).max(1.0);
            week.iter_mut().flatten().for_each(|cell| *cell /= weeks);
            Ok(week)
        })
        .await
    }
}

pub(super) fn windows(
    connection: &Connection,
    folder: FolderId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<FolderWindow>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT * FROM folder_window WHERE folder_id = ?1 AND to_at > ?2 AND from_at < ?3 ORDER BY from_at",
    )?;
    let rows = statement.query_map(params![folder.0, ms(from), ms(to)], |row| {
        Ok(FolderWindow {
            from: time(row, "from_at")?,
            to: time(row, "to_at")?,
            observed: row.get("observed")?,
            expected: row.get("expected")?,
            low: row.get("low")?,
            high: row.get("high")?,
            score: row.get("score")?,
            alarm: row.get("alarm")?,
            open: false,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn of(window: &Closed) -> FolderWindow {
    FolderWindow {
        from: window.from,
        to: window.to,
        observed: window.score.observed,
        expected: window.score.expected,
        low: window.score.low,
        high: window.score.high,
        score: window.score.score,
        alarm: window.score.alarm,
        open: false,
    }
}

pub(crate) fn save_window(
    connection: &Connection,
    folder: FolderId,
    closed: &Closed,
) -> Result<(), StoreError> {
    let window = of(closed);
    connection
        .prepare_cached(
            "INSERT INTO folder_window (folder_id, from_at, to_at, observed, expected, low, high, score, alarm,
                                                   multiplier)
             SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM folder WHERE id = ?1
             ON CONFLICT (folder_id, from_at) DO UPDATE SET to_at = excluded.to_at, observed = excluded.observed,
                 expected = excluded.expected, low = excluded.low, high = excluded.high, score = excluded.score,
                 alarm = excluded.alarm, multiplier = excluded.multiplier",
        )?
        .send(params![
            folder.0,
            ms(window.from),
            ms(window.to),
            window.observed,
            window.expected,
            window.low,
            window.high,
            window.score,
            window.alarm,
            closed.level.multiplier
        ])?;
    Ok(())
}
