//! Near-duplicates: the same story on many sites, shown once.
//!
//! A `SimHash`: every run of three words votes on every bit. Texts that share most of their runs agree in most
//! bits, whatever page they are on.

use crate::hash::{Hash, hash};
use crate::text::cut;
use crate::words::for_each_word;

/// Words in one run. Two would match any two texts on a topic; four would miss edited copies.
const SHINGLE: usize = 3;

/// Fewer runs than this say nothing reliable.
const FEWEST: usize = 12;

/// More runs change no bit any more, but cost time.
const MOST: usize = 4_096;

/// The first [`MOST`] words of a text are hardly longer.
const MOST_BYTES: usize = MOST * 16;

/// The fingerprint of a text; `None` for too few words.
pub fn fingerprint(text: &str) -> Option<u64> {
    let mut words = Vec::with_capacity(MOST.min(text.len() / 4));
    for_each_word(cut(text, MOST_BYTES), &mut String::new(), |word| words.push(hash(word)));
    words.truncate(MOST);
    if words.len() < FEWEST + SHINGLE {
        return None;
    }
    let mut votes = [0_i32; 64];
    for shingle in words.windows(SHINGLE) {
        let hash = shingle.iter().fold(Hash::new(), |hash, word| hash.with_number(*word)).finish();
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    }
    Some(votes.iter().enumerate().fold(0, |print, (bit, vote)| print | u64::from(*vote > 0) << bit))
}

/// In how many of the 64 bits two fingerprints differ. Up to about 6 the texts tell the same story.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str = "The central bank held its key rate at four per cent on Thursday, saying that price growth had \
        slowed in line with its forecast while the labour market remained tight. Governor Ana Ruiz told reporters in \
        the capital that cuts were possible next year if wages cooled as the bank expects. Markets had priced in no \
        change, and the currency was little moved after the decision was announced in the early afternoon.";

    #[test]
    fn an_edited_copy_is_near_and_another_story_far() {
        let copy = STORY.replace("little moved", "hardly changed").replace("in the capital ", "");
        let other = "Rescue teams reached the valley on Sunday after the river burst its banks, cutting the only road \
            and leaving three hundred people without power. The army flew in water and blankets by helicopter, and the \
            minister promised aid for farmers who had lost their harvest to the flood within days of the storm.";
        let story = fingerprint(STORY).unwrap();
        assert!(distance(story, fingerprint(&copy).unwrap()) <= 14);
        assert!(distance(story, fingerprint(other).unwrap()) >= 20);
    }

    #[test]
    fn a_headline_has_none() {
        assert_eq!(fingerprint("Bank holds rate"), None);
    }
}
