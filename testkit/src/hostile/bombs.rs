//! Small bodies that unpack to a great deal of nothing. Written by hand where no encoder is at hand.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::sync::LazyLock;

/// 16 MiB of zeros in about 16 KiB.
pub fn gzip_bomb() -> Vec<u8> {
    static BOMB: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::default());
        let zeros = vec![0; 1 << 20];
        (0..16).for_each(|_| bomb.write_all(&zeros).unwrap());
        bomb.finish().unwrap()
    });
    BOMB.clone()
}

/// 128 MiB of zeros in 4 KiB: run-length blocks of zstd (RFC 8878, section 3.1.1.2).
pub fn zstd_bomb() -> Vec<u8> {
    const BLOCKS: usize = 1024;
    const BLOCK: u32 = 128 << 10;
    // Magic number, no options, a window of 128 KiB.
    let mut bomb = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    for number in 1..=BLOCKS {
        let last = u32::from(number == BLOCKS);
        let run_length = 1 << 1;
        bomb.extend_from_slice(&(last | run_length | BLOCK << 3).to_le_bytes()[..3]);
        bomb.push(0);
    }
    bomb
}

/// 128 MiB of zeros in some 120 bytes: brotli meta-blocks whose every code has a single symbol, so that a
/// literal costs no bits at all (RFC 7932, section 9).
pub fn brotli_bomb() -> Vec<u8> {
    const BLOCK: u64 = 1 << 24;
    let mut bits = Bits::default();
    bits.push(0b0, 1); // window of 64 KiB
    for _ in 0..8 {
        bits.push(0b0, 1); // not the last
        bits.push(0b10, 2); // length in 6 nibbles
        bits.push(BLOCK - 1, 24);
        bits.push(0b0, 1); // compressed
        bits.push(0b000, 3); // one block type each for literals, commands, distances
        bits.push(0b00_0000, 6); // no postfix bits, no direct distances
        bits.push(0b00, 2); // literal context mode
        bits.push(0b00, 2); // one tree each for literals and distances
        for (symbol, width) in [(0, 8), (INSERT_MOST, 10), (0, 6)] {
            bits.push(0b0001, 4); // a simple code of one symbol
            bits.push(symbol, width);
        }
        bits.push(BLOCK - INSERT_BASE, 24);
    }
    bits.push(0b11, 2); // the last, and empty
    bits.bytes
}

/// The command "insert at least 22,594 literals, told in 24 extra bits".
const INSERT_MOST: u64 = 504;
const INSERT_BASE: u64 = 22_594;

/// Writes numbers of any width, lowest bit first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn push(&mut self, value: u64, width: u32) {
        for bit in 0..width {
            if self.used == 0 {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= u8::from(value >> bit & 1 == 1) << self.used;
            }
            self.used = (self.used + 1) % 8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Read};

    /// Whether at least 8 MiB come out; all of it takes half a minute in a debug build.
    fn goes_off(reader: impl Read) -> bool {
        io::copy(&mut reader.take(8 << 20), &mut io::sink()).unwrap() == 8 << 20
    }

    #[test]
    fn the_bombs_go_off() {
        let (gzip, zstd, brotli) = (gzip_bomb(), zstd_bomb(), brotli_bomb());
        assert!(gzip.len() < 20_000 && zstd.len() < 5_000 && brotli.len() < 200);
        assert!(goes_off(flate2::read::GzDecoder::new(gzip.as_slice())));
        assert!(goes_off(ruzstd::decoding::StreamingDecoder::new(zstd.as_slice()).unwrap()));
        assert!(goes_off(brotli_decompressor::Decompressor::new(brotli.as_slice(), 4096)));
    }
}
