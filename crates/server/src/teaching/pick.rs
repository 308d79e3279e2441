//! A literal as pages and programs write it: `{"field": "title", "has": "cup", "mode": "exact"}`.

use crate::problem::Problem;
use knowledge::{Attribute, Field, FolderError, Folders, Literal, Mode, Polarity, Term};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One test of a condition. Exactly one of `has` and `lacks` is given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Literal)]
pub(crate) struct Pick {
    /// `title`, `body`, `anchor`, `url`, `source`, `language`; or `folder`, for a folder other rules gave it.
    pub(crate) field: String,
    /// What must be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) has: Option<String>,
    /// What must not be there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lacks: Option<String>,
    /// `exact` (unless said), `stem`, `phrase` or `prefix`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mode: Option<String>,
}

/// A literal that makes sense by itself; whether its folder exists is another question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picked {
    polarity: Polarity,
    about: About,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    Term(Term),
    Folder(String),
}

impl Pick {
    /// What was written, checked.
    pub(crate) fn read(&self) -> Result<Picked, Problem> {
        let (polarity, text) = match (&self.has, &self.lacks) {
            (Some(text), None) => (Polarity::Has, text),
            (None, Some(text)) => (Polarity::Lacks, text),
            _ => return Err(Problem::invalid("a literal needs either “has” or “lacks”")),
        };
        if self.field == "folder" {
            return Ok(Picked { polarity, about: About::Folder(text.clone()) });
        }
        let field = Field::from_word(&self.field).ok_or_else(|| {
            let known: Vec<&str> = Field::ALL.iter().map(|field| field.word()).collect();
            Problem::invalid("a literal speaks of a field that articles do not have")
                .hint(format!("the fields are {} and folder", known.join(", ")))
        })?;
        let term = match self.mode.as_deref() {
            None => Term::natural(field, text),
            Some(mode) => {
                let mode = Mode::from_word(mode).ok_or_else(|| {
                    Problem::invalid("a literal has a mode that does not exist")
                        .hint("the modes are exact, stem, phrase and prefix")
                })?;
                Term::new(field, mode, text)
            }
        };
        let term = term.map_err(|error| Problem::invalid(error.to_string()))?;
        Ok(Picked { polarity, about: About::Term(term) })
    }

    /// A literal, written.
    pub(crate) fn of(literal: &Literal, folders: &Folders) -> Self {
        let (field, text, mode) = match &literal.attribute {
            Attribute::Term(term) => {
                (term.field().word(), term.text().to_owned(), Some(term.mode().word().to_owned()))
            }
            Attribute::Folder(folder) => ("folder", folders.path(*folder), None),
        };
        let (has, lacks) = match literal.polarity {
            Polarity::Has => (Some(text), None),
            Polarity::Lacks => (None, Some(text)),
        };
        Self { field: field.to_owned(), has, lacks, mode }
    }

    /// What it is about.
    pub(crate) fn text(&self) -> &str {
        self.has.as_deref().or(self.lacks.as_deref()).unwrap_or_default()
    }
}

impl Picked {
    /// The literal, given the folders there are.
    pub(crate) fn literal(&self, folders: &Folders) -> Result<Literal, FolderError> {
        let attribute = match &self.about {
            About::Term(term) => Attribute::Term(term.clone()),
            About::Folder(path) => Attribute::Folder(folders.demand(path)?),
        };
        Ok(Literal { polarity: self.polarity, attribute })
    }
}

/// A literal for people: `the title has “cup”`.
pub(crate) fn in_words(literal: &Literal, folders: &Folders) -> String {
    let polarity = literal.polarity.word();
    match &literal.attribute {
        Attribute::Term(term) => format!("{} {polarity} {term}", field_words(term.field())),
        Attribute::Folder(folder) => {
            let there = if literal.polarity == Polarity::Has { "is" } else { "is not" };
            format!("it {there} in “{}”", folders.path(*folder))
        }
    }
}

/// A field as people call it.
pub(crate) fn field_words(field: Field) -> &'static str {
    match field {
        Field::Title => "title",
        Field::Body => "body",
        Field::Anchor => "link words",
        Field::Url => "address",
        Field::Source => "source",
        Field::Language => "language",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(json: &str) -> String {
        let pick: Pick = serde_json::from_str(json).unwrap();
        pick.read().unwrap_err().error
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut folders = Folders::default();
        folders.create("Sports/Soccer").unwrap();
        for json in [
            r#"{"field":"title","has":"cup","mode":"exact"}"#,
            r#"{"field":"body","lacks":"world cup","mode":"phrase"}"#,
            r#"{"field":"folder","has":"Sports/Soccer"}"#,
        ] {
            let pick: Pick = serde_json::from_str(json).unwrap();
            let literal = pick.read().unwrap().literal(&folders).unwrap();
            assert_eq!(serde_json::to_string(&Pick::of(&literal, &folders)).unwrap(), json);
        }
    }

    #[test]
    fn what_cannot_be_a_literal_says_why() {
        assert_eq!(error(r#"{"field":"title"}"#), "a literal needs either “has” or “lacks”");
        assert_eq!(
            error(r#"{"field":"heading","has":"cup"}"#),
            "a literal speaks of a field that articles do not have"
        );
        assert_eq!(
            error(r#"{"field":"title","has":"cup","mode":"fuzzy"}"#),
            "a literal has a mode that does not exist"
        );
        assert!(error(r#"{"field":"title","has":"🎉"}"#).contains("holds no word"));
        assert!(error(&format!(r#"{{"field":"title","has":"{}"}}"#, "x".repeat(1 << 20))).len() < 300);
    }
}
