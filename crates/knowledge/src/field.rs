//! What an article says, field by field. A field may be *missing*: nobody could read it.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A part of an article that rules can speak about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The headline.
    Title,
    /// The main text.
    Body,
    /// The words of the link that led to it.
    Anchor,
    /// The words of its address.
    Url,
    /// The words of the name of the source that showed it first.
    Source,
    /// Its language: `en`, or `zh cn`.
    Language,
}

impl Field {
    /// How many there are.
    pub const COUNT: usize = 6;

    /// All of them, in the order people read them.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Title, Self::Body, Self::Anchor, Self::Url, Self::Source, Self::Language];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Body => "body",
            Self::Anchor => "anchor",
            Self::Url => "url",
            Self::Source => "source",
            Self::Language => "language",
        }
    }

    /// The inverse of [`Field::word`].
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.word() == word)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text of each field of one article; `None` is missing, which is not the same as empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fields<'a> {
    /// The headline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Cow<'a, str>>,
    /// The main text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Cow<'a, str>>,
    /// The words of the link that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Cow<'a, str>>,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Cow<'a, str>>,
    /// The name of the source that showed it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Cow<'a, str>>,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Cow<'a, str>>,
}

impl<'a> Fields<'a> {
    /// The place of a field's text, to be filled.
    pub(crate) fn get_mut(&mut self, field: Field) -> &mut Option<Cow<'a, str>> {
        match field {
            Field::Title => &mut self.title,
            Field::Body => &mut self.body,
            Field::Anchor => &mut self.anchor,
            Field::Url => &mut self.url,
            Field::Source => &mut self.source,
            Field::Language => &mut self.language,
        }
    }
}

impl Fields<'_> {
    /// The text of a field.
    pub fn get(&self, field: Field) -> Option<&str> {
        match field {
            Field::Title => self.title.as_deref(),
            Field::Body => self.body.as_deref(),
            Field::Anchor => self.anchor.as_deref(),
            Field::Url => self.url.as_deref(),
            Field::Source => self.source.as_deref(),
            Field::Language => self.language.as_deref(),
        }
    }

    /// The fields that are not missing.
    pub fn present(&self) -> impl Iterator<Item = (Field, &str)> {
        Field::ALL.into_iter().filter_map(|field| Some((field, self.get(field)?)))
    }

    /// The same, kept.
    pub fn into_owned(self) -> Fields<'static> {
        let own = |text: Option<Cow<'_, str>>| text.map(|text| Cow::Owned(text.into_owned()));
        Fields {
            title: own(self.title),
            body: own(self.body),
            anchor: own(self.anchor),
            url: own(self.url),
            source: own(self.source),
            language: own(self.language),
        }
    }
}
