//! Finding pages on a topic.
//!
//! Pure: the live crawl and the laboratory drive the same code. [`ontology`] says what a topic is and how much a page
//! has to do with it, and learns; [`crawl`] is the mind of one crawl: which known URL is worth asking for next.

pub mod crawl;
mod hash;
pub mod ontology;
mod spoken;
mod table;
