//! Attributes, whoever read them: a tree has them decoded, a run of tokens as written.

use crate::html::tokens::{self, references};
use std::borrow::Cow;

/// What a tag carries.
pub(super) trait Attributes {
    /// An attribute's value.
    fn value(&self, name: &str) -> Option<Cow<'_, str>>;

    /// An attribute's value, trimmed; `None` if empty.
    fn said(&self, name: &str) -> Option<Cow<'_, str>> {
        let value = match self.value(name)? {
            Cow::Borrowed(value) => Cow::Borrowed(value.trim()),
            Cow::Owned(value) => Cow::Owned(value.trim().to_owned()),
        };
        (!value.is_empty()).then_some(value)
    }

    /// The same to keep.
    fn kept(&self, name: &str) -> Option<String> {
        self.said(name).map(Cow::into_owned)
    }
}

impl Attributes for [html5ever::Attribute] {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        self.iter().find(|attribute| &*attribute.name.local == name).map(|found| Cow::Borrowed(&*found.value))
    }
}

impl Attributes for [tokens::Attribute<'_>] {
    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let found = self.iter().find(|attribute| attribute.name.eq_ignore_ascii_case(name))?;
        Some(references::resolved(found.value))
    }
}
