//! The form for programs: one JSON object a line.

use super::node::{Node, Object};
use super::reading::{Reading, article_id, check_rule, cornerstone_id, rule_id, timestamp};
use super::{Interchange, PortableAttribute, PortableCornerstone, PortableLiteral, PortableRule};
use crate::field::{Field, Fields};
use crate::literal::{Mode, Polarity, Term, quote};
use crate::rule::{Origin, ROOT};
use jiff::Timestamp;
use model::{ArticleId, CornerstoneId, RuleId};
use serde::Serialize;
use std::collections::BTreeSet;

pub(super) fn write(file: &Interchange) -> String {
    let mut lines = String::new();
    for rule in &file.rules {
        push(&mut lines, &RuleLine::of(rule));
    }
    if !file.folders.is_empty() {
        push(&mut lines, &FoldersLine { folders: &file.folders });
    }
    for cornerstone in &file.cornerstones {
        let PortableCornerstone { id, article, fields, expected } = cornerstone;
        let cornerstone = CornerstoneValue { id: *id, article: *article, expected, fields };
        push(&mut lines, &CornerstoneLine { cornerstone });
    }
    lines
}

fn push(lines: &mut String, line: &impl Serialize) {
    // Only maps with odd keys and failing writers can fail; there are neither.
    lines.push_str(&serde_json::to_string(line).unwrap_or_default());
    lines.push('\n');
}

#[derive(Serialize)]
struct RuleLine<'a> {
    id: RuleId,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<RuleId>,
    #[serde(rename = "if", skip_serializing_if = "Vec::is_empty")]
    condition: Vec<LiteralValue<'a>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    always: bool,
    folder: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cornerstone: Option<CornerstoneId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Serialize, Default)]
struct LiteralValue<'a> {
    field: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    has: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'a str>,
}

#[derive(Serialize)]
struct FoldersLine<'a> {
    folders: &'a [String],
}

#[derive(Serialize)]
struct CornerstoneLine<'a> {
    cornerstone: CornerstoneValue<'a>,
}

#[derive(Serialize)]
struct CornerstoneValue<'a> {
    id: CornerstoneId,
    #[serde(skip_serializing_if = "Option::is_none")]
    article: Option<ArticleId>,
    expected: &'a BTreeSet<String>,
    #[serde(flatten)]
    fields: &'a Fields<'static>,
}

impl<'a> RuleLine<'a> {
    fn of(rule: &'a PortableRule) -> Self {
        Self {
            id: rule.id,
            parent: Some(rule.parent).filter(|parent| *parent != ROOT),
            condition: rule.condition.iter().map(LiteralValue::of).collect(),
            always: rule.condition.is_empty(),
            folder: rule.folder.as_deref(),
            author: rule.origin.author.as_deref(),
            at: rule.origin.at,
            cornerstone: rule.origin.cornerstone,
            note: rule.origin.note.as_deref(),
        }
    }
}

impl<'a> LiteralValue<'a> {
    fn of(literal: &'a PortableLiteral) -> Self {
        let (field, text, mode) = match &literal.attribute {
            PortableAttribute::Term(term) => {
                let mode = Some(term.mode()).filter(|mode| *mode != Mode::Exact);
                (term.field().word(), term.text(), mode.map(Mode::word))
            }
            PortableAttribute::Folder(path) => ("folder", path.as_str(), None),
        };
        match literal.polarity {
            Polarity::Has => Self { field, has: Some(text), mode, ..Self::default() },
            Polarity::Lacks => Self { field, lacks: Some(text), mode, ..Self::default() },
        }
    }
}

pub(super) fn read(file: &str, reading: &mut Reading) {
    for (at, line) in file.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        if let Err(reason) = read_line(at + 1, line, reading) {
            reading.fail(at + 1, reason);
        }
    }
}

fn read_line(line: usize, text: &str, reading: &mut Reading) -> Result<(), String> {
    let mut object = Node::parse(text)?.object("the line")?;
    if object.has("folders") {
        return read_folders(object, reading);
    }
    if !object.has("id")
        && let Some(cornerstone) = object.take("cornerstone")
    {
        object.end("cornerstone")?;
        let cornerstone = read_cornerstone(cornerstone.object("\"cornerstone\"")?, reading)?;
        reading.cornerstones.push((line, cornerstone));
        return Ok(());
    }
    let id = object.take_integer("id")?.ok_or("the rule has no \"id\"")?;
    let id = rule_id(id)?;
    match read_rule(id, object, reading) {
        Ok(rule) => {
            reading.rules.push((line, rule));
            Ok(())
        }
        Err(reason) => {
            reading.broken.insert(id);
            Err(reason)
        }
    }
}

fn read_folders(mut object: Object, reading: &mut Reading) -> Result<(), String> {
    let list = object.take("folders").map_or(Ok(Vec::new()), |node| node.list("\"folders\""))?;
    object.end("folders")?;
    for path in list {
        let path = reading.folder(&path.text("a folder")?)?;
        reading.folders.push(path);
    }
    Ok(())
}

fn read_cornerstone(mut object: Object, reading: &mut Reading) -> Result<PortableCornerstone, String> {
    let id = object.take_integer("id")?.ok_or("the cornerstone has no \"id\"")?;
    let article = object.take_integer("article")?.map(article_id).transpose()?;
    let list = object.take("expected").ok_or("the cornerstone does not say what is \"expected\"")?;
    let mut expected = BTreeSet::new();
    for path in list.list("\"expected\"")? {
        expected.insert(reading.folder(&path.text("a folder")?)?);
    }
    let fields = take_fields(&mut object)?;
    object.end("id, article, expected, title, body, anchor, url, source, language")?;
    Ok(PortableCornerstone { id: cornerstone_id(id)?, article, fields, expected })
}

/// Takes the texts of an article out of an object.
pub(super) fn take_fields(object: &mut Object) -> Result<Fields<'static>, String> {
    let mut take = |field: Field| Ok::<_, String>(object.take_text(field.word())?.map(Into::into));
    Ok(Fields {
        title: take(Field::Title)?,
        body: take(Field::Body)?,
        anchor: take(Field::Anchor)?,
        url: take(Field::Url)?,
        source: take(Field::Source)?,
        language: take(Field::Language)?,
    })
}

fn read_rule(id: RuleId, mut object: Object, reading: &mut Reading) -> Result<PortableRule, String> {
    let parent = match object.take_integer("parent")? {
        None | Some(0) => ROOT,
        Some(parent) => rule_id(parent)?,
    };
    let always = object.take("always").map_or(Ok(false), |node| node.bool("\"always\""))?;
    let mode = read_mode(&mut object)?.unwrap_or(Mode::Exact);
    let list = object.take("if").map_or(Ok(Vec::new()), |node| node.list("\"if\""))?;
    let mut condition = Vec::new();
    for literal in list {
        condition.push(read_literal(literal.object("a literal of \"if\"")?, mode, reading)?);
    }
    let says_folder = object.has("folder");
    let folder = object.take_text("folder")?.map(|path| reading.folder(&path)).transpose()?;
    let origin = Origin {
        author: object.take_text("author")?,
        at: object.take_text("at")?.map(|text| timestamp(&text)).transpose()?,
        cornerstone: object.take_integer("cornerstone")?.map(cornerstone_id).transpose()?,
        note: object.take_text("note")?,
    };
    object.end("id, parent, if, mode, always, folder, author, at, cornerstone, note")?;
    if always && !condition.is_empty() {
        return Err("a rule that is \"always\" true has no condition".into());
    }
    if always && (folder.is_some() || parent == ROOT) {
        return Err(
            "\"always\" retires another rule: it needs a \"parent\", and its \"folder\" is null".into()
        );
    }
    if !always && condition.is_empty() {
        return Err(crate::tree::TreeError::NoCondition(id).to_string());
    }
    if !always && !says_folder {
        return Err("the rule has no \"folder\"; null would stop".into());
    }
    check_rule(PortableRule { id, parent, condition, folder, origin })
}

fn read_mode(object: &mut Object) -> Result<Option<Mode>, String> {
    let Some(word) = object.take_text("mode")? else { return Ok(None) };
    let unknown = || format!("{} is no mode: there are exact, stem, phrase and prefix", quote(&word));
    Mode::from_word(&word).map(Some).ok_or_else(unknown)
}

fn read_literal(mut object: Object, mode: Mode, reading: &mut Reading) -> Result<PortableLiteral, String> {
    let field = object.take_text("field")?.ok_or("a literal has no \"field\"")?;
    let (polarity, text) = match (object.take_text("has")?, object.take_text("lacks")?) {
        (Some(text), None) => (Polarity::Has, text),
        (None, Some(text)) => (Polarity::Lacks, text),
        (Some(_), Some(_)) => return Err("a literal either \"has\" or \"lacks\", not both".into()),
        (None, None) => return Err("a literal neither \"has\" nor \"lacks\" anything".into()),
    };
    let own_mode = read_mode(&mut object)?;
    object.end("field, has, lacks, mode")?;
    let attribute = match (field.as_str(), own_mode) {
        ("folder", Some(_)) => return Err("a literal on a folder has no \"mode\"".into()),
        ("folder", None) => PortableAttribute::Folder(reading.folder(&text)?),
        (word, own) => {
            let field = Field::from_word(word).ok_or_else(|| unknown_field(word))?;
            let term = Term::new(field, own.unwrap_or(mode), &text).map_err(|error| error.to_string())?;
            PortableAttribute::Term(term)
        }
    };
    Ok(PortableLiteral { polarity, attribute })
}

pub(super) fn unknown_field(word: &str) -> String {
    format!("{} is no field: there are title, body, anchor, url, source, language and folder", quote(word))
}
