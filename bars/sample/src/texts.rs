//! Articles of the length the paper's had.

use crate::dice::Dice;
use anyhow::Context;
use flate2::read::GzDecoder;
use knowledge::Fields;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The paper's mean, title and body together, in bytes.
const LENGTH: usize = 780;
/// More would only take longer.
const MOST: usize = 6_000;
const REUTERS: &str = "../shared/data/texts/reuters-21578.jsonl.gz";

/// Articles, and where they came from.
#[derive(Debug)]
pub struct Texts {
    /// The articles, all different.
    pub articles: Vec<Fields<'static>>,
    /// What they are and what was left out, in a sentence.
    pub origin: String,
}

#[derive(serde::Deserialize)]
struct Story {
    title: Option<String>,
    body: Option<String>,
}

/// Reuters stories of at least the paper's mean length, cut to it; generated ones if the stories are not there.
///
/// A point or comma within a word or number becomes a space, which only makes more words of the text: engines
/// that search for strings have no idea of `U.S.` and `5.93` as one word, and all shall see the same words.
pub fn read() -> anyhow::Result<Texts> {
    let path = Path::new(REUTERS);
    if path.exists() {
        return stories(path).with_context(|| format!("reading {REUTERS}"));
    }
    let articles: Vec<_> = generated().collect();
    let origin = format!("{} generated articles, for {REUTERS} is missing", articles.len());
    Ok(Texts { articles, origin })
}

fn stories(path: &Path) -> anyhow::Result<Texts> {
    let mut articles = Vec::new();
    let (mut short, mut foreign) = (0, 0);
    for line in BufReader::new(GzDecoder::new(File::open(path)?)).lines() {
        let story: Story = serde_json::from_str(&line?)?;
        let (Some(title), Some(body)) = (story.title, story.body) else { continue };
        match cut(&title, &body) {
            None => short += 1,
            Some((title, body)) if !title.is_ascii() || !body.is_ascii() => foreign += 1,
            Some((title, body)) => articles.push(article(&title, &body)),
        }
        if articles.len() == MOST {
            break;
        }
    }
    let origin = format!(
        "{} Reuters stories cut to {LENGTH} bytes ({short} shorter ones and {foreign} with other than ASCII letters left out)",
        articles.len()
    );
    Ok(Texts { articles, origin })
}

/// Title and body of the right length together; `None` if there is too little.
fn cut(title: &str, body: &str) -> Option<(String, String)> {
    let room = LENGTH.checked_sub(title.len())?;
    let end = (0..=room.min(body.len())).rev().find(|end| body.is_char_boundary(*end))?;
    (title.len() + body.len() >= LENGTH).then(|| (apart(title), apart(&body[..end])))
}

/// The text with a space for each mark that joins letters or digits.
fn apart(text: &str) -> String {
    let around: Vec<char> = text.chars().collect();
    let is_inside = |at: usize| {
        let beside =
            |at: Option<usize>| at.and_then(|at| around.get(at)).is_some_and(|c| c.is_alphanumeric());
        beside(at.checked_sub(1)) && beside(Some(at + 1))
    };
    let open = |(at, c): (usize, &char)| match c {
        '_' => ' ',
        '.' | ',' | ':' | ';' | '\'' if is_inside(at) => ' ',
        c => *c,
    };
    around.iter().enumerate().map(open).collect()
}

fn article(title: &str, body: &str) -> Fields<'static> {
    Fields { title: Some(title.to_owned().into()), body: Some(body.to_owned().into()), ..Fields::default() }
}

/// Articles of invented words, common and rare as in a language: the n-th word comes about once in n.
fn generated() -> impl Iterator<Item = Fields<'static>> {
    let mut dice = Dice::new(1);
    let word = |rank: usize| {
        let mut name = String::new();
        let mut rest = rank + 20;
        while rest > 0 {
            name.push_str(["ba", "ke", "di", "lo", "mu", "rat", "sen", "vil", "tor", "gup"][rest % 10]);
            rest /= 10;
        }
        name
    };
    let text = move |dice: &mut Dice, length: usize| {
        let mut text = String::new();
        while text.len() < length {
            let within = 1 << dice.below(15);
            text.push_str(&word(dice.below(within)));
            text.push(' ');
        }
        text
    };
    (0..MOST).map(move |_| article(&text(&mut dice, 50), &text(&mut dice, LENGTH - 50)))
}
