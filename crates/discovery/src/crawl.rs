//! The mind of one crawl.
