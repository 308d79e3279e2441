//! Knowledge: multiple classification ripple-down rules (MCRDR).
//!
//! A person files articles into folders by picking words from an article; the system guarantees that a new
//! rule breaks no earlier decision. The rules form a tree of exceptions: [`RuleTree`] files articles,
//! [`Base`] can be taught, [`Draft`] is a rule in the making, [`Archive`] tells beforehand what it would change.

mod archive;
mod base;
mod cornerstone;
mod field;
mod folders;
mod interchange;
mod literal;
mod prudence;
mod reach;
mod report;
mod rule;
mod stem;
mod teaching;
mod tree;
mod usage;
mod words;

pub use archive::{Archive, Effect, FolderEffect, Texts};
pub use base::{Base, Lesson, MergeError, Past, Undone, Verdict};
pub use cornerstone::{Cornerstone, Cornerstones, Misfiled};
pub use field::{Field, Fields};
pub use folders::{Folder, FolderError, Folders};
pub use interchange::{
    ArticleLine, Import, ImportError, ImportOptions, Interchange, LineError, PortableAttribute,
    PortableCornerstone, PortableLiteral, PortableRule, parse_article,
};
pub use literal::{Attribute, Literal, Mode, Polarity, Term, TermError};
pub use prudence::{Prudence, Warning, prudence};
pub use reach::Unreachable;
pub use report::{Finding, Report, STALE_DAYS, Statistics, report};
pub use rule::{Conclusion, MOST_LITERALS, Origin, ROOT, Rule};
pub use teaching::{Conflict, Conflicts, Correction, Draft, Fix, Prompt, Suggestion, TeachError, Unwanted};
pub use tree::{Filer, Filing, RuleTree, TreeError};
pub use usage::Usage;
pub use words::Words;
