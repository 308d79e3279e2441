//! Flowing ranks against a dense solver.

use super::*;
use crate::crawl::known::{Known, NONE, SpotState};
use crate::crawl::pages::Page;
use crate::crawl::words::FewWords;
use proptest::prelude::*;

const DAMPING: f32 = 0.85;

/// (5) by going round until nothing moves: PR = (1 − D) + D · Σ PR(T)/C(T) over the pages T that count.
fn dense(size: usize, links: &[(usize, usize)], counts: &[bool]) -> Vec<f64> {
    let out = |from: usize| links.iter().filter(|link| link.0 == from).count() as f64;
    let degrees: Vec<f64> = (0..size).map(out).collect();
    let mut ranks = vec![1.0 - f64::from(DAMPING); size];
    for _ in 0..300 {
        let mut next = vec![1.0 - f64::from(DAMPING); size];
        for (from, to) in links.iter().filter(|link| counts[link.0]) {
            next[*to] += f64::from(DAMPING) * ranks[*from] / degrees[*from];
        }
        ranks = next;
    }
    ranks
}

proptest! {
    #[test]
    fn agrees_with_a_dense_solver(
        size in 2_usize..20,
        raw in prop::collection::vec((0_usize..20, 0_usize..20), 0..80),
        counting in prop::collection::vec(any::<bool>(), 20),
    ) {
        let mut links: Vec<(usize, usize)> = raw.into_iter().map(|(a, b)| (a % size, b % size)).filter(|(a, b)| a != b).collect();
        links.sort_unstable();
        links.dedup();
        let (mut knowns, mut pages, mut all) = (Knowns::default(), Pages::default(), Links::default());
        let mut ranks = Ranks::new(f64::from(DAMPING));
        for number in 0..size as u32 {
            knowns.add(Known {
                hash: u64::from(number) << 32,
                host: 0,
                prefix: 0,
                place: NONE,
                priority: 0.0,
                link: NONE,
                words: FewWords::default(),
                path: 0,
                context: 0,
                links: 0,
                depth: 0,
        parameters: 0,
                state: SpotState::Waiting,
            });
        }
        // Pages come one after the other, and rank flows a little after each.
        for (number, counts) in counting.iter().enumerate().take(size) {
            let page = pages.add(Page::new(Spot(number as u32)));
            let first = all.len();
            for (_, to) in links.iter().filter(|link| link.0 == number) {
                all.add(&mut knowns, page, Spot(*to as u32));
            }
            let count = all.len() - first;
            if let Some(page) = pages.get_mut(page) {
                (page.first_link, page.links) = (first, count);
            }
            if let Some(known) = knowns.get_mut(Spot(number as u32)) {
                (known.state, known.place) = (SpotState::Fetched, page);
            }
            if *counts {
                ranks.counts(&mut pages, page);
            }
            ranks.flow(&knowns, &mut pages, &all, 7);
        }
        while !ranks.flow(&knowns, &mut pages, &all, 1_000) {}
        for (number, wanted) in dense(size, &links, &counting).into_iter().enumerate() {
            let found = f64::from(ranks.of(Spot(number as u32)));
            prop_assert!((found - wanted).abs() < 0.01 * wanted, "page {number}: {found} instead of {wanted}");
        }
    }
}

#[test]
fn worked_numbers() {
    // A → B, A → C, B → C; all count. PR(A) = 0.15, PR(B) = 0.15 + 0.85·0.15/2, PR(C) = that plus 0.85·PR(B).
    let ranks = dense(3, &[(0, 1), (0, 2), (1, 2)], &[true; 3]);
    assert!((ranks[1] - 0.213_75).abs() < 1e-6 && (ranks[2] - 0.395_437_5).abs() < 1e-6, "{ranks:?}");
}
