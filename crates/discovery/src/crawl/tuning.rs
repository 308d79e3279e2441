//! The numbers that were tuned, on other topics than those reported: docs/evaluation-discovery.md has the grid.

use super::link_model::Signs;
use serde::{Deserialize, Serialize};

/// Numbers of the judge and of the link model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tuning {
    /// What the ontology's own words weigh in the profile, against one example page.
    pub given: f32,
    /// What the words of the topic's name weigh, against the heaviest other word.
    pub name: f32,
    /// What the pages that the crawl is sure of weigh together, against the ontology and the examples.
    pub sure_pages: f32,
    /// From this score on a page is one of those.
    pub sure: f32,
    /// How much is subtracted of what the pages off the topic say.
    pub unlike: f32,
    /// Up to this score a page is one of those.
    pub unlike_below: f32,
    /// A score of one half stands so many standard deviations above the mean.
    pub shift: f32,
    /// How fast scores rise around that.
    pub slope: f32,
    /// How much of a score is what the ontology reads by itself; the rest is how far a page stands out.
    pub reading: f32,
    /// How fast the link model learns.
    pub rate: f32,
    /// How strongly it is pulled back to where it began.
    pub pull: f32,
    /// Exponent of a parent's number of links: how much less a page that links to much says about each.
    pub hub: f32,
    /// Where the link model begins, sign by sign.
    pub signs: Signs,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            given: 1.0,
            name: 4.0,
            sure_pages: 1.0,
            sure: 0.5,
            unlike: 0.25,
            unlike_below: 0.3,
            shift: 0.5,
            slope: 2.0,
            reading: 0.5,
            rate: 0.02,
            pull: 0.05,
            hub: 1.0,
            signs: [-2.0, 3.0, 6.0, 0.9, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        }
    }
}

impl Tuning {
    /// What [`Tuning::set`] knows, besides the signs.
    pub const NAMES: [&'static str; 12] = [
        "given",
        "name",
        "sure-pages",
        "sure",
        "unlike",
        "unlike-below",
        "shift",
        "slope",
        "reading",
        "rate",
        "pull",
        "hub",
    ];

    /// Sets one number by its name, `signs.N` for a sign; for grids.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let place = match name {
            "given" => &mut self.given,
            "name" => &mut self.name,
            "sure-pages" => &mut self.sure_pages,
            "sure" => &mut self.sure,
            "unlike" => &mut self.unlike,
            "unlike-below" => &mut self.unlike_below,
            "shift" => &mut self.shift,
            "slope" => &mut self.slope,
            "reading" => &mut self.reading,
            "rate" => &mut self.rate,
            "pull" => &mut self.pull,
            "hub" => &mut self.hub,
            _ => {
                let sign = name.strip_prefix("signs.").and_then(|number| number.parse::<usize>().ok());
                match sign.and_then(|sign| self.signs.get_mut(sign)) {
                    Some(place) => place,
                    None => return false,
                }
            }
        };
        *place = value;
        true
    }
}
