//! Stopping rules made for articles that were ticked as not belonging.

use super::{Draft, TeachError, Unwanted};
use crate::archive::Archive;
use crate::base::Base;
use crate::field::Field;
use crate::literal::{Literal, Mode, Term};
use crate::words::Words;
use roaring::RoaringBitmap;
use std::collections::BTreeSet;

/// A stop may need a second word to spare articles that do belong; a third would be a coincidence.
const MOST_WORDS: usize = 2;

impl Draft {
    /// Conditions of stopping rules under the new rule which together stop the unwanted articles it catches, without
    /// stopping the article itself and, as far as words can tell, without stopping the others it catches.
    pub fn propose_stops(
        &self,
        base: &Base,
        unwanted: Unwanted<'_>,
    ) -> Result<Vec<Vec<Literal>>, TeachError> {
        let archive = unwanted.archive;
        let caught = self.what_if(base, archive)?.caught;
        let mut open = &caught & unwanted.articles;
        let spared = &caught - unwanted.articles;
        let mut stops = Vec::new();
        while let Some(newest) = open.max() {
            let text = archive.text(newest);
            let best = text.and_then(|text| self.best_stop(archive, &Words::of(&text), &open, &spared));
            // Whatever comes of it, each article is looked at once: it may say the same as our own article, or
            // have changed since the archive looked.
            open.remove(newest);
            if let Some((stop, stopped)) = best.filter(|(_, stopped)| stopped.contains(newest)) {
                open -= stopped;
                stops.push(stop);
            }
        }
        Ok(stops)
    }

    /// The condition, true of one unwanted article and false of ours, that spares most and then stops most.
    fn best_stop(
        &self,
        archive: &Archive,
        one: &Words,
        open: &RoaringBitmap,
        spared: &RoaringBitmap,
    ) -> Option<(Vec<Literal>, RoaringBitmap)> {
        let mut candidates: BTreeSet<Literal> = BTreeSet::new();
        for field in [Field::Title, Field::Body] {
            let terms = one.distinct(field).filter_map(|word| Term::new(field, Mode::Exact, word).ok());
            candidates.extend(terms.map(Literal::has));
        }
        let own = |literal: &Literal| self.holds(literal);
        let mut stop: Vec<Literal> = Vec::new();
        let (mut stopped, mut hurt) = (open.clone(), spared.clone());
        for place in 0..MOST_WORDS {
            let best = candidates
                .iter()
                // The first word must be one that our article lacks: then the stop cannot catch it.
                .filter(|literal| place > 0 || !own(literal))
                .filter(|literal| !stop.contains(literal))
                .max_by_key(|literal| {
                    let stops = archive.count_holding(literal, &stopped);
                    let hurts = archive.count_holding(literal, &hurt);
                    (std::cmp::Reverse(hurts), stops, std::cmp::Reverse((*literal).clone()))
                })?
                .clone();
            let with = archive.holding_words(&best);
            stopped &= &with;
            hurt &= with;
            stop.push(best);
            if hurt.is_empty() {
                break;
            }
        }
        Some((stop, stopped))
    }
}
