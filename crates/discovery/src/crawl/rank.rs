//! PageRank (5), kept up to date as pages come.
//!
//! PR(A) = (1 − D) + D · Σ PR(T)/C(T) over the pages T that count and link to A. A page that begins to count hands
//! D · PR/C to each of its children; a child that counts hands on what it was given, and so on. What is not handed on
//! yet stays as a debt, so that the work for one page is bounded and nothing is lost.

#[cfg(test)]
mod tests;

use super::grow;
use super::known::{Knowns, Spot};
use super::links::Links;
use super::pages::Pages;
use std::collections::VecDeque;

/// Debts smaller than this are not worth the walk.
const SMALL: f32 = 1e-5;

/// Ranks as they flow.
#[derive(Debug)]
pub(crate) struct Ranks {
    damping: f32,
    /// What URLs have been given so far, by number; as long as the highest of them. Strategies that ask for no ranks pay
    /// nothing for them.
    given: Vec<f32>,
    /// Pages that owe something to their children.
    owing: VecDeque<u32>,
}

impl Ranks {
    pub(crate) fn new(damping: f64) -> Self {
        Self { damping: damping as f32, given: Vec::new(), owing: VecDeque::new() }
    }

    /// The rank of a URL nobody links to.
    pub(crate) fn least(&self) -> f32 {
        1.0 - self.damping
    }

    /// The rank of a URL.
    pub(crate) fn of(&self, spot: Spot) -> f32 {
        self.least() + self.given.get(spot.0 as usize).copied().unwrap_or(0.0)
    }

    /// A page begins to count.
    pub(crate) fn counts(&mut self, pages: &mut Pages, number: u32) {
        if let Some(page) = pages.get_mut(number)
            && !page.counts
        {
            page.counts = true;
            page.debt = self.of(page.spot);
            self.owing.push_back(number);
        }
    }

    /// Hands on what is owed, along at most `most` links. Returns whether nothing is left.
    pub(crate) fn flow(&mut self, knowns: &Knowns, pages: &mut Pages, links: &Links, most: usize) -> bool {
        let mut done = 0;
        while done < most
            && let Some(number) = self.owing.pop_front()
        {
            let Some(page) = pages.get_mut(number) else { continue };
            let debt = std::mem::take(&mut page.debt);
            let (first, count) = (page.first_link, page.links);
            if count == 0 {
                continue;
            }
            let share = self.damping * debt / count as f32;
            done += count as usize;
            for child in links.children(first, count) {
                self.give(knowns, pages, child, share);
            }
        }
        self.owing.is_empty()
    }

    fn give(&mut self, knowns: &Knowns, pages: &mut Pages, child: Spot, share: f32) {
        let Some(known) = knowns.get(child) else { return };
        while self.given.len() <= child.0 as usize {
            grow::push(&mut self.given, 0.0);
        }
        self.given[child.0 as usize] += share;
        let Some(page) = pages.of(known).and_then(|number| Some((number, pages.get_mut(number)?))) else {
            return;
        };
        let (number, page) = page;
        if page.counts {
            let before = page.debt;
            page.debt += share;
            // Already in the row if it owed enough before.
            if before < SMALL && page.debt >= SMALL {
                self.owing.push_back(number);
            }
        }
    }
}
