//! Following other processes: what they told their watchers, this one is told as well.
//!
//! Deeds about folders are done one after the other in all processes (`writer::Company::Alone`), so at the beginning of a
//! group all that came before it is there: visits, and what texts changed about the folders of earlier ones. The findings
//! were applied by whoever did the deed.

use super::{Loaded, load};
use crate::StoreError;
use crate::database::{Connection, params};
use detection::Watcher;
use jiff::Timestamp;
use model::{FolderId, SourceId, VisitId};
use std::time::{Duration, Instant};

/// Notes on texts are kept for an hour; who has not looked for so long loads anew.
const LONGEST: Duration = Duration::from_mins(45);

/// How far a memory has followed.
#[derive(Debug)]
pub(super) struct Followed {
    visit: i64,
    text: i64,
    /// The group in which it last looked.
    group: Option<i64>,
    at: Instant,
}

impl Followed {
    /// A memory that was just loaded knows all.
    pub(super) fn all(connection: &Connection) -> Result<Self, StoreError> {
        let group = connection.group();
        let (visit, text) = if group.is_some() { newest(connection)? } else { (0, 0) };
        Ok(Self { visit, text, group, at: Instant::now() })
    }
}

/// What a text changed about a folder.
pub(super) struct TextNote {
    pub(super) folder: FolderId,
    pub(super) added: bool,
    pub(super) first: bool,
}

fn newest(connection: &Connection) -> Result<(i64, i64), StoreError> {
    let sql =
        "SELECT (SELECT coalesce(max(id), 0) FROM visit), (SELECT coalesce(max(id), 0) FROM watch_text)";
    Ok(connection.prepare_cached(sql)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

impl Loaded {
    /// Whether it has looked in this group already: nobody else writes meanwhile.
    pub(super) fn is_up_to_date(&self, connection: &Connection) -> bool {
        self.followed.group.is_some() && self.followed.group == connection.group()
    }

    /// Takes over what others did since it last looked; `false` if that is too long ago.
    pub(super) fn follow(&mut self, connection: &Connection) -> Result<bool, StoreError> {
        let group = connection.group();
        if group.is_none() {
            return Ok(true);
        }
        if self.followed.at.elapsed() > LONGEST {
            return Ok(false);
        }
        let (visit, text) = newest(connection)?;
        if visit > self.followed.visit {
            load::replay(connection, &mut self.watcher, self.followed.visit, None, &mut |_, _| Ok(()))?;
            self.stories.follow(connection, self.followed.visit)?;
            self.changed = true;
        }
        if text > self.followed.text {
            self.follow_texts(connection)?;
        }
        self.followed = Followed { visit, text, group, at: Instant::now() };
        Ok(true)
    }

    fn follow_texts(&mut self, connection: &Connection) -> Result<(), StoreError> {
        // Visits that were told just now were told with what their texts made of them.
        let mut statement = connection.prepare_cached(
            "SELECT source_id, folder_id, at, added, first FROM watch_text WHERE id > ?1 AND visit_id <= ?2 ORDER BY id",
        )?;
        let mut rows = statement.query(params![self.followed.text, self.followed.visit])?;
        while let Some(row) = rows.next()? {
            let (source, folder) = (SourceId(row.get(0)?), FolderId(row.get(1)?));
            let at = crate::rows::time(&row, "at")?;
            tell_text(
                &mut self.watcher,
                source,
                at,
                &TextNote { folder, added: row.get(3)?, first: row.get(4)? },
            );
        }
        self.changed = true;
        Ok(())
    }

    /// A visit of this process was told.
    pub(super) fn told_visit(&mut self, visit: VisitId) {
        self.followed.visit = self.followed.visit.max(visit.0);
    }

    /// Notes for others what a text of this process changed.
    pub(super) fn note_texts(
        &mut self,
        connection: &Connection,
        article: i64,
        source: SourceId,
        at: Timestamp,
        notes: &[TextNote],
    ) -> Result<(), StoreError> {
        if connection.group().is_none() {
            return Ok(());
        }
        for note in notes {
            let id: i64 = connection
                .prepare_cached(
                    "INSERT INTO watch_text (visit_id, source_id, folder_id, at, added, first)
                     SELECT visit_id, ?2, ?3, ?4, ?5, ?6 FROM article WHERE id = ?1 RETURNING id",
                )?
                .query_row(
                    params![article, source.0, note.folder.0, crate::rows::ms(at), note.added, note.first],
                    |row| row.get(0),
                )?;
            self.followed.text = self.followed.text.max(id);
        }
        Ok(())
    }
}

fn tell_text(watcher: &mut Watcher, source: SourceId, at: Timestamp, note: &TextNote) {
    if note.added {
        drop(watcher.add(source, note.folder, at, note.first));
    } else {
        watcher.take_back(source, note.folder, at);
    }
}
