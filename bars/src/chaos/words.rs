//! Words for headlines and texts.

use sample::Dice;
use std::fmt::Write as _;

/// The words by which headlines are filed, each into a folder of its own.
pub(super) const TOPICS: [&str; 24] = [
    "harvest",
    "election",
    "cyclone",
    "tournament",
    "pipeline",
    "orchestra",
    "vaccine",
    "railway",
    "currency",
    "satellite",
    "fishery",
    "parliament",
    "wildfire",
    "museum",
    "semiconductor",
    "glacier",
    "pension",
    "harbour",
    "drought",
    "festival",
    "verdict",
    "airport",
    "volcano",
    "strike",
];

/// The word by which texts are filed.
pub(super) const TEXT_WORD: &str = "zeppelin";

const SYLLABLES: [&str; 24] = [
    "ba", "cor", "del", "fin", "gra", "hol", "jun", "kel", "lo", "mar", "nev", "or", "pel", "quin", "ro",
    "sal", "tor", "un", "vel", "wen", "xan", "yor", "zim", "ast",
];

fn word(dice: &mut Dice) -> String {
    (0..3).filter_map(|_| dice.pick(&SYLLABLES)).copied().collect()
}

/// A headline that no other article has.
pub(super) fn headline(number: u64, topic: Option<&str>) -> String {
    let mut dice = Dice::new(number ^ 0x5eed_0000_0000);
    let mut words: Vec<String> = (0..5).map(|_| word(&mut dice)).collect();
    if let Some(topic) = topic {
        topic.clone_into(&mut words[2]);
    }
    format!("The {} of number {number}", words.join(" "))
}

/// Some sentences; the same for the same number.
pub(super) fn sentences(number: u64, count: usize) -> String {
    let mut dice = Dice::new(number ^ 0x7e87_0000_0000);
    let mut text = String::new();
    for _ in 0..count {
        let words: Vec<String> = (0..11).map(|_| word(&mut dice)).collect();
        let _ = write!(text, "Today the {} said so. ", words.join(" "));
    }
    text
}
