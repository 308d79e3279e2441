//! Whose pages may teach, and how many of them: learning can be poisoned by whoever can make pages.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Pages of one site that count, unless the user chose the site.
const MOST_VOTES: u32 = 25;
/// Sites whose votes are counted; beyond, a site nobody has heard of has no vote.
const MOST_SITES: usize = 20_000;

/// The votes given so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Votes {
    trusted: BTreeSet<String>,
    given: BTreeMap<String, u32>,
}

impl Votes {
    pub(super) fn trust(&mut self, host: &str) {
        self.trusted.insert(site(host));
    }

    pub(super) fn is_trusted(&self, site: &str) -> bool {
        self.trusted.contains(site)
    }

    /// Takes a vote from a host; `false` if it has had all of its votes.
    pub(super) fn take(&mut self, host: &str) -> bool {
        let site = site(host);
        if self.trusted.contains(&site) {
            return true;
        }
        if self.given.len() >= MOST_SITES && !self.given.contains_key(&site) {
            return false;
        }
        let given = self.given.entry(site).or_default();
        *given += u32::from(*given <= MOST_VOTES);
        *given <= MOST_VOTES
    }
}

/// Who stands behind a host: its last two names, or three below a short second name such as `co.uk`. Subdomains
/// cost nothing, so they have no votes of their own.
pub(super) fn site(host: &str) -> String {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let names: Vec<&str> = host.split('.').collect();
    if host.contains(':')
        || host.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || names.len() <= 2
    {
        return host;
    }
    let count = names.len();
    let short = names[count - 2].len() <= 3 && names[count - 1].len() == 2;
    names[count - if short { 3 } else { 2 }..].join(".")
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
        let counted = (0..200).filter(|number| votes.take(&format!("h{number}.evil.example"))).count();
        assert_eq!(counted, MOST_VOTES as usize);
        votes.trust("www.good.example");
        assert!((0..200).all(|_| votes.take("good.example")));
    }
}
