//! Stands in for `page::WebPage` and the topic half until they are here. Same names, same shape.
#![expect(missing_docs, reason = "goes away with the next merge")]

use serde::{Deserialize, Serialize};
use url::Url;

#[derive(Debug, Clone, Default)]
pub struct WebPage {
    pub title: Option<String>,
    pub text: String,
    pub language: Option<String>,
    pub links: Vec<WebLink>,
    pub canonical: Option<Url>,
    pub noindex: bool,
    pub nofollow: bool,
    pub fingerprint: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct WebLink {
    pub url: Url,
    pub text: String,
    pub context: String,
    pub path: String,
    pub disowned: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Topic {
    pub name: String,
    pub words: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Reader(Topic);

pub struct PageText<'a> {
    pub title: &'a str,
    pub text: &'a str,
    pub language: Option<&'a str>,
}

#[derive(Debug, Clone, Default)]
pub struct Reading {
    pub raw: f64,
    pub normalised: f64,
    pub relevant: bool,
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone)]
pub struct Evidence {
    pub word: String,
    pub count: u32,
    pub weight: f64,
}

#[derive(Debug, Clone)]
pub struct Lesson;

impl Reader {
    pub fn new(topic: &Topic) -> Self {
        Self(topic.clone())
    }

    pub fn read(&self, page: &PageText<'_>) -> Reading {
        let hits =
            page::words::words(page.text).filter(|word| self.0.words.iter().any(|own| own == word)).count();
        let normalised = hits as f64 / (hits as f64 + 5.0);
        Reading { raw: hits as f64, normalised, relevant: normalised >= 0.5, evidence: Vec::new() }
    }
}
