//! What a page costs a crawl, part by part: `cargo run --release -p discovery --example crawl_time -- FOLDER [PAGES]`.
//!
//! FOLDER is Schools Wikipedia unpacked (`../shared/data/webs/schools-wikipedia.tar.xz`).

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring program reads files, looks at the clock and prints"
)]

use discovery::crawl::{Crawl, CrawlSettings, FailReason};
use discovery::ontology::Topic;
use jiff::Timestamp;
use page::{Caps, Input, read_web_page};
use std::time::Duration;
use url::Url;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().ok_or("say where Schools Wikipedia lies unpacked")?;
    let pages: u32 = words.next().map_or(Ok(4_000), |pages| pages.parse())?;
    let topic =
        Topic::from_words("Music", &["music", "song", "orchestra", "composer", "melody", "instrument"])?;
    let settings = CrawlSettings { pages, depth: 1_000, ..CrawlSettings::default() };
    let mut mind = Crawl::new(topic, settings)?;
    let root = Url::parse("http://corpus.example/")?;
    let mut urls: Vec<Url> =
        mind.seed(&root.join("wp/m/Music.htm")?).into_iter().map(|new| new.url).collect();
    let (mut parse, mut read, mut take, mut bytes, mut count) =
        (Duration::ZERO, Duration::ZERO, Duration::ZERO, 0, 0_u32);
    while let Some(spot) = mind.next(Timestamp::UNIX_EPOCH, &|_| true) {
        let url = urls[spot.0 as usize].clone();
        let Ok(body) = std::fs::read(format!("{folder}{}", url.path())) else {
            mind.failed(spot, FailReason::Gone, None);
            continue;
        };
        let started = spent();
        let input = Input { url: &url, content_type: Some("text/html; charset=utf-8"), bytes: &body };
        let page = read_web_page(&input, &Caps::default());
        parse += spent().saturating_sub(started);
        let started = spent();
        let facts = mind.reader().read_at(&url, &page);
        read += spent().saturating_sub(started);
        let started = spent();
        let verdict = mind.arrived(spot, facts);
        take += spent().saturating_sub(started);
        urls.extend(verdict.new.into_iter().map(|new| new.url));
        bytes += body.len();
        count += 1;
    }
    let each = |time: Duration| time.as_secs_f64() * 1e3 / f64::from(count.max(1));
    println!(
        "{count} pages of {} bytes, {} known: parse {:.3} ms, read {:.3} ms, take in {:.3} ms",
        bytes / count.max(1) as usize,
        urls.len(),
        each(parse),
        each(read),
        each(take)
    );
    Ok(())
}

/// Processor time of this thread so far: other programs' time does not count.
fn spent() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or_default())
}
