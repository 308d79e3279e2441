//! Where a thing in an ontology comes from. Everything that was not typed by a person can be traced and undone.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a class, a relation or a word comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "kebab-case")]
pub enum Provenance {
    /// A person named it, or it came with the program.
    #[default]
    Given,
    /// Read from an ontology file.
    Imported,
    /// Found in the pages a topic was built from.
    Examples {
        /// In how many of them.
        pages: u32,
    },
    /// Learned during a crawl.
    Crawl {
        /// The lesson that taught it.
        lesson: u64,
        /// Pages on the topic that have it, and all pages that have it.
        on_topic: u32,
        /// All pages that have it.
        pages: u32,
        /// On how many hosts.
        hosts: u32,
        /// A few of the pages, by number.
        examples: Vec<u64>,
    },
    /// Derived from a relational database by one of the rules.
    Database {
        /// Which rule, 1 to 3.
        rule: u8,
        /// The tables and columns it was derived from.
        origin: String,
    },
}

impl Provenance {
    /// The lesson that taught it.
    pub(super) fn lesson(&self) -> Option<u64> {
        match self {
            Self::Crawl { lesson, .. } => Some(*lesson),
            _ => None,
        }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::Imported => f.write_str("imported"),
            Self::Examples { pages: 1 } => f.write_str("1 example page"),
            Self::Examples { pages } => write!(f, "{pages} example pages"),
            // Its number is the learner's own: people know a lesson by its row.
            Self::Crawl { on_topic, hosts, .. } => {
                let plural = |count: u32| if count == 1 { "" } else { "s" };
                write!(f, "{on_topic} page{} on the topic", plural(*on_topic))?;
                if *hosts > 0 { write!(f, ", {hosts} host{}", plural(*hosts)) } else { Ok(()) }
            }
            Self::Database { rule, origin } => write!(f, "rule {rule}: {origin}"),
        }
    }
}
