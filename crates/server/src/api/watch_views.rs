//! Watches and changes as the API shows them.

use engine::Glance;
use jiff::Timestamp;
use page::watches::{Hunk, Part, Piece, Sight};
use serde::Serialize;
use store::{PartChange, Watch};
use utoipa::ToSchema;

/// A watch on a part of a page.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Watch)]
pub(crate) struct WatchView {
    id: i64,
    source_id: i64,
    source_title: String,
    source_url: String,
    name: String,
    what: String,
    within: Option<String>,
    ignore: Option<String>,
    when: String,
    moved: Option<String>,
    stops: Vec<String>,
    notify: String,
    zone: String,
    /// `new`, `looking`, `gone`, `flapping`, `paused` or `ended`.
    state: &'static str,
    /// Why it tells nothing at the moment, if it does not.
    why: Option<String>,
    paused: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<Timestamp>,
    /// Looks that counted.
    looks: u64,
    #[schema(value_type = Option<String>, format = DateTime)]
    looked_at: Option<Timestamp>,
    /// When its page is visited for it at the latest.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_look_at: Option<Timestamp>,
    /// How often it was told.
    told: u32,
    #[schema(value_type = Option<String>, format = DateTime)]
    told_at: Option<Timestamp>,
    /// What it sees now, a line each; null if it has not looked yet or the part is gone.
    lines: Option<Vec<String>>,
    /// The first number in it.
    number: Option<f64>,
}

impl From<Watch> for WatchView {
    fn from(watch: Watch) -> Self {
        let (standing, why) = (watch.standing(), watch.why_quiet());
        let Watch { terms, course, .. } = watch;
        let part = course.now.filter(|seen| seen.gone.is_none()).map(|seen| seen.part);
        Self {
            id: watch.id.0,
            source_id: watch.source.0,
            source_title: watch.source_title,
            source_url: watch.source_url.into(),
            name: watch.name,
            state: standing.word(),
            why,
            paused: watch.paused,
            created_at: watch.created_at,
            ended_at: watch.ended.map(|(at, _)| at),
            looks: course.looks,
            looked_at: course.looked_at,
            next_look_at: course.looked_at.and_then(|last| terms.next_look(last)),
            told: course.tellings,
            told_at: course.told.filter(|_| course.tellings > 0).map(|told| told.at),
            number: part.as_ref().and_then(Part::number),
            lines: part.map(|part| part.lines),
            what: terms.aim.what.to_string(),
            within: terms.aim.within,
            ignore: terms.aim.ignore,
            when: terms.when.to_string(),
            moved: terms.moved.map(|moved| moved.to_string()),
            stops: terms.stops.iter().map(ToString::to_string).collect(),
            notify: terms.notify.to_string(),
            zone: terms.zone,
        }
    }
}

/// A change that a watch saw.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PartChange)]
pub(crate) struct ChangeView {
    id: i64,
    visit_id: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// `first`, `changed`, `gone`, `back`, `flapping` or `settled`.
    #[schema(value_type = String)]
    kind: page::watches::Kind,
    told: bool,
    /// Why it was told or not.
    why: String,
    /// What it is compared with was so at this time.
    #[schema(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    number_before: Option<f64>,
    number: Option<f64>,
    /// The beginning of the part as it was then.
    text: String,
    /// Words that came, and that went.
    words_added: u32,
    words_removed: u32,
    /// The places of change, each with some words that stand around it.
    diff: Vec<Vec<DiffPiece>>,
    /// There is more than is shown.
    diff_cut: bool,
    /// The same as text: `[-what went-]`, `{+what came+}`.
    diff_text: String,
}

/// A stretch of words.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DiffPiece {
    /// `same`, `removed` or `added`.
    kind: &'static str,
    text: String,
}

impl From<Piece> for DiffPiece {
    fn from(piece: Piece) -> Self {
        let (kind, text) = match piece {
            Piece::Same(text) => ("same", text),
            Piece::Removed(text) => ("removed", text),
            Piece::Added(text) => ("added", text),
        };
        Self { kind, text }
    }
}

impl From<PartChange> for ChangeView {
    fn from(change: PartChange) -> Self {
        let pieces = |hunk: Hunk| hunk.0.into_iter().map(DiffPiece::from).collect();
        Self {
            id: change.id.0,
            visit_id: change.visit.0,
            at: change.at,
            kind: change.kind,
            told: change.told,
            why: change.why,
            since: change.since,
            number_before: change.number_before,
            number: change.number,
            text: change.text,
            words_added: change.diff.added,
            words_removed: change.diff.removed,
            diff_cut: change.diff.cut,
            diff_text: change.diff.text(),
            diff: change.diff.hunks.into_iter().map(pieces).collect(),
        }
    }
}

/// What a watch would see.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeenPart)]
pub(crate) struct Seen {
    /// How the fetch ended, in words.
    outcome: String,
    /// Where it led in the end.
    final_url: String,
    /// Whether the part is there.
    found: bool,
    /// Why not, if it is not.
    why: Option<String>,
    lines: Vec<String>,
    /// The first number in it.
    number: Option<f64>,
    /// It is longer: only this much is watched.
    cut: bool,
}

impl From<Glance> for Seen {
    fn from(glance: Glance) -> Self {
        let (outcome, final_url) = (glance.outcome.to_string(), glance.final_url.into());
        let (found, why, part) = match glance.sight {
            Some(Sight::Part(part)) => (true, None, part),
            Some(Sight::Gone(why)) => (false, Some(why), Part::default()),
            None => (false, Some(outcome.clone()), Part::default()),
        };
        Self { outcome, final_url, found, why, number: part.number(), cut: part.cut, lines: part.lines }
    }
}
