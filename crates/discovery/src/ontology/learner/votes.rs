//! Whose pages may teach, and how many of them: learning can be poisoned by whoever can make pages.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Pages of one site that count, unless the user chose the site.
const MOST_VOTES: u32 = 25;
/// Sites whose votes are counted; beyond, a site nobody has heard of has no vote.
const MOST_SITES: usize = 20_000;

/// Sites on the topic that are remembered: two are several.
const MOST_WITNESSES: usize = 100;

/// The votes given so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Votes {
    trusted: BTreeSet<String>,
    given: BTreeMap<String, u32>,
    /// Votes of hosts the user chose, by site.
    #[serde(default)]
    chosen: BTreeMap<String, u32>,
    /// Sites that brought a page on the topic.
    #[serde(default)]
    witnesses: BTreeSet<String>,
}

impl Votes {
    pub(super) fn trust(&mut self, host: &str) {
        self.trusted.insert(bare(host));
    }

    /// This host alone: its neighbours below the same domain may be anybody's.
    pub(super) fn is_trusted(&self, host: &str) -> bool {
        self.trusted.contains(&bare(host))
    }

    /// Whether more than one site can bear witness: then the word of one, whoever chose it, is not enough.
    pub(super) fn are_several(&self) -> bool {
        self.witnesses.len() > 1 || self.chosen.len() > 1
    }

    /// Takes a vote from a host; `false` if it has had all of its votes.
    pub(super) fn take(&mut self, host: &str, on_topic: bool) -> bool {
        let taken = self.is_free(host);
        if taken && on_topic && self.witnesses.len() < MOST_WITNESSES {
            self.witnesses.insert(site(host));
        }
        taken
    }

    fn is_free(&mut self, host: &str) -> bool {
        let site = site(host);
        if self.is_trusted(host) {
            let all: u64 =
                self.chosen.values().chain(self.given.values()).map(|votes| u64::from(*votes)).sum();
            let several = self.are_several();
            let own = self.chosen.entry(site).or_default();
            // A seed may be as hostile as any: beside others it has no more votes than all of them together.
            let free = *own < MOST_VOTES || !several || u64::from(*own) * 2 <= all;
            *own = own.saturating_add(u32::from(free));
            return free;
        }
        if self.given.len() >= MOST_SITES && !self.given.contains_key(&site) {
            return false;
        }
        let given = self.given.entry(site).or_default();
        *given += u32::from(*given <= MOST_VOTES);
        *given <= MOST_VOTES
    }
}

/// A host as it is compared.
fn bare(host: &str) -> String {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    host.strip_prefix("www.").map(str::to_owned).unwrap_or(host)
}

/// Below these, each name is somebody else's.
const REGISTRIES: &[&str] = &[
    "co.uk", "org.uk", "ac.uk", "gov.uk", "net.uk", "com.au", "net.au", "org.au", "edu.au", "gov.au",
    "co.nz", "org.nz", "ac.nz", "co.jp", "or.jp", "ne.jp", "ac.jp", "go.jp", "com.cn", "net.cn", "org.cn",
    "edu.cn", "gov.cn", "com.br", "org.br", "net.br", "gov.br", "co.in", "org.in", "net.in", "ac.in",
    "co.za", "org.za", "ac.za", "co.kr", "or.kr", "ac.kr", "com.tw", "org.tw", "edu.tw", "com.hk", "com.sg",
    "com.my", "com.mx", "com.ar", "com.tr", "co.il", "co.id", "com.ua", "com.pl",
];

/// Who stands behind a host: the name below its registry. Subdomains cost nothing, so they have no votes of their
/// own; that holds for hosts of many people, too, such as those of blogs: together they have one site's votes.
pub(super) fn site(host: &str) -> String {
    let host = bare(host);
    let names: Vec<&str> = host.split('.').collect();
    let number = host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if host.contains(':') || number || names.len() <= 2 {
        return host;
    }
    let last = |count: usize| names[names.len() - count..].join(".");
    if REGISTRIES.contains(&last(2).as_str()) { last(3) } else { last(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subdomains_share_their_votes() {
        assert_eq!(site("a.b.shop.example"), "shop.example");
        assert_eq!(site("www.shop.co.uk"), "shop.co.uk");
        assert_eq!(site("127.0.0.1"), "127.0.0.1");
        assert_eq!(site("localhost"), "localhost");
        let mut votes = Votes::default();
        let counted = (0..200).filter(|number| votes.take(&format!("h{number}.evil.example"), true)).count();
        assert_eq!(counted, MOST_VOTES as usize);
        let counted = (0..200).filter(|number| votes.take(&format!("h{number}.xyz.io"), true)).count();
        assert_eq!(counted, MOST_VOTES as usize);
        votes.trust("alice.github.io");
        assert!(votes.is_trusted("alice.github.io") && !votes.is_trusted("mallory.github.io"));
        votes.trust("www.good.example");
        assert!(votes.are_several());
        let counted = (0..200).filter(|_| votes.take("good.example", true)).count();
        assert!((50..=60).contains(&counted), "no more than the 50 of all others: {counted}");
    }

    #[test]
    fn the_only_site_there_is_has_all_votes() {
        let mut votes = Votes::default();
        votes.trust("good.example");
        assert!((0..200).all(|_| votes.take("good.example", true)) && !votes.are_several());
    }
}
