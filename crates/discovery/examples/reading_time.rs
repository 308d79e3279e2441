//! How long reading takes: `cargo run --release -p discovery --example reading_time [FOLDER of HTML pages]`.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring program reads files, looks at the clock and prints"
)]

use discovery::ontology::{Example, Learner, PageRef, PageText, Topic};
use page::{Caps, Input, read_web_page};
use std::time::{Duration, Instant};
use url::Url;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("say where pages are, e.g. schools-wikipedia/wp/m")?;
    let url = Url::parse("http://wiki.example/")?;
    let mut texts: Vec<(String, String)> = Vec::new();
    for file in std::fs::read_dir(folder)?.flatten() {
        let bytes = std::fs::read(file.path())?;
        let page = read_web_page(
            &Input { url: &url, content_type: Some("text/html"), bytes: &bytes },
            &Caps::default(),
        );
        texts.push((page.title.unwrap_or_default(), page.text));
    }
    let examples: Vec<Example<'_>> =
        texts.iter().take(3).map(|(title, text)| Example { title, text }).collect();
    let mut learner = Learner::new(Topic::from_examples("Music", &examples)?);
    learner.trust("wiki.example");
    let reader = learner.reader();
    let pages = || texts.iter().map(|(title, text)| PageText { title, text, language: None });
    let time = |name: &str, work: &mut dyn FnMut()| {
        // The best of a few: everything else is other programs' time.
        let best = (0..5).map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        });
        let best = best.min().unwrap_or(Duration::ZERO);
        println!("{name}: {:.3} ms a page", best.as_secs_f64() * 1e3 / texts.len() as f64);
    };
    let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    println!("{} pages of {} bytes of text", texts.len(), bytes / texts.len());
    time("read", &mut || pages().for_each(|page| drop(reader.read(&page))));
    time("read, the first 6 KB", &mut || {
        for page in pages() {
            let end = (0..=page.text.len().min(6 << 10))
                .rev()
                .find(|at| page.text.is_char_boundary(*at))
                .unwrap_or(0);
            drop(reader.read(&PageText { text: &page.text[..end], ..page }));
        }
    });
    time("read with terms", &mut || pages().for_each(|page| drop(reader.read_with_terms(&page))));
    let readings: Vec<_> = pages().map(|page| reader.read_with_terms(&page)).collect();
    let mut number = 0;
    time("observe", &mut || {
        for reading in &readings {
            number += 1;
            learner.observe(&PageRef { number, url: "", host: "wiki.example" }, reading, reading.relevant);
        }
    });
    let started = Instant::now();
    learner.revise();
    let revised = started.elapsed();
    let started = Instant::now();
    drop(learner.reader());
    println!("revise {revised:?}, a new reader {:?}", started.elapsed());
    Ok(())
}
