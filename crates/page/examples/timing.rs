//! How long reading takes: `cargo run --release -p page --example timing [file …]`.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measuring program reads files, looks at the clock and prints"
)]

use page::{Caps, Input, read_article, read_listing, read_web_page};
use std::hint::black_box;
use std::time::Instant;
use url::Url;

const ROUNDS: u32 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = Url::parse("https://www.harbourtimes.example/")?;
    let default = [
        "fixtures/lists/tabloid/page.html",
        "fixtures/lists/broadsheet/page.html",
        "fixtures/articles/news.html",
    ];
    let named: Vec<String> = std::env::args().skip(1).collect();
    let files = if named.is_empty() { default.map(str::to_owned).to_vec() } else { named };
    for file in files {
        let bytes = std::fs::read(&file)?;
        let input = Input { url: &url, content_type: Some("text/html; charset=utf-8"), bytes: &bytes };
        let time = |read: &dyn Fn()| {
            // The best of many: everything else is other programs' time.
            let rounds = (0..ROUNDS).map(|_| {
                let started = Instant::now();
                read();
                started.elapsed()
            });
            rounds.min().unwrap_or_default()
        };
        let listing = time(&|| drop(black_box(read_listing(&input, None, &Caps::default()))));
        let article = time(&|| drop(black_box(read_article(&input, &Caps::default()))));
        let web = time(&|| drop(black_box(read_web_page(&input, &Caps::default()))));
        println!("{file}: {} bytes, listing {listing:?}, article {article:?}, web page {web:?}", bytes.len());
    }
    Ok(())
}
