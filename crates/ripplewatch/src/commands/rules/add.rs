//! `rules add` and `rules retire`: a lesson, shown before it is stored.

use super::plan::{Planned, What, Wish, as_typed, contradiction, is_retired};
use crate::cli::{Accept, RuleAdd};
use crate::commands::refile;
use crate::config::Config;
use crate::console;
use crate::exit::{Exit, Told, bad_input};
use crate::rule_words::{conclusion, condition, list, paths, rule_json};
use jiff::Timestamp;
use knowledge::{Archive, Base, Conflict, Effect, Filer, Prompt};
use model::RuleId;
use serde_json::{Value, json};
use store::{Store, StoreError};

/// Conflicts, suggestions and changed articles are told one by one up to here.
const MOST_TOLD: usize = 10;

pub(super) async fn add(config: &Config, store: &Store, options: RuleAdd, json: bool) -> anyhow::Result<()> {
    let prompt = match options.article {
        Some(id) => Some(Prompt { article: Some(id), fields: store.article_fields(id).await? }),
        None => None,
    };
    let mut wish = Wish::of(&options, prompt)?;
    wish.name_what_is_stopped(store).await?;
    teach(config, store, wish, options.dry_run, json).await
}

pub(super) async fn retire(
    config: &Config,
    store: &Store,
    rule: RuleId,
    accept: Accept,
    note: Option<String>,
    dry_run: bool,
    json: bool,
) -> anyhow::Result<()> {
    if store.knowledge(move |base| is_retired(base, rule)).await? {
        return Err(bad_input(format!("rule {rule} is retired already")));
    }
    teach(config, store, Wish::retire(rule, accept, note), dry_run, json).await
}

async fn teach(config: &Config, store: &Store, wish: Wish, dry_run: bool, json: bool) -> anyhow::Result<()> {
    let trial = wish.clone();
    let mut preview = store.study(move |base, archive| preview(base, archive, &trial)).await??;
    if let Some(refusal) = &preview.refusal {
        if json {
            console::json(&preview.json)?;
        }
        return Err(Told { exit: Exit::Refused, message: refusal.clone() }.into());
    }
    if dry_run {
        return preview.tell("would be added", json);
    }
    let author = wish.origin.author.clone();
    let make = move |base: &Base| {
        let planned = wish.plan(base)?;
        Ok((planned.folders, planned.lesson?))
    };
    let learned = store.learn_with_folders(author, Timestamp::now(), make).await?;
    preview.number(&learned.rules);
    preview.tell("added", json)?;
    refile::tell_after_change(config, store).await
}

impl Wish {
    /// A stop without a folder means the folder the article is in, if it is in one only.
    async fn name_what_is_stopped(&mut self, store: &Store) -> anyhow::Result<()> {
        let What::Correct { prompt, folder: None, instead_of: instead_of @ None, .. } = &mut self.what else {
            return Ok(());
        };
        let fields = prompt.fields.clone();
        let given = move |base: &Base| {
            let folders = Filer::default().file(base.tree(), &fields).folders;
            paths(base.folders(), folders)
        };
        let given = store.knowledge(given).await?;
        match given.as_slice() {
            [] => Err(bad_input("the article is in no folder: there is nothing to stop")),
            [one] => {
                *instead_of = Some(one.clone());
                Ok(())
            }
            several => Err(bad_input(format!(
                "the article is in {} folders ({}): say with --instead-of which one is wrong",
                several.len(),
                several.join(", ")
            ))),
        }
    }
}

/// What a lesson would be, in words and for machines.
struct Preview {
    lines: Vec<String>,
    refusal: Option<String>,
    json: Value,
}

impl Preview {
    /// Another process may have taught since: then the rules have other numbers than they would have had.
    fn number(&mut self, ids: &[RuleId]) {
        let rules = self.json["rules"].as_array_mut().into_iter().flatten();
        let mut changed = false;
        for (rule, id) in rules.zip(ids) {
            changed |= rule["id"] != json!(id);
            rule["id"] = json!(id);
        }
        if changed {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            self.lines.push(format!("someone else taught meanwhile: numbered {} instead", ids.join(", ")));
        }
    }

    fn tell(&self, verb: &str, json: bool) -> anyhow::Result<()> {
        if json {
            return console::json(&self.json);
        }
        console::line(&format!("{verb}:"));
        self.lines.iter().for_each(|line| console::line(line));
        Ok(())
    }
}

fn preview(base: &Base, archive: &Archive, wish: &Wish) -> anyhow::Result<Preview> {
    let planned = wish.plan(base)?;
    if let Some(why) = contradiction(base, &planned) {
        return Err(bad_input(why));
    }
    let effect = archive
        .what_if(base.tree(), &planned.rules)
        .map_err(|error| StoreError::Teach(knowledge::TeachError::Tree(error)))?;
    let lines = in_words(base, &planned, archive, &effect);
    let refusal = match &planned.lesson {
        Ok(_) => None,
        Err(error) => Some(refusal(base, archive, &planned, error)?),
    };
    let json = json!({
        "rules": planned.rules.iter().map(|rule| planned_json(base, &planned, rule)).collect::<Vec<_>>(),
        "new_folders": planned.new_folders,
        "expected": planned.draft.as_ref().map(|draft| paths(&planned.folders, draft.expected(base))),
        "conflicts": planned.conflicts.iter().map(|conflict| conflict_json(&planned, conflict)).collect::<Vec<_>>(),
        "refused": refusal.is_some(),
        "archive": effect_json(&planned, &effect),
    });
    Ok(Preview { lines, refusal, json })
}

fn in_words(base: &Base, planned: &Planned, archive: &Archive, effect: &Effect) -> Vec<String> {
    let folders = &planned.folders;
    let mut lines = Vec::new();
    for rule in &planned.rules {
        let path = base.tree().path(rule.parent);
        for (depth, above) in path.iter().enumerate() {
            let (condition, conclusion) = (condition(folders, above), conclusion(folders, above));
            lines.push(format!("{}rule {}: if {condition} {conclusion}", "  ".repeat(depth), above.id));
        }
        let (condition, conclusion) = (condition(folders, rule), conclusion(folders, rule));
        lines.push(format!("{}rule {}: if {condition} {conclusion}", "  ".repeat(path.len()), rule.id));
    }
    lines.extend(planned.new_folders.iter().map(|path| format!("new folder: {path}")));
    if let Some(draft) = &planned.draft {
        lines.push(format!("the article belongs in: {}", list(folders, draft.expected(base))));
    }
    if !planned.conflicts.is_empty() {
        lines.push(format!("{} cornerstones get a new verdict", planned.conflicts.len()));
    }
    lines.extend(effect_in_words(planned, archive, effect));
    lines
}

/// "41 articles change: 38 gain Sport, 3 lose Politics", with the first of them.
fn effect_in_words(planned: &Planned, archive: &Archive, effect: &Effect) -> Vec<String> {
    let changed = effect.changed();
    if changed.is_empty() {
        return vec!["no stored article changes".to_owned()];
    }
    let mut parts = Vec::new();
    for folder in &effect.folders {
        let path = planned.folders.path(folder.folder);
        let mut part = |count: u64, verb: &str| {
            if count > 0 {
                parts.push(format!("{count} {verb} {path}"));
            }
        };
        part(folder.gain.len(), "gain");
        part(folder.lose.len(), "lose");
    }
    let mut lines = vec![format!("{} stored articles change: {}", changed.len(), parts.join(", "))];
    for number in changed.iter().rev().take(MOST_TOLD) {
        let title = archive.text(number).and_then(|fields| fields.title.map(std::borrow::Cow::into_owned));
        lines.push(format!("  article {number}: {}", title.as_deref().unwrap_or("without a title")));
    }
    if changed.len() > MOST_TOLD as u64 {
        lines.push(format!("  and {} more", changed.len() - MOST_TOLD as u64));
    }
    lines
}

/// Which cornerstones are in the way, and what would tell them apart.
fn refusal(
    base: &Base,
    archive: &Archive,
    planned: &Planned,
    error: &knowledge::TeachError,
) -> anyhow::Result<String> {
    let mut lines = vec![error.to_string()];
    for conflict in planned.conflicts.iter().take(MOST_TOLD) {
        lines.push(format!("  {}", conflict_in_words(base, planned, conflict)));
    }
    if planned.conflicts.len() > MOST_TOLD {
        lines.push(format!("  and {} more", planned.conflicts.len() - MOST_TOLD));
    }
    let Some(draft) = &planned.draft else {
        lines.push("Nothing was stored".into());
        lines.push("hint: --accept ID accepts the change for one, --accept-all for all".into());
        return Ok(lines.join("\n"));
    };
    let suggestions = draft.suggestions(base, Some(archive), None).map_err(StoreError::Teach)?;
    let of_use: Vec<_> =
        suggestions.iter().filter(|suggestion| suggestion.excludes > 0).take(MOST_TOLD).collect();
    if !of_use.is_empty() {
        lines.push("words that tell them apart:".into());
    }
    for suggestion in of_use {
        let typed = as_typed(&planned.folders, &suggestion.literal);
        lines.push(format!("  {typed} excludes {} of {}", suggestion.excludes, planned.conflicts.len()));
    }
    let fix = draft.fix(base, Some(archive), None).map_err(StoreError::Teach)?;
    for id in fix.contradictions.iter().take(MOST_TOLD) {
        lines.push(format!(
            "cornerstone {id} says the same as this article and belongs elsewhere: decide which verdict stands"
        ));
    }
    lines.push("Nothing was stored".into());
    if fix.contradictions.is_empty() && !fix.add.is_empty() {
        let typed: Vec<_> = fix.add.iter().map(|literal| as_typed(&planned.folders, literal)).collect();
        lines.push(format!("hint: this would exclude them all: {}", typed.join(" ")));
    }
    lines.push("hint: --accept ID accepts the change for one, --accept-all for all".into());
    Ok(lines.join("\n"))
}

fn conflict_in_words(base: &Base, planned: &Planned, conflict: &Conflict) -> String {
    let Conflict { cornerstone, before, after } = conflict;
    let known = base.cornerstones().get(*cornerstone);
    let title = known.and_then(|known| known.fields.title.as_deref()).unwrap_or("without a title");
    let (before, after) =
        (list(&planned.folders, before.iter().copied()), list(&planned.folders, after.iter().copied()));
    format!("cornerstone {cornerstone}: {title} (is in {before}, would be in {after})")
}

fn planned_json(base: &Base, planned: &Planned, rule: &knowledge::Rule) -> Value {
    let mut value = rule_json(base, rule);
    // The folder may be new.
    value["folder"] = rule.conclusion.folder().map(|folder| planned.folders.path(folder)).into();
    value
}

fn conflict_json(planned: &Planned, conflict: &Conflict) -> Value {
    json!({
        "cornerstone": conflict.cornerstone,
        "before": paths(&planned.folders, conflict.before.iter().copied()),
        "after": paths(&planned.folders, conflict.after.iter().copied()),
    })
}

fn effect_json(planned: &Planned, effect: &Effect) -> Value {
    let folder = |folder: &knowledge::FolderEffect| {
        json!({
            "folder": planned.folders.path(folder.folder),
            "gain": folder.gain.iter().collect::<Vec<_>>(),
            "lose": folder.lose.iter().collect::<Vec<_>>(),
        })
    };
    json!({
        "caught": effect.caught.len(),
        "changed": effect.changed().len(),
        "folders": effect.folders.iter().map(folder).collect::<Vec<_>>(),
    })
}
