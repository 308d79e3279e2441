//! Memory at many known URLs: a web whose pages each link to hundreds of URLs nobody has seen.

use super::kills::serve;
use super::process::{Process, make_topic};
use std::sync::Arc;

pub(super) struct Held {
    pub(super) known: usize,
    pub(super) pages: usize,
    pub(super) peak_mb: f64,
    pub(super) cpu_ms: f64,
    /// The peak of a process that begins with all of them.
    pub(super) resumed_mb: f64,
}

/// New URLs a page links to.
const LINKS: usize = 400;

const HOSTS: u8 = 32;

/// Folders of each host: of one that brings hundreds of new URLs with every page, a crawl takes some thousands only.
const SECTIONS: u64 = 64;

pub(super) async fn run(known: usize) -> anyhow::Result<Held> {
    let folder = tempfile::tempdir()?;
    make_topic(folder.path())?;
    let pages = known.div_ceil(LINKS);
    let port = 18_081;
    let page = Arc::new(move |_: u8, path: &str| {
        let n: u64 = path.rsplit('/').next()?.parse().ok()?;
        // Pages begin anew with the numbers the last one ended with: a link is never seen twice.
        let links: String = (1..=LINKS as u64)
            .map(|k| {
                let to = n * LINKS as u64 + k;
                format!(
                    "<p><a href=\"http://127.78.0.{}:{port}/{}/{to}\">song {to} of the album</a></p>",
                    to % u64::from(HOSTS) + 1,
                    made_words(to / 97 % SECTIONS, 1)
                )
            })
            .collect();
        let text = if n.is_multiple_of(2) { "A song by the composer." } else { "The weather is fine." };
        Some(format!("<html lang=en><title>Page {n}</title><p>{text} {}</p>{links}", made_words(n, 60)))
    });
    let web = serve(78, HOSTS, port, page).await?;
    let seed = format!("http://127.78.0.1:{port}/p/0");
    let budget = pages.to_string();
    let manners = ["--allow-private", "--delay", "0s", "--connections", "16"];
    let start =
        ["crawl", "start", "--topic", "Music", "--seed", &seed, "--depth", "1000", "--pages", &budget];
    let words = [&start[..], &manners[..]].concat();
    let process = Process::ours(folder.path(), &words)?;
    let cost = tokio::task::spawn_blocking(move || process.finish()).await??;
    let more = (pages + 20).to_string();
    let resume = [&["crawl", "resume", "--pages", &more][..], &manners[..]].concat();
    let process = Process::ours(folder.path(), &resume)?;
    let resumed = tokio::task::spawn_blocking(move || process.finish()).await??;
    let told = crate::child::command(folder.path(), &["crawl", "status", "--json"])?;
    let told: serde_json::Value = serde_json::from_str(&told)?;
    drop(web);
    let known = told[0]["known"].as_u64().unwrap_or(0) as usize;
    Ok(Held { known, pages, peak_mb: cost.peak_mb, cpu_ms: cost.cpu_ms(pages), resumed_mb: resumed.peak_mb })
}

/// Made words, others for each number: pages that all say the same are a trap, and not followed.
fn made_words(number: u64, count: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ba", "co", "di", "fe", "gu", "ha", "jo", "ki", "le", "mu", "na", "po", "ri", "se", "tu", "va"];
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut word = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (0..3).map(|place| SYLLABLES[(state >> (40 + 4 * place)) as usize % 16]).collect::<String>()
    };
    (0..count).map(|_| word()).collect::<Vec<_>>().join(" ")
}
