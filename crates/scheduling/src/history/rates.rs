//! What histories say: articles an hour, and what an article is worth.

use super::Histories;
use crate::kinds::Kinds;
use crate::profile::Rates;

/// An interesting folder has this share of a source about which nothing is known.
const PRIOR_SHARE: f64 = 0.02;
/// Articles that this is worth.
const PRIOR_ARTICLES: f64 = 10.0;

impl Histories {
    /// Finds out anew which sources are of one kind.
    pub(crate) fn compare(&mut self, places: &[usize]) {
        let counts = places.iter().map(|place| self.list[*place].profile.cells());
        self.kinds = Kinds::of(counts, self.pool.shape());
        for place in places {
            let history = &mut self.list[*place];
            history.kind =
                self.kinds.kind_of(history.profile.cells()).filter(|_| !history.profile.is_known());
        }
    }

    /// The shape of week that a source is expected to have, as far as its own articles do not tell.
    fn shape(&self, place: usize) -> &Rates {
        let kind = self.list[place].kind.and_then(|kind| self.kinds.shape(kind));
        kind.unwrap_or(self.pool.shape())
    }

    /// What an article of this source is worth.
    pub(crate) fn worth(&self, place: usize) -> f64 {
        let history = &self.list[place];
        let interests = &self.settings.interests;
        let more: f64 = interests.folders.values().map(|weight| (weight - interests.others).max(0.0)).sum();
        let prior = interests.others + PRIOR_SHARE * more;
        (f64::from(history.worth) + PRIOR_ARTICLES * prior) / (f64::from(history.articles) + PRIOR_ARTICLES)
    }

    /// Articles an hour, for each hour of the week.
    pub(crate) fn rates(&self, place: usize) -> Rates {
        self.list[place].profile.rates(self.shape(place), self.pool.usual(), &self.tuning().profile)
    }

    /// Articles an hour in one hour of the week. All hours are worked out at once and kept until the source is seen again.
    pub(crate) fn rate(&mut self, place: usize, hour: usize) -> f64 {
        let fresh = self.list[place].until;
        if self.kept.len() < self.list.len() {
            self.kept.resize(self.list.len(), None);
        }
        match &self.kept[place] {
            Some((until, rates)) if *until == fresh => f64::from(rates[hour]),
            _ => {
                let rates = self.rates(place);
                self.kept[place] = Some((fresh, Box::new(rates)));
                f64::from(rates[hour])
            }
        }
    }

    /// Articles an hour on average.
    pub(crate) fn mean(&self, place: usize) -> f64 {
        f64::from(self.list[place].profile.mean(self.pool.usual(), &self.tuning().profile))
    }
}
