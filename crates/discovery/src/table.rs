//! From a hash to a number in four bytes a place: open addressing, the hashes themselves stay in the records.

/// Nothing here.
const NONE: u32 = u32::MAX;

/// Numbers by their hashes.
#[derive(Debug, Default)]
pub(crate) struct Table {
    places: Vec<u32>,
    used: usize,
}

impl Table {
    /// With room for so many before it must be widened.
    pub(crate) fn with_room(count: usize) -> Self {
        Self { places: vec![NONE; (count + 1) * 5 / 4 + 1], used: 0 }
    }

    pub(crate) fn find(&self, hash: u64, hash_of: impl Fn(u32) -> u64) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let mut place = self.start(hash);
        loop {
            match self.places[place] {
                NONE => return None,
                number if hash_of(number) == hash => return Some(number),
                _ => place = (place + 1) % self.places.len(),
            }
        }
    }

    /// Adds a number whose hash is not yet here.
    pub(crate) fn insert(&mut self, hash: u64, number: u32, hash_of: impl Fn(u32) -> u64) {
        // Four fifths full: a search then looks at three places on average.
        if (self.used + 1) * 5 > self.places.len() * 4 {
            self.widen(&hash_of);
        }
        self.place(hash, number);
        self.used += 1;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<u32>()
    }

    fn widen(&mut self, hash_of: &impl Fn(u32) -> u64) {
        let wider = (self.places.len() / 2 * 3).max(64);
        let old = std::mem::replace(&mut self.places, vec![NONE; wider]);
        for number in old.into_iter().filter(|number| *number != NONE) {
            self.place(hash_of(number), number);
        }
    }

    fn place(&mut self, hash: u64, number: u32) {
        let mut place = self.start(hash);
        while self.places[place] != NONE {
            place = (place + 1) % self.places.len();
        }
        self.places[place] = number;
    }

    /// The high half of a product spreads hashes evenly over any length.
    fn start(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.places.len() as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn finds_what_a_map_finds(hashes in prop::collection::vec(0_u64..200, 0..400), spread in 1_u64..u64::MAX) {
            let mut table = Table::default();
            let mut model: HashMap<u64, u32> = HashMap::new();
            let mut records: Vec<u64> = Vec::new();
            for hash in hashes.iter().map(|hash| hash.wrapping_mul(spread)) {
                let found = table.find(hash, |at| records[at as usize]);
                prop_assert_eq!(found, model.get(&hash).copied());
                if found.is_none() {
                    let number = records.len() as u32;
                    records.push(hash);
                    table.insert(hash, number, |at| records[at as usize]);
                    model.insert(hash, number);
                }
            }
        }
    }
}
