//! One hash for words and addresses, the same on every machine: numbers that are kept depend on it.

/// FNV-1a with a last mixing, so that all bits are good.
pub(crate) const fn hash_text(text: &str) -> u64 {
    mixed(stir(BEGUN, text.as_bytes()))
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
