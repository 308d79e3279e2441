//! A JSON value that refuses what [`serde_json::Value`] lets pass in silence: a key given twice.

use crate::literal::quote;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value.
#[derive(Debug)]
pub(super) enum Node {
    Null,
    Bool(bool),
    Integer(i64),
    /// A number that is no whole number or does not fit, as it was written.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Object(Object),
}

/// A JSON object whose entries are taken out one by one, so that what is left over was not known.
#[derive(Debug, Default)]
pub(super) struct Object(Vec<(String, Node)>);

impl Node {
    /// Reads one line.
    pub(super) fn parse(line: &str) -> Result<Self, String> {
        serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
            format!("not a JSON object: {reason} (column {})", error.column())
        })
    }

    /// An object, or an error that calls it `name`.
    pub(super) fn object(self, name: &str) -> Result<Object, String> {
        match self {
            Self::Object(object) => Ok(object),
            other => Err(other.is_not(name, "an object {…}")),
        }
    }

    /// A list, or an error.
    pub(super) fn list(self, name: &str) -> Result<Vec<Self>, String> {
        match self {
            Self::List(list) => Ok(list),
            other => Err(other.is_not(name, "a list […]")),
        }
    }

    /// A text, or an error.
    pub(super) fn text(self, name: &str) -> Result<String, String> {
        match self {
            Self::Text(text) => Ok(text),
            other => Err(other.is_not(name, "a text \"…\"")),
        }
    }

    /// A whole number, or an error.
    pub(super) fn integer(self, name: &str) -> Result<i64, String> {
        match self {
            Self::Integer(number) => Ok(number),
            other => Err(other.is_not(name, "a whole number")),
        }
    }

    /// True or false, or an error.
    pub(super) fn bool(self, name: &str) -> Result<bool, String> {
        match self {
            Self::Bool(bool) => Ok(bool),
            other => Err(other.is_not(name, "true or false")),
        }
    }

    fn is_not(&self, name: &str, wanted: &str) -> String {
        let found = match self {
            Self::Null => "null".to_owned(),
            Self::Bool(bool) => bool.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.clone(),
            Self::Text(text) => quote(text),
            Self::List(_) => "a list".to_owned(),
            Self::Object(_) => "an object".to_owned(),
        };
        format!("{name} is {found}, but should be {wanted}")
    }
}

impl Object {
    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(name, _)| name == key)
    }

    /// Takes a value out. `null` is the same as nothing.
    pub(super) fn take(&mut self, key: &str) -> Option<Node> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.swap_remove(at).1).filter(|node| !matches!(node, Node::Null))
    }

    /// Takes a text out.
    pub(super) fn take_text(&mut self, key: &str) -> Result<Option<String>, String> {
        self.take(key).map(|node| node.text(&format!("\"{key}\""))).transpose()
    }

    /// Takes a whole number out.
    pub(super) fn take_integer(&mut self, key: &str) -> Result<Option<i64>, String> {
        self.take(key).map(|node| node.integer(&format!("\"{key}\""))).transpose()
    }

    /// Refuses what has not been taken out.
    pub(super) fn end(&self, known: &str) -> Result<(), String> {
        match self.0.iter().map(|(name, _)| name).min() {
            Some(name) => Err(format!("unknown key {}: known are {known}", quote(name))),
            None => Ok(()),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(i64::try_from(value).map_or_else(|_| Node::Number(value.to_string()), Node::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Number(format!("{value:e}")))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Node, E> {
        Ok(Node::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut object = Object::default();
        let mut seen = std::collections::HashSet::new();
        while let Some((name, node)) = entries.next_entry::<String, Node>()? {
            if !seen.insert(name.clone()) {
                return Err(de::Error::custom(format!("the key {} is there twice", quote(&name))));
            }
            object.0.push((name, node));
        }
        Ok(Node::Object(object))
    }
}
