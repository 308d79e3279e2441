//! A topic to triples to text.

use super::Format;
use super::vocabulary as v;
use crate::ontology::{ClassId, Entry, Link, RelationId, Topic};
use oxrdf::{BlankNode, Literal, NamedNode, NamedNodeRef, NamedOrBlankNode, Term, Triple};
use oxrdfxml::RdfXmlSerializer;
use oxttl::TurtleSerializer;
use std::collections::HashSet;

/// The topic as text.
pub(super) fn text(topic: &Topic, format: Format) -> String {
    let mut writer = Writer::new(topic);
    if format == Format::Skos {
        writer.concepts();
    } else {
        writer.classes();
    }
    let written = match format {
        Format::RdfXml => rdf_xml(&writer.triples),
        Format::Turtle | Format::Skos => turtle(&writer.triples),
    };
    // Writing to memory does not fail, and what is written is UTF-8.
    written.ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn turtle(triples: &[Triple]) -> std::io::Result<Vec<u8>> {
    let mut serializer = TurtleSerializer::new();
    for (name, iri) in v::PREFIXES {
        serializer = serializer.with_prefix(name, iri).map_err(std::io::Error::other)?;
    }
    let mut writer = serializer.for_writer(Vec::new());
    for triple in triples {
        writer.serialize_triple(triple)?;
    }
    writer.finish()
}

fn rdf_xml(triples: &[Triple]) -> std::io::Result<Vec<u8>> {
    let mut serializer = RdfXmlSerializer::new();
    for (name, iri) in v::PREFIXES.into_iter().skip(1) {
        serializer = serializer.with_prefix(name, iri).map_err(std::io::Error::other)?;
    }
    let mut writer = serializer.for_writer(Vec::new());
    for triple in triples {
        writer.serialize_triple(triple)?;
    }
    writer.finish()
}

struct Writer<'a> {
    topic: &'a Topic,
    classes: Vec<NamedNode>,
    relations: Vec<NamedNode>,
    entries: usize,
    triples: Vec<Triple>,
}

impl<'a> Writer<'a> {
    fn new(topic: &'a Topic) -> Self {
        let mut taken = HashSet::new();
        let classes =
            topic.ontology.classes().iter().map(|class| (class.iri.as_deref(), class.name.as_str()));
        let classes = classes.map(|(iri, name)| address(iri, "class", name, &mut taken)).collect();
        let relations = topic.ontology.relations().iter().map(|one| (one.iri.as_deref(), one.name.as_str()));
        let relations = relations.map(|(iri, name)| address(iri, "relation", name, &mut taken)).collect();
        Self { topic, classes, relations, entries: 0, triples: Vec::new() }
    }

    /// Everything, as OWL.
    fn classes(&mut self) {
        let ontology = &self.topic.ontology;
        for (at, class) in ontology.classes().iter().enumerate() {
            let node = self.classes[at].clone();
            self.say(&node, v::TYPE, v::CLASS.into_owned());
            self.say(&node, v::LABEL, Literal::new_simple_literal(&class.name));
            self.say(&node, v::FROM, json(&class.provenance));
            for parent in &class.parents {
                self.say(&node, v::SUBCLASS, self.class(*parent));
            }
            if let Some(factor) = self.topic.factors.get(&ClassId(at as u32)) {
                self.say(&node, v::FACTOR, number(*factor));
            }
            self.lexicon(&node, &class.entries);
        }
        for (at, relation) in ontology.relations().iter().enumerate() {
            let node = self.relations[at].clone();
            self.say(&node, v::TYPE, v::OBJECT_PROPERTY.into_owned());
            self.say(&node, v::LABEL, Literal::new_simple_literal(&relation.name));
            self.say(&node, v::FROM, json(&relation.provenance));
            for (what, class) in [(v::DOMAIN, relation.domain), (v::RANGE, relation.range)] {
                if let Some(class) = class {
                    self.say(&node, what, self.class(class));
                }
            }
            for parent in &relation.parents {
                self.say(&node, v::SUBPROPERTY, self.relation(*parent));
            }
            if let Some(inverse) = relation.inverse {
                self.say(&node, v::INVERSE, self.relation(inverse));
            }
            self.lexicon(&node, &relation.entries);
        }
        for Link(one, other) in ontology.links() {
            self.say(&self.class(*one), v::LINKED, self.class(*other));
        }
        self.looked_for();
    }

    /// The classes as concepts: names, words, what is broader, what is related.
    fn concepts(&mut self) {
        let ontology = &self.topic.ontology;
        for (at, class) in ontology.classes().iter().enumerate() {
            let node = self.classes[at].clone();
            self.say(&node, v::TYPE, v::CONCEPT.into_owned());
            self.say(&node, v::PREFERRED, Literal::new_simple_literal(&class.name));
            for entry in class.entries.iter().filter(|entry| entry.text != class.name) {
                self.say(&node, v::ALTERNATIVE, worded(entry));
            }
            for parent in &class.parents {
                self.say(&node, v::BROADER, self.class(*parent));
            }
        }
        let related = ontology.relations().iter().filter_map(|relation| relation.domain.zip(relation.range));
        let linked = ontology.links().iter().map(|Link(one, other)| (*one, *other));
        for (one, other) in related.chain(linked).filter(|(one, other)| one != other) {
            self.say(&self.class(one), v::RELATED, self.class(other));
        }
        self.looked_for();
    }

    fn looked_for(&mut self) {
        let class = self.class(self.topic.class);
        self.say(&class, v::LOOKED_FOR, Literal::new_simple_literal(&self.topic.name));
    }

    fn lexicon(&mut self, node: &NamedNode, entries: &[Entry]) {
        for entry in entries {
            let Ok(own) = BlankNode::new(format!("e{}", self.entries)) else { continue };
            self.entries += 1;
            self.say(node, v::ENTRY, own.clone());
            self.say(own.clone(), v::VALUE, worded(entry));
            self.say(own.clone(), v::WEIGHT, number(entry.weight));
            self.say(own, v::FROM, json(&entry.provenance));
        }
    }

    fn say(&mut self, subject: impl Into<Subject>, what: NamedNodeRef<'_>, object: impl Into<Term>) {
        self.triples.push(Triple::new(subject.into().0, what, object));
    }

    fn class(&self, id: ClassId) -> NamedNode {
        self.classes.get(id.0 as usize).cloned().unwrap_or_else(|| v::THING.into_owned())
    }

    fn relation(&self, id: RelationId) -> NamedNode {
        self.relations.get(id.0 as usize).cloned().unwrap_or_else(|| v::PROPERTY.into_owned())
    }
}

/// What something can be said about.
struct Subject(NamedOrBlankNode);

impl From<&NamedNode> for Subject {
    fn from(node: &NamedNode) -> Self {
        Self(node.clone().into())
    }
}

impl From<BlankNode> for Subject {
    fn from(node: BlankNode) -> Self {
        Self(node.into())
    }
}

/// The address it came with, or one made from its name; no two alike.
fn address(iri: Option<&str>, kind: &str, name: &str, taken: &mut HashSet<String>) -> NamedNode {
    let known = iri.filter(|iri| NamedNode::new(*iri).is_ok()).map(str::to_owned);
    let base = known.unwrap_or_else(|| {
        let letters = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
        format!("urn:ripplewatch:{kind}:{}", letters.collect::<String>())
    });
    let mut address = base.clone();
    let mut copies = 1;
    while !taken.insert(address.clone()) {
        copies += 1;
        address = format!("{base}-{copies}");
    }
    NamedNode::new_unchecked(address)
}

fn worded(entry: &Entry) -> Literal {
    let tagged = entry
        .language
        .as_deref()
        .and_then(|language| Literal::new_language_tagged_literal(&entry.text, language).ok());
    tagged.unwrap_or_else(|| Literal::new_simple_literal(&entry.text))
}

fn number(value: f64) -> Literal {
    Literal::new_typed_literal(value.to_string(), v::DECIMAL)
}

fn json(value: &impl serde::Serialize) -> Literal {
    Literal::new_simple_literal(serde_json::to_string(value).unwrap_or_default())
}
