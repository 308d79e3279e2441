//! The pages a crawl has read.

use super::grow;
use super::known::{Known, Spot, SpotState};

/// What is remembered of a page.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) spot: Spot,
    pub(crate) first_link: u32,
    /// Links to different URLs, C in (5).
    pub(crate) links: u32,
    /// How much it says about each page it links to: less, the more there are.
    pub(crate) share: f32,
    /// How sure it is that the page is on the topic, 0 to 1.
    pub(crate) score: f32,
    /// Normalised relevance (2) as the ontology reads it.
    pub(crate) content: f32,
    /// PRS (7): the cosine with the topic's words.
    pub(crate) cosine: f32,
    /// Children crawled, t in (8), and the sum of their scores.
    pub(crate) children: u32,
    pub(crate) good_children: f32,
    /// Children crawled that are on the topic, t⁺ in (8).
    pub(crate) hits: u32,
    /// For ranks: does it count, and what has it not handed on yet?
    pub(crate) debt: f32,
    pub(crate) counts: bool,
    pub(crate) on_topic: bool,
}

impl Page {
    /// A page nothing is known about yet.
    pub(crate) fn new(spot: Spot) -> Self {
        Self {
            spot,
            first_link: 0,
            links: 0,
            share: 1.0,
            score: 0.0,
            content: 0.0,
            cosine: 0.0,
            children: 0,
            good_children: 0.0,
            hits: 0,
            debt: 0.0,
            counts: false,
            on_topic: false,
        }
    }
}

/// All pages read, by number.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    all: Vec<Page>,
}

impl Pages {
    pub(crate) fn len(&self) -> u32 {
        self.all.len() as u32
    }

    pub(crate) fn add(&mut self, page: Page) -> u32 {
        grow::push(&mut self.all, page);
        self.len() - 1
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Page> {
        self.all.get(number as usize)
    }

    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Page> {
        self.all.get_mut(number as usize)
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Page> {
        self.all.iter()
    }

    /// The number of a fetched URL's page.
    pub(crate) fn of(&self, known: &Known) -> Option<u32> {
        (known.state == SpotState::Fetched && (known.place as usize) < self.all.len()).then_some(known.place)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Page>()
    }
}
