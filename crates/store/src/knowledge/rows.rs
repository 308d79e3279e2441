//! Between rows and rules.

use crate::StoreError;
use crate::database::Row;
use crate::rows::to_json;
use jiff::Timestamp;
use knowledge::{
    Attribute, Conclusion, Cornerstone, Field, Fields, Literal, Mode, Origin, Polarity, Rule, Term,
};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A literal as stored: short, and with ids instead of names.
#[derive(Serialize, Deserialize)]
struct LiteralRow {
    #[serde(rename = "f", skip_serializing_if = "Option::is_none")]
    field: Option<Field>,
    #[serde(rename = "m", skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(rename = "d", skip_serializing_if = "Option::is_none")]
    folder: Option<FolderId>,
    #[serde(rename = "l", default, skip_serializing_if = "std::ops::Not::not")]
    lacks: bool,
}

/// A cornerstone as stored inside a lesson.
#[derive(Serialize, Deserialize)]
pub(super) struct CornerstoneRow {
    id: CornerstoneId,
    article: Option<ArticleId>,
    fields: Fields<'static>,
    expected: BTreeSet<FolderId>,
}

/// The cornerstones a lesson made or changed, as they were before.
pub(super) type Before = Vec<(CornerstoneId, Option<CornerstoneRow>)>;

pub(super) fn condition_to_json(condition: &[Literal]) -> Result<String, StoreError> {
    let rows: Vec<LiteralRow> = condition.iter().map(LiteralRow::of).collect();
    to_json(&rows)
}

pub(super) fn rule(row: &Row<'_>) -> Result<Rule, StoreError> {
    let condition: String = row.get("condition")?;
    let rows: Vec<LiteralRow> = serde_json::from_str(&condition).map_err(|error| unreadable(&error))?;
    let folder: Option<i64> = row.get("folder_id")?;
    let at: Option<i64> = row.get("at")?;
    Ok(Rule {
        id: RuleId(row.get("id")?),
        parent: RuleId(row.get("parent_id")?),
        condition: rows.into_iter().map(LiteralRow::literal).collect::<Result<_, _>>()?,
        conclusion: folder.map_or(Conclusion::Stop, |folder| Conclusion::Folder(FolderId(folder))),
        origin: Origin {
            author: row.get("author")?,
            at: at.and_then(|at| Timestamp::from_millisecond(at).ok()),
            cornerstone: row.get::<_, Option<i64>>("cornerstone_id")?.map(CornerstoneId),
            note: row.get("note")?,
        },
    })
}

pub(super) fn cornerstone(row: &Row<'_>) -> Result<Cornerstone, StoreError> {
    let fields: String = row.get("fields")?;
    let expected: String = row.get("expected")?;
    Ok(Cornerstone {
        id: CornerstoneId(row.get("id")?),
        article: row.get::<_, Option<i64>>("article_id")?.map(ArticleId),
        fields: serde_json::from_str(&fields).map_err(|error| unreadable(&error))?,
        expected: serde_json::from_str(&expected).map_err(|error| unreadable(&error))?,
    })
}

/// A stored value that cannot be understood: the file is damaged, or was changed by hand.
pub(super) fn unreadable(error: &dyn std::error::Error) -> StoreError {
    StoreError::Unreadable(format!("the stored knowledge base: {error}"))
}

impl LiteralRow {
    fn of(literal: &Literal) -> Self {
        let lacks = literal.polarity == Polarity::Lacks;
        match &literal.attribute {
            Attribute::Folder(folder) => {
                Self { field: None, mode: None, text: None, folder: Some(*folder), lacks }
            }
            Attribute::Term(term) => Self {
                field: Some(term.field()),
                mode: (term.mode() != Mode::Exact).then(|| term.mode().word().to_owned()),
                text: Some(term.text().to_owned()),
                folder: None,
                lacks,
            },
        }
    }

    fn literal(self) -> Result<Literal, StoreError> {
        let damaged = || StoreError::Unreadable("a condition in the stored knowledge base".into());
        let attribute = match (self.folder, self.field, self.text) {
            (Some(folder), None, None) => Attribute::Folder(folder),
            (None, Some(field), Some(text)) => {
                let mode =
                    self.mode.as_deref().map_or(Some(Mode::Exact), Mode::from_word).ok_or_else(damaged)?;
                Attribute::Term(Term::new(field, mode, &text).map_err(|error| unreadable(&error))?)
            }
            _ => return Err(damaged()),
        };
        let polarity = if self.lacks { Polarity::Lacks } else { Polarity::Has };
        Ok(Literal { polarity, attribute })
    }
}

impl CornerstoneRow {
    pub(super) fn replace_folder(&mut self, from: FolderId, to: FolderId) {
        if self.expected.remove(&from) {
            self.expected.insert(to);
        }
    }
}

impl From<Cornerstone> for CornerstoneRow {
    fn from(cornerstone: Cornerstone) -> Self {
        let Cornerstone { id, article, fields, expected } = cornerstone;
        Self { id, article, fields, expected }
    }
}

impl From<CornerstoneRow> for Cornerstone {
    fn from(row: CornerstoneRow) -> Self {
        let CornerstoneRow { id, article, fields, expected } = row;
        Self { id, article, fields, expected }
    }
}
