//! What has been read of a file so far, and what both forms have in common.

use super::{LineError, PortableCornerstone, PortableRule};
use crate::folders::Folders;
use crate::literal::quote;
use crate::rule::{MOST_LITERALS, ROOT};
use crate::tree::TreeError;
use jiff::Timestamp;
use model::{ArticleId, CornerstoneId, RuleId};
use std::collections::HashSet;

/// Numbers above twice this are not exact in every program that reads JSON; new rules need room above.
const HIGHEST_ID: i64 = 1 << 52;

/// A file, half read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// The rules with their lines.
    pub(super) rules: Vec<(usize, PortableRule)>,
    /// The cornerstones with their lines.
    pub(super) cornerstones: Vec<(usize, PortableCornerstone)>,
    /// Folders that are named for themselves.
    pub(super) folders: Vec<String>,
    /// Rules that are there but cannot be read: those under them are not to blame.
    pub(super) broken: HashSet<RuleId>,
    pub(super) errors: Vec<LineError>,
    /// Every folder that was named, to check the names.
    pub(super) known: Folders,
}

impl Reading {
    pub(super) fn fail(&mut self, line: usize, reason: impl Into<String>) {
        self.errors.push(LineError { line, reason: reason.into() });
    }

    /// A path as it is written properly.
    pub(super) fn folder(&mut self, path: &str) -> Result<String, String> {
        let (id, _) = self.known.create(path).map_err(|error| error.to_string())?;
        Ok(self.known.path(id))
    }
}

/// What a rule by itself must fulfil.
pub(super) fn check_rule(rule: PortableRule) -> Result<PortableRule, String> {
    if rule.condition.is_empty() && (rule.folder.is_some() || rule.parent == ROOT) {
        return Err(TreeError::NoCondition(rule.id).to_string());
    }
    if rule.condition.len() > MOST_LITERALS {
        return Err(TreeError::TooManyLiterals(rule.id).to_string());
    }
    Ok(rule)
}

pub(super) fn rule_id(number: i64) -> Result<RuleId, String> {
    in_range(number, 1, HIGHEST_ID).map(RuleId)
}

/// Cornerstones are counted in 32 bits: an archive of them numbers them by their ids.
pub(super) fn cornerstone_id(number: i64) -> Result<CornerstoneId, String> {
    in_range(number, 1, i64::from(u32::MAX / 2)).map(CornerstoneId)
}

pub(super) fn article_id(number: i64) -> Result<ArticleId, String> {
    in_range(number, 0, HIGHEST_ID).map(ArticleId)
}

fn in_range(number: i64, lowest: i64, highest: i64) -> Result<i64, String> {
    if (lowest..=highest).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{number} is no id: ids are whole numbers from {lowest} to {highest}"))
    }
}

pub(super) fn timestamp(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| format!("{} is no time: write it like 2026-11-15T10:00:00Z", quote(text)))
}
