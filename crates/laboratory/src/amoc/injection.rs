//! Bursts to be noticed.

use super::Protocol;
use super::series::Series;
use crate::random::Random;

/// How large bursts are, in mean days of their folder.
const FACTORS: [f64; 3] = [0.75, 1.5, 3.0];

/// A burst that is added to a folder's counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Injection {
    /// The folder's place in the list.
    pub folder: usize,
    /// The window in which it begins.
    pub onset: usize,
    /// How large it is, in mean days.
    pub factor: f64,
    /// What it adds: windows after the onset, source, stories.
    pub added: Vec<(usize, usize, u32)>,
}

/// Draws bursts, all folders and sizes in turn: the onset anywhere after the burn-in, each story in any window of the
/// spread, from a source by its share in the folder.
pub fn injections(all: &[Series], count: usize, seed: u64, protocol: &Protocol) -> Vec<Injection> {
    let mut random = Random::new(seed);
    let folders: Vec<usize> =
        (0..all.len()).filter(|at| all.get(*at).is_some_and(|one| one.total() > 0)).collect();
    let mut drawn = Vec::with_capacity(count);
    let cells = folders.iter().flat_map(|folder| FACTORS.map(|factor| (*folder, factor)));
    for (folder, factor) in cells.cycle().take(if folders.is_empty() { 0 } else { count }) {
        let Some(series) = all.get(folder) else { continue };
        let first = protocol.burn_in;
        let room = series.windows().saturating_sub(first + protocol.patience);
        let onset = first + random.below(room);
        let stories = (factor * series.mean_day()).round().max(1.0) as u64;
        let mut added: Vec<(usize, usize, u32)> = Vec::new();
        for _ in 0..stories {
            let window = random.below(protocol.spread);
            let source = by_share(series, &mut random);
            match added.iter_mut().find(|(at, from, _)| *at == window && *from == source) {
                Some((_, _, stories)) => *stories += 1,
                None => added.push((window, source, 1)),
            }
        }
        drawn.push(Injection { folder, onset, factor, added });
    }
    drawn
}

/// The source of a story drawn from all of the folder.
fn by_share(series: &Series, random: &mut Random) -> usize {
    let mut left = random.below(usize::try_from(series.total()).unwrap_or(usize::MAX)) as u64;
    for (at, count) in series.counts.iter().enumerate() {
        let count = u64::from(*count);
        if left < count {
            return at % series.sources.max(1);
        }
        left -= count;
    }
    0
}
