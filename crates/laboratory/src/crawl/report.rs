//! What strategies brought, side by side.

use super::measure::Crawled;
use crate::amoc::Interval;
use crate::plot::{Line, Plot};
use serde::Serialize;

/// Pages at which the harvest is told.
pub const AT: [usize; 3] = [100, 250, 500];
const RESAMPLES: usize = 2_000;
/// Pages at which the gap is told.
const GAP: usize = 250;

/// All crawls: by contender, then by draw.
#[derive(Debug)]
pub struct CrawlReport {
    /// Contenders' names; the first is the floor, the last the ceiling.
    pub names: Vec<String>,
    /// Their crawls.
    pub crawls: Vec<Vec<Crawled>>,
    /// Pages each could fetch.
    pub pages: usize,
    /// Draws of each topic; those of one topic stand together.
    pub draws: usize,
    /// Of the resamples.
    pub seed: u64,
}

/// One contender's line.
#[derive(Debug, Clone, Serialize)]
pub struct CrawlRow {
    /// Who.
    pub strategy: String,
    /// Harvest at 100, 250 and 500 pages.
    pub harvest: Vec<f64>,
    /// The share of the way from breadth-first to the oracle at 250 pages, with its 95 % interval.
    pub gap: Interval,
    /// How much lower its harvest at 250 pages is than that of `ontology`, draw by draw.
    pub behind: Interval,
    /// Precision of what it kept.
    pub precision: f64,
    /// Share of the fetched pages on the topic that it kept.
    pub recall: f64,
    /// Share of all pages on the topic that it fetched.
    pub reach: f64,
    /// Pages on the topic for each second of processor time.
    pub hits_per_second: f64,
    /// Processor time a page, in milliseconds.
    pub milliseconds: f64,
}

impl CrawlReport {
    /// Everybody's line.
    pub fn rows(&self) -> Vec<CrawlRow> {
        let (Some(floor), Some(ceiling)) = (self.crawls.first(), self.crawls.last()) else {
            return Vec::new();
        };
        let ours =
            self.names.iter().position(|name| name == "ontology").and_then(|place| self.crawls.get(place));
        let rows = self.names.iter().zip(&self.crawls);
        rows.map(|(name, crawls)| self.row(name, crawls, floor, ceiling, ours.unwrap_or(ceiling))).collect()
    }

    fn row(
        &self,
        name: &str,
        crawls: &[Crawled],
        floor: &[Crawled],
        ceiling: &[Crawled],
        ours: &[Crawled],
    ) -> CrawlRow {
        let gap = GAP.min(self.pages);
        let harvests =
            |crawls: &[Crawled]| crawls.iter().map(|crawl| crawl.harvest(gap)).collect::<Vec<f64>>();
        let (own, low, high, best) = (harvests(crawls), harvests(floor), harvests(ceiling), harvests(ours));
        let kept: Vec<(f64, f64)> = crawls.iter().map(|crawl| crawl.precision_and_recall(gap)).collect();
        let reach = crawls.iter().map(|crawl| crawl.found(gap) as f64 / crawl.relevant.max(1) as f64);
        let seconds: f64 = crawls.iter().map(|crawl| crawl.cpu.as_secs_f64()).sum();
        let hits: usize = crawls.iter().map(|crawl| crawl.found(self.pages)).sum();
        let pages: usize = crawls.iter().map(|crawl| crawl.hits.len()).sum();
        let per = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        CrawlRow {
            strategy: name.to_owned(),
            harvest: AT.iter().map(|at| mean(crawls.iter().map(|crawl| crawl.harvest(*at)))).collect(),
            gap: self.interval(own.len(), |drawn| closed(&own, &low, &high, drawn)),
            behind: self.interval(own.len(), |drawn| {
                mean(drawn.iter().filter_map(|place| Some(best.get(*place)? - own.get(*place)?)))
            }),
            precision: mean(kept.iter().map(|kept| kept.0)),
            recall: mean(kept.iter().map(|kept| kept.1)),
            reach: mean(reach),
            hits_per_second: per(hits as f64, seconds),
            milliseconds: per(seconds * 1_000.0, pages as f64),
        }
    }

    /// The 95 % interval of what `of` says about draws. Topics are drawn first, then draws within them: draws of one topic are
    /// alike, and ten topics are not fifty.
    fn interval(&self, crawls: usize, of: impl Fn(&[usize]) -> f64) -> Interval {
        let each = self.draws.clamp(1, crawls.max(1));
        let topics = crawls / each;
        let mut random = crate::random::Random::new(self.seed);
        let mut values: Vec<f64> = (0..RESAMPLES)
            .map(|_| {
                let mut drawn = Vec::with_capacity(crawls);
                for _ in 0..topics {
                    let topic = random.below(topics);
                    drawn.extend((0..each).map(|_| topic * each + random.below(each)));
                }
                of(&drawn)
            })
            .collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * RESAMPLES as f64) as usize).copied().unwrap_or(0.0);
        Interval { mean: of(&(0..crawls).collect::<Vec<_>>()), low: at(0.025), high: at(0.975) }
    }

    /// The harvest against the pages fetched.
    pub fn svg(&self, title: &str) -> String {
        let line = |(name, crawls): (&String, &Vec<Crawled>)| {
            let curves: Vec<Vec<(f64, f64)>> =
                crawls.iter().map(|crawl| crawl.curve(10, self.pages)).collect();
            let steps = curves.first().map_or(0, Vec::len);
            let points = (0..steps).map(|step| {
                let at = curves.first().and_then(|curve| curve.get(step)).map_or(0.0, |point| point.0);
                (at, mean(curves.iter().filter_map(|curve| Some(curve.get(step)?.1))))
            });
            Line { name: name.clone().into(), points: points.collect() }
        };
        Plot {
            title: title.to_owned().into(),
            x: "pages fetched".into(),
            y: "share on the topic".into(),
            lines: self.names.iter().zip(&self.crawls).map(line).collect(),
        }
        .svg()
    }
}

/// The share of the way from the floor to the ceiling, by the means of the harvests of these draws.
fn closed(own: &[f64], low: &[f64], high: &[f64], drawn: &[usize]) -> f64 {
    let sum = |of: &[f64]| drawn.iter().filter_map(|place| of.get(*place)).sum::<f64>();
    let (own, low, high) = (sum(own), sum(low), sum(high));
    if high > low { (own - low) / (high - low) } else { 0.0 }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}
