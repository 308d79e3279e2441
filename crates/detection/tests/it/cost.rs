//! Ten thousand sources in one folder.

use crate::made::{Dice, part, window};
use detection::{AnyDetector, Detector, DetectorName, Settings};

#[expect(clippy::disallowed_methods, reason = "it tells how long it took")]
#[test]
fn ten_thousand_sources_take_little_room() {
    let settings = Settings::default();
    let mut detector = AnyDetector::new(DetectorName::Default, &settings);
    let mut dice = Dice::new(21);
    for at in 0..10 {
        let mut window = window(at);
        let parts: Vec<_> = (0..10_000).map(|source| part(&window, source, dice.poisson(0.05))).collect();
        window.parts = parts;
        detector.learn(&window, true, &settings);
    }
    let text = serde_json::to_string(&detector).unwrap();
    assert!(text.len() < 10_000 * 48, "{} bytes as text", text.len());
    let mut window = window(10);
    window.parts = (0..10_000).rev().map(|source| part(&window, source, 0)).collect();
    let score = detector.score(&window, &settings);
    assert!((400.0..600.0).contains(&score.expected), "{}", score.expected);
    // Printed, not asserted: time on a busy machine is no property of the code. `cargo test --release -- --nocapture`.
    let began = std::time::Instant::now();
    for _ in 0..100 {
        std::hint::black_box(detector.score(std::hint::black_box(&window), &settings));
    }
    println!("scoring 10,000 parts: {:.3} ms", began.elapsed().as_secs_f64() * 10.0);
}
