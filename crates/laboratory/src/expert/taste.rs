//! Which words a person would pick, whatever they catch.

use super::lexicon::{Choice, Lexicon, Reading};
use super::settings::Taste;
use knowledge::{Field, Fields, Mode, Polarity, Words};
use std::collections::BTreeSet;

/// Shorter parts of a folder's name, such as "of", are not what the folder is about.
const SHORTEST_PART: usize = 3;

/// The words of a folder's name, and their stems.
pub(super) fn parts_of(name: &str, lexicon: &Lexicon) -> BTreeSet<String> {
    let words = Words::of(&Fields { title: Some(name.into()), ..Fields::default() });
    let parts = words.in_order(Field::Title).iter().filter(|part| part.chars().count() >= SHORTEST_PART);
    parts.flat_map(|part| [part.clone(), lexicon.stem(part)]).collect()
}

impl Taste {
    /// What a literal is worth, apart from what it catches; `rate` is how often it holds where the rule should not fire.
    pub(super) fn of(
        &self,
        choice: Choice,
        lexicon: &Lexicon,
        reading: &Reading,
        name: &BTreeSet<String>,
        rate: f64,
    ) -> f64 {
        let feature = lexicon.get(choice.feature);
        let is_everywhere = choice.polarity == Polarity::Has && rate > self.common;
        let when = |is: bool, worth: f64| if is { worth } else { 0.0 };
        let mode = feature.term.mode();
        let shape = when(feature.term.field() == Field::Title, self.title)
            + when(mode == Mode::Stem, self.stem)
            + when(mode == Mode::Phrase, self.phrase)
            + when(feature.is_function_word || is_everywhere, self.empty)
            + when(feature.has_digit, self.digit);
        shape
            + match choice.polarity {
                Polarity::Lacks => self.lacking,
                Polarity::Has => {
                    let is_name = mode != Mode::Phrase && name.contains(&*feature.text);
                    let count = reading.count(choice.feature).max(1);
                    when(is_name, self.name) + self.repeated * f64::from(count).ln()
                }
            }
    }
}
