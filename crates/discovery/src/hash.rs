//! One hash for words and addresses, the same on every machine: numbers that are kept depend on it.

/// FNV-1a with a last mixing, so that all bits are good.
pub(crate) const fn hash_text(text: &str) -> u64 {
    mixed(stir(BEGUN, text.as_bytes()))
}

/// A word's own hash, several bytes at a time: for what lives no longer than the process. Never 0.
pub(crate) fn hash_word(word: &str) -> u64 {
    let (chunks, rest) = word.as_bytes().as_chunks::<8>();
    let last = rest.iter().fold(word.len() as u64, |last, byte| last << 8 | u64::from(*byte));
    let hash = chunks.iter().fold(BEGUN, |hash, chunk| blend(hash ^ u64::from_le_bytes(*chunk)));
    blend(hash ^ last).max(1)
}

fn blend(number: u64) -> u64 {
    let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (spread ^ spread >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(29)
}

/// Where FNV-1a begins.
pub(crate) const BEGUN: u64 = 0xcbf2_9ce4_8422_2325;

/// Goes on with more bytes.
pub(crate) const fn stir(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// The end of a hash: all its bits are good.
pub(crate) const fn mixed(hash: u64) -> u64 {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed ^ (mixed >> 32)
}
