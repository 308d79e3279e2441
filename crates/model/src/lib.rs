//! The shared nouns of Ripplewatch. Data only: what a thing *is*, never what to do with it.
//!
//! Every other crate speaks in these words; there is one word for each thing.

mod article;
mod clock;
mod host;
mod id;
mod outcome;
mod source;
mod visit;

pub use article::{Article, ArticlePage, BodyState, Found};
pub use clock::Clock;
pub use host::{Manners, RobotsRecord, RobotsVerdict, host_name, origin};
pub use id::{
    ArticleId, ChangeId, ChannelId, CornerstoneId, CrawlId, DeliveryId, Epoch, EventId, FolderId, HostId, RuleId,
    SourceId, VisitId, WatchId,
};
pub use outcome::{Cap, FailureKind, Outcome};
pub use source::{Source, SourceKind, SourceState, Validators};
pub use visit::{PlannedVisit, Visit};
