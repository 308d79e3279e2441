//! The URLs a crawl knows, in few bytes each: no text, only what is needed to order them again.

use super::grow;
use super::words::FewWords;
use crate::table::Table;

/// Nothing here.
pub(crate) const NONE: u32 = u32::MAX;

/// A known URL by its number, in the order of discovery. It is the row number in the store, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Spot(pub u32);

/// A host by its number, in the order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct HostNumber(pub u32);

/// How far a known URL has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpotState {
    /// Waits in the frontier.
    Waiting,
    /// Handed out, not yet answered.
    Asked,
    /// Failed for now, waits for its time.
    Resting,
    /// Its page was read.
    Fetched,
    /// Led elsewhere: a redirect.
    Redirected,
    /// Will not be asked for: failed for good, refused, a trap.
    Dropped,
}

/// What is remembered of one URL. The order of the fields leaves a gap of two bytes.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) hash: u64,
    pub(crate) host: u32,
    /// The stretch of the site it belongs to.
    pub(crate) prefix: u32,
    /// Its place in its host's queue while it waits; its page's number once fetched.
    pub(crate) place: u32,
    pub(crate) priority: f32,
    /// The newest link to it.
    pub(crate) link: u32,
    /// Words of its links and of its address.
    pub(crate) words: FewWords,
    /// Where on a page its link stood, hashed.
    pub(crate) path: u16,
    /// How well the texts around its links fit the topic on the mean, in 1/65535.
    pub(crate) context: u16,
    /// How many pages link to it, as far as is remembered.
    pub(crate) links: u16,
    pub(crate) depth: u16,
    /// The names of the parameters in its address, one bit for each of its host.
    pub(crate) parameters: u8,
    pub(crate) state: SpotState,
}

/// All known URLs.
#[derive(Debug, Default)]
pub(crate) struct Knowns {
    records: Vec<Known>,
    table: Table,
}

impl Knowns {
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn find(&self, hash: u64) -> Option<Spot> {
        self.table.find(hash, |at| self.records[at as usize].hash).map(Spot)
    }

    /// Adds a URL that is not known yet.
    pub(crate) fn add(&mut self, known: Known) -> Spot {
        let spot = self.records.len() as u32;
        let hash = known.hash;
        grow::push(&mut self.records, known);
        let records = &self.records;
        self.table.insert(hash, spot, |at| records[at as usize].hash);
        Spot(spot)
    }

    pub(crate) fn get(&self, spot: Spot) -> Option<&Known> {
        self.records.get(spot.0 as usize)
    }

    pub(crate) fn get_mut(&mut self, spot: Spot) -> Option<&mut Known> {
        self.records.get_mut(spot.0 as usize)
    }

    pub(crate) fn records(&self) -> &[Known] {
        &self.records
    }

    pub(crate) fn records_mut(&mut self) -> &mut [Known] {
        &mut self.records
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<Known>() + self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_hardly_a_gap() {
        assert_eq!(size_of::<Known>(), 56);
    }
}
