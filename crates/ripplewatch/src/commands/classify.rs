//! `classify`: which folders, and why.

mod input;
mod stream;

use crate::cli::Classify;
use crate::commands::rules::parse_rules;
use crate::config::Config;
use crate::console;
use crate::context::open_store;
use crate::exit::bad_input;
use crate::rule_words::{literal_json, matched, paths, why};
use knowledge::{Base, Fields, Filer, Filing, Folders, ImportOptions, RuleTree, Words};
use model::{ArticleId, RuleId};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// Rules, and the names of their folders: all that filing takes.
struct Rulebook {
    tree: RuleTree,
    folders: Folders,
}

/// Where an article goes, for machines.
#[derive(Debug, Serialize)]
struct Filed<'a> {
    url: Option<&'a str>,
    folders: Vec<String>,
    rules: Vec<RuleId>,
}

/// Files by the rules of a file, without any data.
pub(crate) fn free_standing(options: &Classify, json: bool) -> anyhow::Result<()> {
    let Some(rules) = &options.rules else { return Ok(()) };
    let rulebook = Rulebook::read(rules)?;
    match (&options.articles, &options.file) {
        (Some(articles), _) => stream::run(&rulebook, articles, json),
        (None, Some(file)) => tell(&rulebook, &input::file(file)?, json),
        (None, None) => tell(&rulebook, &input::standard_input()?, json),
    }
}

pub(crate) async fn run(mut config: Config, options: &Classify, json: bool) -> anyhow::Result<()> {
    config.allow(&options.allow);
    let (rulebook, store) = match (&options.rules, options.stored()) {
        (Some(rules), None) => (Rulebook::read(rules)?, None),
        (rules, _) => {
            let store = open_store(&config)?;
            let rulebook = match rules {
                Some(rules) => Rulebook::read(rules)?,
                None => store.knowledge(Rulebook::of).await?,
            };
            (rulebook, Some(store))
        }
    };
    let fields = match (options.stored(), &store) {
        (Some(id), Some(store)) => {
            let id: ArticleId =
                id.parse().map_err(|_| bad_input(format!("“{id}” is neither the id of an article nor -")))?;
            store.article_fields(id).await?
        }
        _ => match options {
            Classify { url: Some(url), .. } => input::url(&config, url).await?,
            Classify { file: Some(file), .. } => input::file(file)?,
            Classify { articles: Some(articles), .. } => return stream::run(&rulebook, articles, json),
            _ => input::standard_input()?,
        },
    };
    tell(&rulebook, &fields, json)
}

impl Rulebook {
    fn of(base: &Base) -> Self {
        Self { tree: base.tree().clone(), folders: base.folders().clone() }
    }

    fn read(file: &Path) -> anyhow::Result<Self> {
        // What the file's cornerstones say is for `rules check` to prove.
        let options = ImportOptions { accept: true, ..ImportOptions::default() };
        let import = parse_rules(file)?.import(&Base::default(), options);
        let import = import.map_err(|error| bad_input(format!("{}: {error}", file.display())))?;
        let tree = RuleTree::new(import.lesson.rules)
            .map_err(|error| bad_input(format!("{}: {error}", file.display())))?;
        Ok(Self { tree, folders: import.folders })
    }

    fn filed<'a>(&self, url: Option<&'a str>, filing: &Filing) -> Filed<'a> {
        let gives = |id: &&RuleId| self.tree.get(**id).is_some_and(|rule| rule.conclusion.folder().is_some());
        let mut rules: Vec<RuleId> = filing.live.iter().filter(gives).copied().collect();
        rules.sort_unstable();
        Filed { url, folders: paths(&self.folders, filing.folders.iter().copied()), rules }
    }
}

/// One article: its folders, and why.
fn tell(rulebook: &Rulebook, fields: &Fields<'_>, json: bool) -> anyhow::Result<()> {
    let filing = Filer::default().file(&rulebook.tree, fields);
    let words = Words::of(fields);
    if json {
        let filed = rulebook.filed(fields.url.as_deref(), &filing);
        let mut value = serde_json::to_value(&filed)?;
        value["title"] = fields.title.as_deref().into();
        value["why"] = filing.live.iter().map(|id| reasons(rulebook, *id, &words)).collect();
        return console::json(&value);
    }
    if let Some(title) = &fields.title {
        console::note(title);
    }
    if filing.folders.is_empty() {
        console::note("no folder");
    }
    for line in why(&rulebook.tree, &rulebook.folders, &filing.live, &words) {
        console::line(&line);
    }
    Ok(())
}

/// The path of one live rule, with the words that matched.
fn reasons(rulebook: &Rulebook, id: RuleId, words: &Words) -> Value {
    let path = rulebook.tree.path(id);
    let folder = path.last().and_then(|rule| rule.conclusion.folder());
    let step = |rule: &&knowledge::Rule| {
        let literal = |literal: &knowledge::Literal| {
            let mut value = literal_json(&rulebook.folders, literal);
            value["matched"] = matched(literal, words).into();
            value
        };
        json!({ "id": rule.id, "if": rule.condition.iter().map(literal).collect::<Vec<_>>() })
    };
    json!({
        "rule": id,
        "folder": folder.map(|folder| rulebook.folders.path(folder)),
        "path": path.iter().map(step).collect::<Vec<_>>(),
    })
}
