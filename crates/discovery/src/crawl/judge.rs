//! How sure a crawl is that a page is on its topic.
//!
//! The ontology says what a page has to do with the topic by the words it was given. The judge also knows what the
//! pages of this crawl say anyway, and compares: a profile of the topic begins with the ontology's words, takes in
//! the pages it is surest of, and weighs each word by how rare it is here (Rocchio 1971 with tf·idf; the pages are
//! positive and unlabelled). A page's score is how far its cosine with the profile stands out from the others'.

use super::tuning::Tuning;
use super::words::{BUCKETS, Word};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Pages whose words are kept for comparing again; the newest, and the first.
const KEPT: usize = 1_000;
/// Words kept of one page: the strongest.
const PAGE_WORDS: usize = 600;
/// How many pages the profile takes in at most.
const TAKEN_IN: usize = 60;
/// Fewer pages than this weigh less: one page alone would pull the profile to itself.
const FEWEST: f32 = 5.0;
/// Counts whose logarithms are at hand; more often seen is as common as can be.
const LOGARITHMS: usize = 4_096;
/// Fewer pages off the topic than this say nothing about it.
const FEW: usize = 5;

/// Judges the pages of one crawl.
#[derive(Debug)]
pub(crate) struct Judge {
    learning: bool,
    tuning: Tuning,
    /// Was any page vouched for?
    examples: bool,
    /// On how many pages each word was seen.
    seen: Vec<u16>,
    /// The ontology's words and their weights.
    given: Vec<(Word, f32)>,
    /// The words of the topic's name.
    name: Vec<Word>,
    /// The profile, by word; its length is 1.
    profile: Vec<f32>,
    pages: u32,
    kept: Vec<Kept>,
    sums: Sums,
    mean: f32,
    deviation: f32,
    /// What pages told that were judged before a restart and are not kept.
    before: Before,
    /// Words of titles: the sum of scores and the number of pages.
    titles: HashMap<Word, (f32, f32)>,
    /// Mean score of the pages.
    base: f32,
    /// ln(pages + 1), and ln(seen + ½) by `seen`.
    all: f32,
    logarithms: Vec<f32>,
}

#[derive(Debug)]
struct Kept {
    page: u32,
    words: Box<[(Word, f32)]>,
    title: Box<[Word]>,
    cosine: f32,
    /// What the ontology made of it.
    reading: f32,
    score: f32,
    /// Given by the user as an example.
    sure: bool,
}

/// Sums over the kept pages, brought up to date page by page: adding all of them up for each was a thirtieth of a crawl's work.
#[derive(Debug, Default)]
struct Sums {
    /// Of those that nobody vouched for.
    pages: f64,
    cosines: f64,
    squares: f64,
    /// Of all.
    scores: f64,
}

impl Sums {
    fn of(kept: &[Kept]) -> Self {
        let mut sums = Self::default();
        for kept in kept {
            sums.count(kept, 1.0);
        }
        sums
    }

    /// Adds a page, or takes it away.
    fn count(&mut self, kept: &Kept, sign: f64) {
        self.scores += sign * f64::from(kept.score);
        if !kept.sure {
            let cosine = f64::from(kept.cosine);
            self.pages += sign;
            self.cosines += sign * cosine;
            self.squares += sign * cosine * cosine;
        }
    }
}

/// Pages that are not kept any more, as far as others are measured by them.
#[derive(Debug, Default)]
struct Before {
    pages: f32,
    mean: f32,
    variance: f32,
    base: f32,
    titles: HashMap<Word, (f32, f32)>,
}

/// What survives a restart: enough to judge alike, without the pages' words.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct JudgeState {
    pages: u32,
    examples: bool,
    seen: Vec<(Word, u16)>,
    profile: Vec<(Word, f32)>,
    titles: Vec<(Word, f32, f32)>,
    /// How many pages the mean is of.
    #[serde(default)]
    judged: u32,
    mean: f32,
    deviation: f32,
    base: f32,
}

/// Words of each kind that survive: the strongest.
const SURVIVORS: usize = 4_000;

impl Judge {
    pub(crate) fn state(&self) -> JudgeState {
        let mut seen: Vec<(Word, u16)> = numbered(&self.seen).filter(|(_, count)| *count > 1).collect();
        seen.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
        seen.truncate(SURVIVORS);
        let mut profile: Vec<(Word, f32)> =
            numbered(&self.profile).filter(|(_, weight)| *weight > 0.0).collect();
        profile.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        profile.truncate(SURVIVORS);
        let mut titles: Vec<(Word, f32, f32)> =
            self.titles.iter().map(|(word, (score, pages))| (*word, *score, *pages)).collect();
        titles.sort_by(|one, other| other.2.total_cmp(&one.2).then(one.0.cmp(&other.0)));
        titles.truncate(SURVIVORS);
        let (mean, deviation, base) = (self.mean, self.deviation, self.base);
        JudgeState {
            pages: self.pages,
            examples: self.examples,
            seen,
            profile,
            titles,
            judged: self.judged() as u32,
            mean,
            deviation,
            base,
        }
    }

    /// Pages that the mean is of.
    fn judged(&self) -> f32 {
        (self.before.pages + self.kept.len() as f32).min(KEPT as f32)
    }

    pub(crate) fn restore(&mut self, state: JudgeState) {
        self.pages = state.pages;
        self.examples = state.examples;
        self.all = (state.pages as f32 + 1.0).ln();
        for (word, count) in state.seen {
            self.seen[word as usize % BUCKETS] = count;
        }
        // What was learned becomes what is given: the pages it came from are not here any more.
        self.given = state
            .profile
            .iter()
            .map(|(word, weight)| (*word, weight / self.rarity(*word).max(0.1)))
            .collect();
        self.titles = state.titles.into_iter().map(|(word, score, pages)| (word, (score, pages))).collect();
        (self.mean, self.deviation, self.base) = (state.mean, state.deviation.max(1e-3), state.base);
        self.before = Before {
            pages: state.judged as f32,
            mean: self.mean,
            variance: self.deviation * self.deviation,
            base: self.base,
            titles: self.titles.clone(),
        };
        self.draw_profile();
    }

    pub(crate) fn new(given: Vec<(Word, f32)>, name: Vec<Word>, learning: bool, tuning: Tuning) -> Self {
        let mut judge = Self {
            learning,
            tuning,
            examples: false,
            seen: vec![0; BUCKETS],
            given,
            name,
            profile: vec![0.0; BUCKETS],
            pages: 0,
            kept: Vec::new(),
            sums: Sums::default(),
            mean: 0.0,
            deviation: 1.0,
            before: Before::default(),
            titles: HashMap::new(),
            base: 0.5,
            all: 0.0,
            logarithms: (0..LOGARITHMS).map(|seen| (seen as f32 + 0.5).ln()).collect(),
        };
        judge.draw_profile();
        judge
    }

    /// Takes in a page, and says how sure it is that the page is on the topic.
    ///
    /// A page somebody vouched for is an example. As long as there is none, the ontology's own reading is the measure.
    pub(crate) fn judge(
        &mut self,
        page: u32,
        words: &[(Word, f32)],
        title: &[Word],
        reading: f32,
        sure: bool,
    ) -> f32 {
        self.examples |= sure;
        // Where the ontology itself is the measure, most pages may be on the topic, and its own words would seem common.
        if self.examples || reading < 0.5 {
            self.count_words(words);
        }
        let cosine = self.cosine(words);
        let score = if sure { 1.0 } else { self.score_of(cosine, reading) };
        self.keep(Kept { page, words: strongest(words), title: title.into(), cosine, reading, score, sure });
        self.count_title(title, score);
        score
    }

    /// Looks at everything again. Returns the pages whose scores changed.
    pub(crate) fn revise(&mut self) -> Vec<(u32, f32)> {
        self.draw_profile();
        for place in 0..self.kept.len() {
            self.kept[place].cosine = self.cosine(&self.kept[place].words);
        }
        self.sums = Sums::of(&self.kept);
        self.measure();
        let mut changed = Vec::new();
        for place in 0..self.kept.len() {
            let kept = &self.kept[place];
            let score = if kept.sure { 1.0 } else { self.score_of(kept.cosine, kept.reading) };
            if (score - kept.score).abs() > 0.01 {
                changed.push((kept.page, score));
                self.kept[place].score = score;
            }
        }
        self.count_titles();
        self.sums = Sums::of(&self.kept);
        self.measure_base();
        changed
    }

    /// Has anybody vouched for a page?
    pub(crate) fn has_examples(&self) -> bool {
        self.examples
    }

    /// The mean score of the pages seen.
    pub(crate) fn base(&self) -> f32 {
        self.base
    }

    /// How well a few words fit the profile: their cosine, each as heavy as it is rare.
    pub(crate) fn likeness(&self, words: impl Iterator<Item = Word>) -> f32 {
        let (mut dot, mut square) = (0.0, 0.0);
        for word in words {
            let rarity = self.rarity(word).max(1.0);
            dot += self.profile[word as usize % BUCKETS] * rarity;
            square += rarity * rarity;
        }
        if square > 0.0 { dot / square.sqrt() } else { 0.0 }
    }

    /// How much likelier pages are on the topic whose titles have these words: the sum of log lifts.
    pub(crate) fn lift(&self, words: impl Iterator<Item = Word>) -> f32 {
        let base = self.base.max(0.01);
        let lift = |word: Word| {
            let (score, pages) = self.titles.get(&word).copied().unwrap_or_default();
            ((score + base) / (pages + 1.0) / base).ln()
        };
        words.map(lift).sum()
    }

    fn rarity(&self, word: Word) -> f32 {
        // How rare a word is here is learned, too.
        if !self.learning {
            return 1.0;
        }
        let seen = usize::from(self.seen[word as usize % BUCKETS]);
        // A logarithm for each word of each page would be most of the work.
        (self.all - self.logarithms[seen.min(LOGARITHMS - 1)]).max(0.0)
    }

    fn cosine(&self, words: &[(Word, f32)]) -> f32 {
        let (mut dot, mut square) = (0.0, 0.0);
        for (word, strength) in words {
            let weight = strength * self.rarity(*word);
            dot += weight * self.profile[*word as usize % BUCKETS];
            square += weight * weight;
        }
        if square > 0.0 { dot / square.sqrt() } else { 0.0 }
    }

    fn score_of(&self, cosine: f32, reading: f32) -> f32 {
        if !self.examples {
            return reading;
        }
        let above = (cosine - self.mean) / self.deviation;
        let stands_out = 1.0 / (1.0 + ((self.tuning.shift - above) * self.tuning.slope).exp());
        stands_out + self.tuning.reading * (reading - stands_out)
    }

    fn count_words(&mut self, words: &[(Word, f32)]) {
        self.pages += 1;
        self.all = (self.pages as f32 + 1.0).ln();
        for (word, _) in words {
            let seen = &mut self.seen[*word as usize % BUCKETS];
            *seen = seen.saturating_add(1);
        }
    }

    fn keep(&mut self, kept: Kept) {
        if self.kept.len() >= KEPT {
            // The oldest that nobody vouched for goes.
            let oldest = self.kept.iter().position(|kept| !kept.sure).unwrap_or(0);
            let gone = self.kept.remove(oldest);
            self.sums.count(&gone, -1.0);
        }
        self.sums.count(&kept, 1.0);
        self.kept.push(kept);
        self.measure();
    }

    /// Pages from before a restart that still count: as many as there is room for beside those that are kept.
    fn room_before(&self) -> f32 {
        self.before.pages.min((KEPT - self.kept.len().min(KEPT)) as f32)
    }

    fn measure(&mut self) {
        let sums = &self.sums;
        let before = f64::from(self.room_before());
        let (mean_before, variance_before) = (f64::from(self.before.mean), f64::from(self.before.variance));
        let count = (sums.pages + before).max(1.0);
        let mean = (sums.cosines + before * mean_before) / count;
        let kept = sums.squares - 2.0 * mean * sums.cosines + sums.pages * mean * mean;
        let spread = kept.max(0.0) + before * (variance_before + (mean_before - mean).powi(2));
        self.mean = mean as f32;
        self.deviation = ((spread / count).sqrt() as f32).max(1e-3);
        self.measure_base();
    }

    fn measure_base(&mut self) {
        let before = self.room_before();
        let scores = self.sums.scores as f32 + before * self.before.base;
        self.base = scores / (self.kept.len() as f32 + before).max(1.0);
    }

    fn draw_profile(&mut self) {
        let mut profile = vec![0.0_f32; BUCKETS];
        let weigh = |(word, weight): &(Word, f32)| (*word, weight * self.rarity(*word).max(0.1));
        let given: Vec<(Word, f32)> = self.given.iter().map(weigh).collect();
        add(&mut profile, &given, self.tuning.given);
        let mut weight = self.tuning.given;
        for kept in self.kept.iter().filter(|kept| kept.sure) {
            add(&mut profile, &self.weighed(kept), 1.0);
            weight += 1.0;
        }
        if self.learning {
            weight += self.take_in_sure(&mut profile, weight);
        }
        let unlike: Vec<&Kept> =
            self.kept.iter().filter(|kept| !kept.sure && kept.score < self.tuning.unlike_below).collect();
        if self.learning && unlike.len() > FEW && self.tuning.unlike > 0.0 {
            let share = self.tuning.unlike * weight / unlike.len() as f32;
            for kept in unlike {
                add(&mut profile, &self.weighed(kept), -share);
            }
        }
        let heaviest = profile.iter().copied().fold(0.0, f32::max);
        for word in &self.name {
            profile[*word as usize % BUCKETS] += self.tuning.name * heaviest;
        }
        // What speaks against the topic is only not for it: pages are unlabelled, not wrong.
        for weight in &mut profile {
            *weight = weight.max(0.0);
        }
        let length = profile.iter().map(|weight| weight * weight).sum::<f32>().sqrt().max(1e-9);
        for weight in &mut profile {
            *weight /= length;
        }
        self.profile = profile;
    }

    /// The pages the crawl is sure of; returns what they weigh.
    fn take_in_sure(&self, profile: &mut [f32], weight: f32) -> f32 {
        let mut best: Vec<&Kept> =
            self.kept.iter().filter(|kept| !kept.sure && kept.score >= self.tuning.sure).collect();
        best.sort_by(|one, other| other.score.total_cmp(&one.score));
        best.truncate(TAKEN_IN);
        let share = self.tuning.sure_pages * weight / (best.len() as f32).max(FEWEST);
        for kept in &best {
            add(profile, &self.weighed(kept), share);
        }
        share * best.len() as f32
    }

    fn weighed(&self, kept: &Kept) -> Vec<(Word, f32)> {
        kept.words.iter().map(|(word, strength)| (*word, strength * self.rarity(*word))).collect()
    }

    fn count_title(&mut self, title: &[Word], score: f32) {
        for word in title {
            let counts = self.titles.entry(*word).or_default();
            counts.0 += score;
            counts.1 += 1.0;
        }
    }

    fn count_titles(&mut self) {
        self.titles.clone_from(&self.before.titles);
        let kept = std::mem::take(&mut self.kept);
        for kept in &kept {
            self.count_title(&kept.title, kept.score);
        }
        self.kept = kept;
    }
}

/// Adds a vector, brought to length 1.
fn add(profile: &mut [f32], words: &[(Word, f32)], share: f32) {
    let length = words.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt().max(1e-9);
    for (word, weight) in words {
        if let Some(place) = profile.get_mut(*word as usize) {
            *place += weight / length * share;
        }
    }
}

fn numbered<T: Copy>(table: &[T]) -> impl Iterator<Item = (Word, T)> {
    table.iter().enumerate().map(|(word, value)| (word as Word, *value))
}

fn strongest(words: &[(Word, f32)]) -> Box<[(Word, f32)]> {
    let mut words = words.to_vec();
    if words.len() > PAGE_WORDS {
        words.select_nth_unstable_by(PAGE_WORDS, |one, other| {
            other.1.total_cmp(&one.1).then(one.0.cmp(&other.0))
        });
        words.truncate(PAGE_WORDS);
    }
    words.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(number: u32) -> Vec<(Word, f32)> {
        // Every third page says the topic's word, all say another.
        let topic = if number.is_multiple_of(3) { 4.0 } else { 0.1 };
        vec![(7, topic), (100 + number % 50, 1.0), (9, 1.0)]
    }

    #[test]
    fn a_restart_changes_no_measure() {
        let new = || Judge::new(vec![(7, 1.0)], Vec::new(), true, Tuning::default());
        let mut judge = new();
        judge.judge(0, &page(0), &[7], 1.0, true);
        for number in 1..120 {
            judge.judge(number, &page(number), &[7, 1_000 + number], 0.4, false);
        }
        judge.revise();
        let mut again = new();
        again.restore(judge.state());
        // The first pages after it are measured by all that came before.
        let near = |one: f32, other: f32| (one - other).abs() < 0.1;
        for number in 120..130 {
            let one = judge.judge(number, &page(number), &[7], 0.4, false);
            let other = again.judge(number, &page(number), &[7], 0.4, false);
            assert!(near(one, other), "page {number}: {one} without a restart, {other} after it");
        }
        let lift = |judge: &Judge| judge.lift([7].into_iter());
        assert!(near(judge.base(), again.base()), "{} {}", judge.base(), again.base());
        assert!(near(lift(&judge), lift(&again)), "{} {}", lift(&judge), lift(&again));
        // Looking at everything again forgets nobody.
        again.revise();
        assert_eq!(again.titles.get(&7).map(|(_, pages)| *pages), Some(130.0));
    }
}
