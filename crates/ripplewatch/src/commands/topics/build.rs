//! A topic from words and from pages on it.

use crate::cli::TopicBuild;
use crate::config::Config;
use crate::context::idle_engine;
use crate::exit::bad_input;
use anyhow::Context;
use discovery::ontology::{Entry, Example, Topic};
use engine::EngineHandle;
use page::watches::{Aim, Sight, What};
use page::{Caps, Input, read_web_page};
use std::path::Path;
use store::Store;
use url::Url;

/// What a page says.
struct Said {
    title: String,
    text: String,
}

pub(super) async fn build(mut config: Config, store: &Store, options: TopicBuild) -> anyhow::Result<Topic> {
    if options.words.is_empty() && options.pages.is_empty() {
        return Err(bad_input(
            "say what its pages are like: with --word WORD, or better with --page URL-or-FILE",
        ));
    }
    let mut said = Vec::new();
    if options.pages.iter().any(|page| is_url(page)) {
        config.allow(&options.allow);
    }
    let mut engine: Option<EngineHandle> = None;
    for page in &options.pages {
        if is_url(page) {
            if engine.is_none() {
                engine = Some(idle_engine(&config, store.clone()).await?);
            }
            if let Some(engine) = &engine {
                said.push(from_web(engine, page).await?);
            }
        } else {
            said.push(from_file(Path::new(page))?);
        }
    }
    let examples: Vec<Example<'_>> =
        said.iter().map(|page| Example { title: &page.title, text: &page.text }).collect();
    let words: Vec<&str> = options.words.iter().map(String::as_str).collect();
    let made = if examples.is_empty() {
        Topic::from_words(&options.name, &words)
    } else {
        Topic::from_examples(&options.name, &examples)
    };
    let mut topic = made.map_err(|error| bad_input(error.to_string()))?;
    if !examples.is_empty() {
        for word in words {
            topic.ontology.add_entry(topic.class, Entry::new(word));
        }
    }
    topic.settings.language = options.language;
    Ok(topic)
}

fn is_url(page: &str) -> bool {
    page.starts_with("http://") || page.starts_with("https://")
}

async fn from_web(engine: &EngineHandle, page: &str) -> anyhow::Result<Said> {
    let url = Url::parse(page).map_err(|error| bad_input(format!("{page}: {error}")))?;
    let aim = Aim { what: What::Text, within: None, ignore: None };
    let glance = engine.glance(&url, &aim).await;
    match glance.sight {
        Some(Sight::Part(part)) => Ok(Said { title: String::new(), text: part.lines.join("\n") }),
        Some(Sight::Gone(why)) => Err(bad_input(format!("{page}: {why}; give another page"))),
        None => {
            let way_out = "Give another page, or save it and give the file";
            Err(bad_input(format!("{page}: {}. {way_out}", glance.outcome)))
        }
    }
}

fn from_file(file: &Path) -> anyhow::Result<Said> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if is_binary(&bytes) {
        let what = "is no page: it looks like a picture, an archive or a document. Give HTML or plain text";
        return Err(bad_input(format!("{} {what}", file.display())));
    }
    let looks_like_html = bytes.iter().take(2_000).any(|byte| *byte == b'<');
    let url = Url::parse("http://file.example/").context("a URL for files")?;
    let content_type = if looks_like_html { "text/html" } else { "text/plain; charset=utf-8" };
    if !looks_like_html {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok(Said { title: name, text: String::from_utf8_lossy(&bytes).into_owned() });
    }
    let input = Input { url: &url, content_type: Some(content_type), bytes: &bytes };
    let page = read_web_page(&input, &Caps::default());
    Ok(Said { title: page.title.unwrap_or_default(), text: page.text })
}

/// Text has no zero bytes, except in two of the ways to write it, which say so at their beginning.
fn is_binary(bytes: &[u8]) -> bool {
    let wide = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    let magic = [&b"%PDF"[..], b"\x89PNG", b"\xFF\xD8\xFF", b"GIF8", b"PK\x03\x04", b"\x1F\x8B"];
    magic.iter().any(|magic| bytes.starts_with(magic)) || (!wide && bytes.contains(&0))
}
