//! A rule: a condition and what follows from it. Never edited, only refined.

use crate::literal::Literal;
use jiff::Timestamp;
use model::{CornerstoneId, FolderId, RuleId};

/// The root of the tree: always true, concludes nothing.
pub const ROOT: RuleId = RuleId(0);

/// More would be a text, not a condition.
pub const MOST_LITERALS: usize = 64;

/// One rule of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// The rule it is an exception to, or [`ROOT`].
    pub parent: RuleId,
    /// When it fires, given that its parent does. All must hold; no literal at all is the mark of a retirement.
    pub condition: Vec<Literal>,
    /// What it says.
    pub conclusion: Conclusion,
    /// Where it came from.
    pub origin: Origin,
}

/// What a rule says about an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Conclusion {
    /// File it here.
    Folder(FolderId),
    /// Nothing, on this path.
    Stop,
}

/// Who wrote a rule, when, and because of which article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub author: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// The article that prompted it.
    pub cornerstone: Option<CornerstoneId>,
    /// Why, in the author's words.
    pub note: Option<String>,
}

impl Rule {
    /// Whether it takes its parent out of service: a stop without a condition.
    pub fn is_retirement(&self) -> bool {
        self.condition.is_empty()
    }
}

impl Conclusion {
    /// The folder, unless it stops.
    pub fn folder(self) -> Option<FolderId> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Stop => None,
        }
    }
}
