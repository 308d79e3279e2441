//! Digests and record ids.

use sha2::{Digest, Sha256};

/// The labelled digest of some bytes that lie in pieces: `sha256:` and base 32, as readers of WARC compare it.
pub fn digest(pieces: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update(piece);
    }
    format!("sha256:{}", base32(&hash.finalize()))
}

/// A record id made of what the record is: the same record gets the same id, no two others do.
pub(crate) fn record_id(pieces: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for piece in pieces {
        hash.update((piece.len() as u64).to_le_bytes());
        hash.update(piece);
    }
    let mut bytes: [u8; 16] = [0; 16];
    for (byte, from) in bytes.iter_mut().zip(hash.finalize()) {
        *byte = from;
    }
    // RFC 9562: version 8, made by rules of our own.
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "<urn:uuid:{}-{}-{}-{}-{}>",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// RFC 4648, upper case, padded.
fn base32(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let mut text = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for group in bytes.chunks(5) {
        let number = (0..5).fold(0_u64, |number, at| number << 8 | u64::from(group.get(at).copied().unwrap_or(0)));
        let letters = (group.len() * 8).div_ceil(5);
        for at in 0..8 {
            let letter = LETTERS[(number >> (35 - 5 * at) & 31) as usize];
            text.push(if at < letters { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_32_as_in_rfc_4648() {
        let coded = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base32(text.as_bytes()));
        assert_eq!(
            coded,
            ["", "MY======", "MZXQ====", "MZXW6===", "MZXW6YQ=", "MZXW6YTB", "MZXW6YTBOI======"]
        );
    }

    #[test]
    fn pieces_are_not_run_together() {
        assert_eq!(digest(&[b"ab", b"c"]), digest(&[b"abc"]));
        assert_ne!(record_id(&[b"ab", b"c"]), record_id(&[b"a", b"bc"]));
    }
}
