//! The links between pages and known URLs: 12 bytes each, walked from either end.

use super::grow;
use super::known::{Knowns, NONE, Spot};

/// All links that are remembered.
#[derive(Debug, Default)]
pub(crate) struct Links {
    all: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    /// The page's number.
    from: u32,
    to: u32,
    /// The link to the same URL that came before.
    before: u32,
}

/// Parents that are looked at: the newest. A URL with more of them is known well enough.
const PARENTS: usize = 64;

impl Links {
    pub(crate) fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// Adds a link. Those of one page must come in a row.
    pub(crate) fn add(&mut self, knowns: &mut Knowns, page: u32, to: Spot) {
        let number = self.len();
        if let Some(known) = knowns.get_mut(to) {
            grow::push(&mut self.all, Link { from: page, to: to.0, before: known.link });
            known.link = number;
            known.links = known.links.saturating_add(1);
        }
    }

    /// Where the links of a page lead; `first` is the number of its first link.
    pub(crate) fn children(&self, first: u32, count: u32) -> impl Iterator<Item = Spot> {
        let end = (first as usize + count as usize).min(self.all.len());
        self.all.get(first as usize..end).unwrap_or_default().iter().map(|link| Spot(link.to))
    }

    /// The numbers of the pages that link to a URL, the newest first.
    pub(crate) fn parents(&self, knowns: &Knowns, spot: Spot) -> impl Iterator<Item = u32> {
        let mut at = knowns.get(spot).map_or(NONE, |known| known.link);
        let next = move || {
            let link = self.all.get(at as usize)?;
            at = link.before;
            Some(link.from)
        };
        std::iter::from_fn(next).take(PARENTS)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Link>()
    }
}
