//! `laboratory`: measures on real histories. Needs no data of its own.

mod amoc;
mod crawl;
mod retrace;

use crate::cli::{ExpertOptions, Laboratory};
use crate::console::{self, Progress};
use crate::exit::bad_input;
use anyhow::Context;
use knowledge::Interchange;
use laboratory::expert::{Expert, Settings};
use laboratory::growth::Block;
use laboratory::labelled;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// Articles in a block: enough that its F1 is told to the second digit.
const BLOCK: usize = 1000;

pub(crate) fn run(command: Laboratory, json: bool) -> anyhow::Result<()> {
    match command {
        Laboratory::Expert(options) => expert(&options, json),
        Laboratory::Amoc(options) => amoc::run(&options, json),
        Laboratory::Crawl(options) => crawl::run(&options, json),
        Laboratory::Retrace { journal } => retrace::run(&journal, json),
    }
}

fn expert(options: &ExpertOptions, json: bool) -> anyhow::Result<()> {
    let mut texts = labelled::read(&options.texts).map_err(|error| bad_input(error.to_string()))?;
    texts.truncate(options.limit.unwrap_or(usize::MAX));
    let began = Instant::now();
    let mut expert = Expert::new(Settings::default(), BLOCK);
    let mut progress = Progress::new("teaching");
    for (done, text) in texts.iter().enumerate() {
        progress.show(done as u64, texts.len() as u64);
        expert.meet(text)?;
    }
    progress.end();
    let took = began.elapsed();
    if let Some(file) = &options.svg {
        write(file, &expert.growth().svg())?;
    }
    if let Some(file) = &options.rules {
        write(file, &Interchange::of(expert.base()).to_json_lines())?;
    }
    if json {
        return tell_machines(&expert, texts.len(), took);
    }
    tell_people(&expert, texts.len(), took);
    Ok(())
}

fn tell_people(expert: &Expert, texts: usize, took: Duration) {
    let head = ["articles", "F1", "wrong", "missed", "rules", "stops", "literals", "lessons"];
    let rows: Vec<Vec<String>> = expert.growth().blocks.iter().map(row).collect();
    console::table(&head, &rows);
    let contradictions = expert.contradictions();
    let proven = contradictions.iter().filter(|one| one.same_as.is_some()).count();
    console::note(&format!(
        "{texts} texts, {} rules, {} cornerstones, {} of them misfiled, {} contradictions ({proven} proven: the same text with \
         other topics), {:.1} s",
        expert.base().tree().rules().len(),
        expert.base().cornerstones().len(),
        expert.misfiled().len(),
        contradictions.len(),
        took.as_secs_f64(),
    ));
}

fn row(block: &Block) -> Vec<String> {
    vec![
        block.articles.to_string(),
        format!("{:.4}", block.f1()),
        block.wrong.to_string(),
        block.missed.to_string(),
        block.rules.to_string(),
        block.stops.to_string(),
        format!("{:.3}", block.literals_per_rule()),
        block.lessons.to_string(),
    ]
}

fn tell_machines(expert: &Expert, texts: usize, took: Duration) -> anyhow::Result<()> {
    let block = |block: &Block| {
        let mut value = serde_json::to_value(block)?;
        value["f1"] = block.f1().into();
        value["literals_per_rule"] = block.literals_per_rule().into();
        Ok(value)
    };
    let blocks: Vec<_> =
        expert.growth().blocks.iter().map(block).collect::<Result<_, serde_json::Error>>()?;
    let contradictions = expert.contradictions().iter();
    let contradictions: Vec<_> =
        contradictions.map(|one| json!({ "article": one.article, "same_as": one.same_as })).collect();
    console::json(&json!({
        "texts": texts,
        "block": BLOCK,
        "blocks": blocks,
        "rules": expert.base().tree().rules().len(),
        "cornerstones": expert.base().cornerstones().len(),
        "misfiled": expert.misfiled().len(),
        "contradictions": contradictions,
        "seconds": took.as_secs_f64(),
    }))
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(file, text).with_context(|| format!("writing {}", file.display()))
}
