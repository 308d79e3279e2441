//! The folders of the evaluation, made by rules as a user would make them.
//!
//! `folders.rules` are reported on. Whatever was chosen by looking at results (half-lives, priors, scales, thresholds) was chosen
//! on `tuning.rules`, which share no word with them, with another seed, and on another history (the BBC's).

use crate::trace::Published;
use knowledge::{Base, Fields, Filer, ImportError, ImportOptions, Interchange};
use std::borrow::Cow;

const RULES: &str = include_str!("folders.rules");
/// The folders that parameters were chosen on.
pub const TUNING_RULES: &str = include_str!("tuning.rules");

/// A base of rules that files titles.
#[derive(Debug)]
pub struct FolderRules {
    base: Base,
    filer: Filer,
    names: Vec<String>,
}

/// Why rules cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// Lines that cannot be read.
    #[error("the rules cannot be read: {0}")]
    Lines(String),
    /// Rules that do not stand together.
    #[error("the rules cannot be taken over: {0}")]
    Import(#[from] ImportError),
}

impl FolderRules {
    /// The sixteen folders of the evaluation.
    pub fn reported() -> Result<Self, RulesError> {
        Self::parse(RULES)
    }

    /// Folders by other rules, in either form rules are written in.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let file = Interchange::parse(text).map_err(|errors| {
            RulesError::Lines(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
        })?;
        let mut base = Base::default();
        let import = file.import(&base, ImportOptions::default())?;
        *base.folders_mut() = import.folders;
        base.apply(import.lesson).map_err(ImportError::from)?;
        let mut names: Vec<String> = base
            .tree()
            .rules()
            .iter()
            .filter_map(|rule| Some(base.folders().path(rule.conclusion.folder()?)))
            .collect();
        names.sort();
        names.dedup();
        Ok(Self { base, filer: Filer::default(), names })
    }

    /// The folders' names, in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The places in [`Self::names`] of the folders a title belongs into.
    pub fn file(&mut self, title: &str) -> Vec<usize> {
        self.file_fields(&Fields { title: Some(Cow::Borrowed(title)), ..Fields::default() })
    }

    /// The names of the folders an article of a history belongs into.
    pub fn file_article(&mut self, article: &Published) -> Vec<String> {
        let places = self.file_fields(&Fields {
            title: Some(Cow::Borrowed(&article.title)),
            body: article.text.as_deref().map(Cow::Borrowed),
            url: Some(Cow::Borrowed(&article.url)),
            source: Some(Cow::Borrowed(&article.source)),
            ..Fields::default()
        });
        places.into_iter().filter_map(|place| self.names.get(place).cloned()).collect()
    }

    fn file_fields(&mut self, fields: &Fields<'_>) -> Vec<usize> {
        let filing = self.filer.file(self.base.tree(), fields);
        let paths = filing.folders.iter().map(|folder| self.base.folders().path(*folder));
        paths.filter_map(|path| self.names.binary_search(&path).ok()).collect()
    }
}
