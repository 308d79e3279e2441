//! The oracle knows all publication times.

use super::{Published, price_for};
use jiff::Timestamp;

/// The best visits there can be: at most `visits` in all, so that the weighted delays sum up to the least. Every article of any
/// weight is seen; a visit is always at the moment of a publication.
pub fn oracle(sources: &[Vec<Published>], visits: f64) -> Vec<Vec<Timestamp>> {
    let mut sources: Vec<Vec<Article>> = sources.iter().map(|source| sorted(source)).collect();
    let mut work = Work::default();
    let mut count = |price: f64| -> f64 {
        sources.iter_mut().map(|source| work.visits(source, price).len() as f64).sum()
    };
    let price = price_for(visits, &mut count);
    let time = |ms: f64| Timestamp::from_millisecond(ms as i64).unwrap_or(Timestamp::MAX);
    sources
        .iter()
        .map(|source| work.visits(source, price).iter().map(|index| time(source[*index].at)).collect())
        .collect()
}

#[derive(Debug, Clone, Copy)]
struct Article {
    at: f64,
    weight: f64,
}

fn sorted(source: &[Published]) -> Vec<Article> {
    let mut articles: Vec<Article> = source
        .iter()
        .filter(|article| article.weight > 0.0)
        .map(|article| Article { at: article.at.as_millisecond() as f64, weight: article.weight })
        .collect();
    articles.sort_by(|a, b| a.at.total_cmp(&b.at));
    articles
}

/// `D[j] = min over i < j of D[i] + (W[j] − W[i])·t[j] − (S[j] − S[i]) + c`, where W sums weights and S weights times times. For each
/// `i` that is a line in `t[j]`; slopes fall and the questions rise, so the lower hull is a queue.
#[derive(Debug, Default)]
struct Work {
    best: Vec<f64>,
    before: Vec<usize>,
    lines: Vec<(f64, f64, usize)>,
}

impl Work {
    /// The articles at whose publication to visit.
    fn visits(&mut self, articles: &[Article], price: f64) -> Vec<usize> {
        self.best.clear();
        self.before.clear();
        self.lines.clear();
        self.best.push(0.0);
        self.before.push(0);
        let origin = articles.first().map_or(0.0, |article| article.at);
        let (mut weights, mut times, mut first) = (0.0, 0.0, 0);
        for (index, article) in articles.iter().enumerate() {
            first = self.push((-weights, self.best[index] + times, index), first);
            let now = article.at - origin;
            weights += article.weight;
            times += article.weight * now;
            let at = |line: &(f64, f64, usize)| line.0 * now + line.1;
            while first + 1 < self.lines.len() && at(&self.lines[first + 1]) <= at(&self.lines[first]) {
                first += 1;
            }
            self.best.push(at(&self.lines[first]) + weights * now - times + price);
            self.before.push(self.lines[first].2);
        }
        let mut visits = Vec::new();
        let mut index = articles.len();
        while index > 0 {
            visits.push(index - 1);
            index = self.before[index];
        }
        visits.reverse();
        visits
    }

    /// Drops the lines that the new one makes useless. Returns the new front of the queue.
    fn push(&mut self, line: (f64, f64, usize), first: usize) -> usize {
        while self.lines.len() >= first + 2 {
            let last = self.lines[self.lines.len() - 1];
            let before = self.lines[self.lines.len() - 2];
            // The last stays if it is below where the new line meets the one before it.
            if (last.1 - before.1) * (before.0 - line.0) < (line.1 - before.1) * (before.0 - last.0) {
                break;
            }
            self.lines.pop();
        }
        self.lines.push(line);
        first.min(self.lines.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cost(articles: &[Article], visits: &[usize], price: f64) -> f64 {
        let delay = |article: &Article| {
            let at = visits.iter().map(|index| articles[*index].at).find(|visit| *visit >= article.at);
            at.map_or(f64::INFINITY, |visit| article.weight * (visit - article.at))
        };
        articles.iter().map(delay).sum::<f64>() + price * visits.len() as f64
    }

    /// Every set of visits that ends with the last article.
    fn brute_force(articles: &[Article], price: f64) -> f64 {
        let last = articles.len() - 1;
        (0..1_u32 << last)
            .map(|chosen| {
                let mut visits: Vec<usize> = (0..last).filter(|index| chosen >> index & 1 == 1).collect();
                visits.push(last);
                cost(articles, &visits, price)
            })
            .fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn equals_brute_force(
            articles in prop::collection::vec((0..60_i32, prop_oneof![Just(1.0), 0.1..4.0_f64]), 1..11), price in 0.01..80.0_f64
        ) {
            let mut articles: Vec<Article> =
                articles.into_iter().map(|(at, weight)| Article { at: f64::from(at) + 1e6, weight }).collect();
            articles.sort_by(|a, b| a.at.total_cmp(&b.at));
            let visits = Work::default().visits(&articles, price);
            let ours = cost(&articles, &visits, price);
            let best = brute_force(&articles, price);
            prop_assert!((ours - best).abs() < 1e-6, "{ours} against {best}");
        }
    }

    #[test]
    fn keeps_to_the_budget() {
        let article = |second: i64| Published { at: Timestamp::from_second(second).unwrap(), weight: 1.0 };
        let sources: Vec<Vec<Published>> =
            (1..4).map(|step| (0..50).map(|index| article(index * index * step)).collect()).collect();
        for budget in [3.0, 20.0, 60.0, 149.0] {
            let visits: usize = oracle(&sources, budget).iter().map(Vec::len).sum();
            assert!(visits as f64 <= budget && visits as f64 > budget * 0.8 - 2.0, "{visits} of {budget}");
        }
        let all: usize = oracle(&sources, 1000.0).iter().map(Vec::len).sum();
        assert_eq!(all, 150);
    }
}
