//! Reads the text form.

use super::json_lines::unknown_field;
use super::lexer::{Token, Tokens};
use super::reading::{Reading, article_id, check_rule, cornerstone_id, rule_id, timestamp};
use super::text::{HEADING, INDENT, VERSION};
use super::{PortableAttribute, PortableCornerstone, PortableLiteral, PortableRule};
use crate::field::{Field, Fields};
use crate::literal::{Mode, Polarity, Term, quote};
use crate::rule::{Origin, ROOT};
use model::RuleId;
use std::collections::BTreeSet;

pub(super) fn read(file: &str, reading: &mut Reading) {
    let mut reader = Reader { reading, open: Open::Rules(Vec::new()) };
    for (at, line) in file.lines().enumerate() {
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        let result =
            if line.trim_start().starts_with('#') { check_version(line) } else { reader.line(at + 1, line) };
        if let Err(reason) = result {
            reader.reading.fail(at + 1, reason);
        }
    }
}

/// A comment may be anything, but not the heading of a form that is read differently.
fn check_version(line: &str) -> Result<(), String> {
    match line.strip_prefix(HEADING).map(str::trim) {
        Some(version) if version != VERSION && version.parse::<u32>().is_ok() => Err(format!(
            "this is version {} of the form, and only version {VERSION} is known",
            quote(version)
        )),
        _ => Ok(()),
    }
}

struct Reader<'r> {
    reading: &'r mut Reading,
    open: Open,
}

/// What an indented line belongs to.
enum Open {
    /// The rules it may be an exception to, one for each depth; `None` could not be read.
    Rules(Vec<Option<RuleId>>),
    /// The last cornerstone; what is under one that could not be read is not looked at.
    Cornerstone { is_read: bool },
    /// Nothing can be under it.
    Nothing,
}

impl Reader<'_> {
    fn line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let depth = depth(line)?;
        let mut tokens = Tokens::of(line);
        let first = match &mut tokens {
            Ok(tokens) => tokens.next(),
            // What it is can be told even if it cannot be read: exceptions under it are not to blame.
            Err(_) => line.split_whitespace().next().map(|word| Token::Bare(word.to_owned())),
        };
        let Some(Token::Bare(first)) = first else { return Err(unknown_line(first.as_ref())) };
        if let (Open::Cornerstone { is_read }, 1..) = (&self.open, depth) {
            return if *is_read { self.field(&first, depth, tokens?) } else { Ok(()) };
        }
        match first.as_str() {
            "if" | "retired" => self.rule(number, depth, first == "if", tokens),
            "folder" | "cornerstone" if depth > 0 => Err(format!("“{first}” must not be indented")),
            "folder" => {
                self.open = Open::Nothing;
                self.folder(tokens?)
            }
            "cornerstone" => {
                self.open = Open::Cornerstone { is_read: false };
                let cornerstone = self.cornerstone(tokens?)?;
                self.reading.cornerstones.push((number, cornerstone));
                self.open = Open::Cornerstone { is_read: true };
                Ok(())
            }
            _ => Err(unknown_line(Some(&Token::Bare(first)))),
        }
    }

    fn rule(
        &mut self,
        number: usize,
        depth: usize,
        has_condition: bool,
        tokens: Result<Tokens, String>,
    ) -> Result<(), String> {
        let mut above = match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Rules(above) => above,
            _ => Vec::new(),
        };
        let is_too_deep = depth > above.len();
        above.resize(depth, None);
        let parent = above.last().copied();
        let mut id = None;
        let rule = tokens.and_then(|tokens| self.read_rule(has_condition, tokens, &mut id));
        above.push(id);
        self.open = Open::Rules(above);
        let rule = rule.and_then(|rule| match parent {
            _ if is_too_deep => Err("it is indented deeper than an exception to the rule above it".into()),
            Some(None) => Ok(None),
            Some(Some(parent)) => check_rule(PortableRule { parent, ..rule }).map(Some),
            None => check_rule(rule).map(Some),
        });
        match rule {
            Ok(Some(rule)) => {
                self.reading.rules.push((number, rule));
                Ok(())
            }
            other => {
                self.reading.broken.extend(id);
                other.map(|_| ())
            }
        }
    }

    /// Reads a rule, and its id even if something before it is wrong.
    fn read_rule(
        &mut self,
        has_condition: bool,
        mut tokens: Tokens,
        id: &mut Option<RuleId>,
    ) -> Result<PortableRule, String> {
        *id = tokens.number_in_brackets().and_then(|number| rule_id(number).ok());
        let mut condition = Vec::new();
        let mut folder = None;
        if has_condition {
            condition.push(self.literal(&mut tokens)?);
            while tokens.take_word("and") {
                condition.push(self.literal(&mut tokens)?);
            }
            tokens.word("then")?;
            if !tokens.take_word("stop") {
                folder = Some(self.reading.folder(&tokens.name("a folder")?)?);
            }
        }
        tokens.sign('[').map_err(|error| format!("{error}; a rule ends with its id: [7]"))?;
        let id = rule_id(tokens.number("the rule's id")?)?;
        let origin = read_origin(&mut tokens)?;
        tokens.end()?;
        Ok(PortableRule { id, parent: ROOT, condition, folder, origin })
    }

    fn literal(&mut self, tokens: &mut Tokens) -> Result<PortableLiteral, String> {
        let field = tokens.bare("a field")?;
        let polarity = match tokens.bare("“has” or “lacks”")?.as_str() {
            "has" => Polarity::Has,
            "lacks" => Polarity::Lacks,
            other => return Err(format!("expected “has” or “lacks”, found {}", quote(other))),
        };
        let attribute = if field == "folder" {
            PortableAttribute::Folder(self.reading.folder(&tokens.name("a folder")?)?)
        } else {
            let field = Field::from_word(&field).ok_or_else(|| unknown_field(&field))?;
            let mode = Mode::ALL.into_iter().find(|mode| tokens.take_word(mode.word()));
            let text = tokens.quoted("a word")?;
            let term = Term::new(field, mode.unwrap_or(Mode::Exact), &text);
            PortableAttribute::Term(term.map_err(|error| error.to_string())?)
        };
        Ok(PortableLiteral { polarity, attribute })
    }

    fn folder(&mut self, mut tokens: Tokens) -> Result<(), String> {
        let path = self.reading.folder(&tokens.name("a folder")?)?;
        tokens.end()?;
        self.reading.folders.push(path);
        Ok(())
    }

    fn cornerstone(&mut self, mut tokens: Tokens) -> Result<PortableCornerstone, String> {
        let id = cornerstone_id(tokens.number("the cornerstone's id")?)?;
        let mut article = None;
        if tokens.take_word("article") {
            article = Some(article_id(tokens.number("the article's id")?)?);
        }
        tokens.word("expects")?;
        let mut expected = BTreeSet::new();
        if !tokens.take_word("nothing") {
            expected.insert(self.reading.folder(&tokens.name("a folder")?)?);
            while tokens.take(&Token::Sign(',')) {
                expected.insert(self.reading.folder(&tokens.name("a folder")?)?);
            }
        }
        tokens.end()?;
        Ok(PortableCornerstone { id, article, fields: Fields::default(), expected })
    }

    /// A text of the cornerstone above.
    fn field(&mut self, word: &str, depth: usize, mut tokens: Tokens) -> Result<(), String> {
        let field = Field::from_word(word);
        let Some((field, 1)) = field.map(|field| (field, depth)) else {
            return Err(format!(
                "expected a field of the cornerstone above, indented once, found {}",
                quote(word)
            ));
        };
        let said = tokens.quoted("a text")?;
        tokens.end()?;
        let Some((_, cornerstone)) = self.reading.cornerstones.last_mut() else { return Ok(()) };
        let place = cornerstone.fields.get_mut(field);
        if place.is_some() {
            return Err(format!("the cornerstone has two texts for its {field}"));
        }
        *place = Some(said.into());
        Ok(())
    }
}

fn read_origin(tokens: &mut Tokens) -> Result<Origin, String> {
    let mut origin = Origin::default();
    if tokens.take_word("by") {
        origin.author = Some(tokens.name("an author")?);
    }
    if tokens.take_word("at") {
        origin.at = Some(timestamp(&tokens.bare("a time")?)?);
    }
    if tokens.take_word("cornerstone") {
        origin.cornerstone = Some(cornerstone_id(tokens.number("the cornerstone's id")?)?);
    }
    if tokens.take_word("note") {
        origin.note = Some(tokens.quoted("a note")?);
    }
    tokens.sign(']').map_err(|error| {
        format!("{error}; after the id come, in this order, by …, at …, cornerstone …, note …")
    })?;
    Ok(origin)
}

fn depth(line: &str) -> Result<usize, String> {
    let indent = line.len() - line.trim_start().len();
    if !line[..indent].bytes().all(|byte| byte == b' ') {
        return Err("it is indented with something else than spaces".into());
    }
    if !indent.is_multiple_of(INDENT.len()) {
        return Err(format!(
            "it is indented by {indent} spaces: each step down the tree is {} spaces",
            INDENT.len()
        ));
    }
    Ok(indent / INDENT.len())
}

fn unknown_line(first: Option<&Token>) -> String {
    let found = match first {
        Some(Token::Bare(text) | Token::Quoted(text)) => quote(text),
        Some(Token::Sign(sign)) => quote(&sign.to_string()),
        None => "nothing".to_owned(),
    };
    format!("a line begins with if, retired, folder, cornerstone or #, not with {found}")
}
