//! What the form of the teaching page holds. The page is stateless: all of it comes with every request.

use crate::access::csrf::Fields;
use crate::problem::Problem;
use crate::teaching::{Pick, Picked, Preview, Wish, Wrong, numbers};
use model::{ArticleId, CornerstoneId, RuleId};
use std::collections::BTreeSet;

/// Conflicts come in batches of this many.
pub(crate) const BATCH: usize = 20;
/// Looking at more conflicts than this one by one is no way to teach.
const MOST_SHOWN: usize = 200;

/// The form.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) wrong: WrongKind,
    pub(crate) to: String,
    pub(crate) literals: Vec<Pick>,
    pub(crate) place: Option<RuleId>,
    pub(crate) stops: Vec<Vec<Pick>>,
    pub(crate) accepted: BTreeSet<CornerstoneId>,
    pub(crate) unwanted: Vec<i64>,
    pub(crate) note: String,
    pub(crate) shown: usize,
}

/// What is wrong, as chosen; the folder it should go to is typed elsewhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum WrongKind {
    #[default]
    Add,
    Remove(String),
    Move(String),
}

impl State {
    pub(crate) fn read(fields: &Fields) -> Result<Self, Problem> {
        let texts = |name: &str| fields.all::<String>(name);
        let mut literals = rows(fields);
        if fields.text("deed") == "use_fix" {
            for pick in texts("proposed").iter().map(|json| read_json::<Pick>(json)) {
                let pick = pick?;
                if !literals.contains(&pick) {
                    literals.push(pick);
                }
            }
        }
        let stops = texts("stop").iter().map(|json| read_json(json)).collect::<Result<_, _>>()?;
        Ok(Self {
            wrong: WrongKind::read(fields.raw("wrong")),
            to: fields.text("to").to_owned(),
            literals,
            place: fields.text("place").parse().ok().map(RuleId),
            stops,
            accepted: fields.all::<i64>("accept").into_iter().map(CornerstoneId).collect(),
            unwanted: fields.all("unwanted"),
            note: fields.text("note").to_owned(),
            shown: fields.text("shown").parse().unwrap_or(BATCH).clamp(BATCH, MOST_SHOWN),
        })
    }

    /// The wish, as soon as there is one: a folder is needed. Rows that say nothing come back with their reason.
    pub(crate) fn wish(&self, article: ArticleId) -> (Option<Wish>, Vec<Result<Picked, String>>) {
        let read: Vec<Result<Picked, String>> =
            self.literals.iter().map(|pick| pick.read().map_err(|problem| problem.error)).collect();
        let wrong = match &self.wrong {
            WrongKind::Remove(from) => Some(Wrong::Remove(from.clone())),
            _ if self.to.is_empty() => None,
            WrongKind::Add => Some(Wrong::Add(self.to.clone())),
            WrongKind::Move(from) => Some(Wrong::Replace { from: from.clone(), to: self.to.clone() }),
        };
        // A stop with an unreadable word is left out whole: with less in its condition it would stop more.
        let read_stop =
            |stop: &Vec<Pick>| stop.iter().map(|pick| pick.read().ok()).collect::<Option<Vec<_>>>();
        let stops = self.stops.iter().filter_map(read_stop);
        let wish = wrong.map(|wrong| Wish {
            article,
            place: self.place.filter(|_| matches!(wrong, Wrong::Add(_))),
            wrong,
            condition: read.iter().filter_map(|read| read.clone().ok()).collect(),
            stops: stops.collect(),
            accepted: self.accepted.clone(),
            unwanted: numbers(self.unwanted.iter().copied()),
            note: Some(self.note.clone()),
        });
        (wish, read)
    }

    /// Takes over what was worked out on the server: generated stops.
    pub(crate) fn follow(&mut self, preview: &Preview) {
        let write = |stop: &Vec<knowledge::Literal>| {
            stop.iter().map(|literal| Pick::of(literal, &preview.folders)).collect()
        };
        self.stops = preview.stops.iter().map(write).collect();
    }
}

impl WrongKind {
    fn read(value: &str) -> Self {
        match value.split_once(':') {
            Some(("remove", from)) => Self::Remove(from.to_owned()),
            Some(("move", from)) => Self::Move(from.to_owned()),
            _ => Self::Add,
        }
    }

    /// The inverse of reading.
    pub(crate) fn value(&self) -> String {
        match self {
            Self::Add => "add".into(),
            Self::Remove(from) => format!("remove:{from}"),
            Self::Move(from) => format!("move:{from}"),
        }
    }
}

/// The rows of the condition; a row without a word is none.
fn rows(fields: &Fields) -> Vec<Pick> {
    let texts = |name: &str| fields.all::<String>(name).into_iter();
    let rows = texts("field").zip(texts("polarity")).zip(texts("word")).zip(texts("mode"));
    let mut picks: Vec<Pick> = Vec::new();
    for (((field, polarity), word), mode) in rows {
        let word = word.trim();
        if word.is_empty() {
            continue;
        }
        let (has, lacks) = match polarity.as_str() {
            "lacks" => (None, Some(word.to_owned())),
            _ => (Some(word.to_owned()), None),
        };
        let pick = Pick { field, has, lacks, mode: Some(mode).filter(|mode| !mode.is_empty()) };
        if !picks.contains(&pick) {
            picks.push(pick);
        }
    }
    picks
}

fn read_json<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Problem> {
    serde_json::from_str(json).map_err(|_| Problem::bad_request("the form holds a rule that cannot be read"))
}
