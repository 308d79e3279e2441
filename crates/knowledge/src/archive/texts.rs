//! Where an archive reads a text again.

use crate::field::Fields;
use std::collections::HashMap;
use std::fmt;

/// A way to read the text of an article again.
pub enum Texts {
    /// Kept in memory.
    Kept(HashMap<u32, Fields<'static>>),
    /// Asked for.
    Elsewhere(Box<dyn Fn(u32) -> Option<Fields<'static>> + Send + Sync>),
}

impl Texts {
    /// Texts that are kept in memory.
    pub fn kept() -> Self {
        Self::Kept(HashMap::new())
    }

    pub(super) fn are_kept(&self) -> bool {
        matches!(self, Self::Kept(_))
    }

    pub(super) fn keep(&mut self, number: u32, article: &Fields<'_>) {
        if let Self::Kept(texts) = self {
            texts.insert(number, article.clone().into_owned());
        }
    }

    pub(super) fn forget(&mut self, number: u32) {
        if let Self::Kept(texts) = self {
            texts.remove(&number);
        }
    }

    pub(super) fn read(&self, number: u32) -> Option<Fields<'static>> {
        match self {
            Self::Kept(texts) => texts.get(&number).cloned(),
            Self::Elsewhere(read) => read(number),
        }
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kept(_) => "Kept",
            Self::Elsewhere(_) => "Elsewhere",
        })
    }
}
