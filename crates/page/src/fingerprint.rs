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

/// The same idea in a tenth of the time, for crawls, which have cut a page into words and hashed them anyway: fewer words,
/// another hash. The two kinds cannot be compared.
pub fn quick_fingerprint(hashes: impl Iterator<Item = u64>) -> Option<u64> {
    let mut words = [0_u64; SHINGLE];
    let mut votes = Votes::NONE;
    let mut count = 0_usize;
    for hash in hashes.take(QUICK_WORDS) {
        words.rotate_left(1);
        words[SHINGLE - 1] = hash;
        count += 1;
        if count >= SHINGLE {
            let [a, b, c] = words;
            votes.add(mix(a ^ mix(b ^ mix(c))));
        }
    }
    (count >= FEWEST + SHINGLE).then(|| votes.majority())
}

/// Enough to tell pages made by one template apart.
const QUICK_WORDS: usize = 1_200;

/// One multiplication spreads low bits upwards, the shift brings them back.
fn mix(number: u64) -> u64 {
    let spread = (number ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93);
    spread ^ spread >> 32
}

/// Counts of set bits: 8 bits to a number, a byte each, emptied before a byte is full.
struct Votes {
    bytes: [u64; 8],
    pending: u32,
    counts: [u32; 64],
    all: u32,
}

impl Votes {
    const NONE: Self = Self { bytes: [0; 8], pending: 0, counts: [0; 64], all: 0 };

    fn add(&mut self, hash: u64) {
        for (lane, byte) in self.bytes.iter_mut().zip(hash.to_le_bytes()) {
            *lane += SPREAD[usize::from(byte)];
        }
        self.all += 1;
        self.pending += 1;
        if self.pending == 255 {
            self.empty();
        }
    }

    fn empty(&mut self) {
        for (lane, counts) in self.bytes.iter_mut().zip(self.counts.chunks_mut(8)) {
            for (count, byte) in counts.iter_mut().zip(lane.to_le_bytes()) {
                *count += u32::from(byte);
            }
            *lane = 0;
        }
        self.pending = 0;
    }

    fn majority(mut self) -> u64 {
        self.empty();
        let set = self.counts.iter().enumerate().filter(|(_, count)| **count * 2 > self.all);
        set.fold(0, |print, (bit, _)| print | 1 << bit)
    }
}

/// Each of a byte's bits in a byte of its own.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

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
    fn the_quick_kind_tells_the_same() {
        let copy = STORY.replace("little moved", "hardly changed").replace("in the capital ", "");
        let other = STORY.split_whitespace().rev().collect::<Vec<_>>().join(" ");
        let print = |text: &str| quick_fingerprint(text.split_whitespace().map(hash));
        let story = print(STORY).unwrap();
        assert!(distance(story, print(&copy).unwrap()) <= 16);
        assert!(distance(story, print(&other).unwrap()) >= 20);
        assert_eq!(print("Bank holds rate"), None);
        let long = STORY.repeat(40);
        assert!(distance(story, print(&long).unwrap()) <= 8);
    }

    #[test]
    fn votes_are_a_majority() {
        let mut votes = Votes::NONE;
        (0..400).for_each(|_| votes.add(0b101));
        (0..300).for_each(|_| votes.add(0b110));
        assert_eq!(votes.majority(), 0b101);
    }

    #[test]
    fn a_headline_has_none() {
        assert_eq!(fingerprint("Bank holds rate"), None);
    }
}
