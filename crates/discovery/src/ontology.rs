//! What a topic is: classes, relations, words; how much a page has to do with it; and what a crawl teaches.
//!
//! An [`Ontology`] is the paper's O = {C, R, Hc, Hr} with its lexicon. A [`Topic`] is an ontology and the class of it
//! that is looked for. A [`Reader`] is a topic ready to read pages; a [`Learner`] watches what the pages of a crawl
//! said, and teaches the topic better weights and new words.

mod absorb;
mod background;
mod bag;
mod build;
mod check;
mod error;
mod formats;
mod graph;
mod language;
mod learner;
mod level;
mod lexicon;
mod memo;
mod provenance;
mod reader;
mod reading;
pub mod relational;
mod shipped;
mod speech;
mod topic;
mod weights;

pub use absorb::Gain;
pub use background::Background;
pub use build::Example;
pub use error::OntologyError;
pub use formats::Format;
pub use graph::{Class, ClassId, Link, Ontology, Relation, RelationId};
pub use language::Tongue;
pub use learner::{Learner, Lesson, LessonKind, PageRef};
pub use lexicon::Entry;
pub use provenance::Provenance;
pub use reader::{PageText, Reader};
pub use reading::{Evidence, Reading, Term};
pub use shipped::shipped;
pub use speech::Kind;
pub use topic::{Experience, Ratio, Topic, TopicSettings};
