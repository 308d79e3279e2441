//! The words of the world: all invented for it. Real are only the countries and the sports.
//!
//! Text grows from *templates* with *slots*. `{slot}` is a fact: within one story it is always the same
//! word. `{~slot}` is wording: drawn anew each time. `{a:slot}` puts "a" or "an" before. A digit at the end
//! (`{town2}`) asks for another fact of the same kind. See `prose` for who fills them.

pub(crate) mod business;
pub(crate) mod common;
pub(crate) mod countries;
pub(crate) mod crime;
pub(crate) mod kinship;
pub(crate) mod politics;
pub(crate) mod sport;
pub(crate) mod sports;
pub(crate) mod technology;
pub(crate) mod weather;

use crate::subject::Topic;

/// A slot's name and what may fill it.
pub(crate) type Class = (&'static str, &'static [&'static str]);

/// The language of a topic.
#[derive(Debug)]
pub(crate) struct Theme {
    /// Headlines, 5 to 12 words once filled.
    pub(crate) headlines: &'static [&'static str],
    /// First sentences, which also serve as teasers.
    pub(crate) leads: &'static [&'static str],
    /// What fills the paragraphs.
    pub(crate) sentences: &'static [&'static str],
    /// The topic's own slots.
    pub(crate) classes: &'static [Class],
}

/// The language of `topic`.
pub(crate) fn theme(topic: Topic) -> &'static Theme {
    match topic {
        Topic::Politics => &politics::THEME,
        Topic::Business => &business::THEME,
        Topic::Technology => &technology::THEME,
        Topic::Weather => &weather::THEME,
        Topic::Crime => &crime::THEME,
        Topic::Sport => &sport::THEME,
    }
}
