//! Ids: a number that cannot be mistaken for another kind of number.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

id!(
    /// A watched page, feed or sitemap.
    SourceId
);
id!(
    /// An article, unique by its canonical URL.
    ArticleId
);
id!(
    /// One visit to one source.
    VisitId
);
id!(
    /// A host: everything behind one host name shares its manners.
    HostId
);
id!(
    /// Counts the leases of a host. A writer with an old epoch is refused.
    Epoch
);
id!(
    /// A folder of articles.
    FolderId
);
id!(
    /// An event: a time at which a folder was unusually busy.
    EventId
);
id!(
    /// A watch on a part of a source's page.
    WatchId
);
id!(
    /// A change that a watch saw.
    ChangeId
);
id!(
    /// A rule; 0 is the root of the tree.
    RuleId
);
id!(
    /// An article kept with the folders it must be filed into.
    CornerstoneId
);
id!(
    /// A way to tell a person: a webhook or a mailbox.
    ChannelId
);
id!(
    /// One message on its way through one channel.
    DeliveryId
);
id!(
    /// A crawl: one search for pages on a topic.
    CrawlId
);
