//! A small, stable hash. The standard library's may change between releases; stored hashes must not.

/// FNV-1a with a final mix, so that short inputs spread over all bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn with(mut self, bytes: &[u8]) -> Self {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self
    }

    pub(crate) fn with_number(self, number: u64) -> Self {
        self.with(&number.to_le_bytes())
    }

    pub(crate) const fn finish(self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

pub(crate) fn hash(text: &str) -> u64 {
    Hash::new().with(text.as_bytes()).finish()
}

/// Stable hash of a body as sent: notices a page that has not changed at all, without reading it.
pub fn content_hash(bytes: &[u8]) -> i64 {
    Hash::new().with(bytes).finish().cast_signed()
}
