//! Text to triples to an ontology. Takes what it understands and leaves the rest.

use super::Format;
use super::vocabulary as v;
use crate::ontology::{
    Class, ClassId, Entry, Link, Ontology, OntologyError, Provenance, Relation, RelationId,
};
use oxrdf::{Literal, NamedNodeRef, NamedOrBlankNode, Term, Triple};
use oxrdfxml::RdfXmlParser;
use oxttl::TurtleParser;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Large enough for the large public ones, small enough to be held in memory.
const MOST_BYTES: usize = 32 << 20;
const MOST_TRIPLES: usize = 1_000_000;
/// No learned factor is larger.
const LARGEST_FACTOR: f64 = 100.0;
/// What names without an address are relative to.
const BASE: &str = "urn:ripplewatch:file#";

/// What was read.
pub(super) struct Found {
    pub(super) ontology: Ontology,
    /// The class that the file says to look for.
    pub(super) class: Option<String>,
    pub(super) factors: BTreeMap<ClassId, f64>,
}

/// The triples of a text.
pub(super) fn triples(text: &str, format: Format) -> Result<Vec<Triple>, OntologyError> {
    let text = text.trim_start_matches('\u{feff}');
    let advice = "Cut the part you need out of it";
    if text.len() > MOST_BYTES {
        let (found, limit) = (text.len(), MOST_BYTES);
        return Err(OntologyError::TooLarge { what: "the bytes of the file", found, limit, advice });
    }
    let mut triples = Vec::new();
    match format {
        Format::Turtle | Format::Skos => {
            let parser = TurtleParser::new().with_base_iri(BASE).map_err(unusable)?;
            for triple in parser.for_slice(text) {
                let triple = triple.map_err(|error| OntologyError::Unreadable {
                    format: "Turtle",
                    line: error.location().start.line as usize + 1,
                    what: error.message().to_owned(),
                })?;
                triples.push(triple);
                if triples.len() > MOST_TRIPLES {
                    break;
                }
            }
        }
        Format::RdfXml => {
            check_entities(text)?;
            let mut parser = RdfXmlParser::new().with_base_iri(BASE).map_err(unusable)?.for_slice(text);
            while let Some(triple) = parser.next() {
                let triple = triple.map_err(|error| OntologyError::Unreadable {
                    format: "RDF/XML",
                    line: line_at(text, parser.buffer_position() as usize),
                    what: error.to_string(),
                })?;
                triples.push(triple);
                if triples.len() > MOST_TRIPLES {
                    break;
                }
            }
        }
    }
    if triples.len() > MOST_TRIPLES {
        let (found, limit) = (triples.len(), MOST_TRIPLES);
        return Err(OntologyError::TooLarge { what: "the statements of the file", found, limit, advice });
    }
    Ok(triples)
}

fn unusable(error: impl std::fmt::Display) -> OntologyError {
    OntologyError::Broken(error.to_string())
}

fn line_at(text: &str, position: usize) -> usize {
    text.as_bytes().iter().take(position).filter(|byte| **byte == b'\n').count() + 1
}

/// Entities made of entities can grow without end; ontologies use them for namespaces only.
fn check_entities(text: &str) -> Result<(), OntologyError> {
    let declared =
        text.match_indices("<!ENTITY").map(|(at, _)| (at, text[at..].split('>').next().unwrap_or_default()));
    for (at, declaration) in declared {
        if declaration.contains('&') || declaration.contains("SYSTEM") || declaration.contains("PUBLIC") {
            return Err(OntologyError::Unreadable {
                format: "RDF/XML",
                line: line_at(text, at),
                what: "an ENTITY made of others, or fetched from elsewhere, is refused: write it out"
                    .to_owned(),
            });
        }
    }
    Ok(())
}

/// The ontology that triples tell.
pub(super) fn ontology(triples: &[Triple]) -> Result<Found, OntologyError> {
    let mut reader = Reader::default();
    reader.name_all(triples);
    reader.describe(triples);
    reader.finish()
}

/// What a node is called, in the order of the file.
#[derive(Default)]
struct Labels {
    names: Vec<Literal>,
    others: Vec<Literal>,
}

#[derive(Default)]
struct Reader {
    classes: Vec<(NamedOrBlankNode, Class)>,
    relations: Vec<(NamedOrBlankNode, Relation)>,
    class_at: HashMap<NamedOrBlankNode, ClassId>,
    relation_at: HashMap<NamedOrBlankNode, RelationId>,
    /// What is below what, told once.
    above: HashSet<(ClassId, ClassId)>,
    linked: HashSet<Link>,
    links: Vec<Link>,
    /// Entries of ours, by their blank node.
    entries: HashMap<NamedOrBlankNode, Entry>,
    /// Names, and other words, of each node.
    labels: HashMap<NamedOrBlankNode, Labels>,
    looked_for: Option<ClassId>,
    factors: BTreeMap<ClassId, f64>,
}

impl Reader {
    /// Finds what is a class and what is a relation, in the order of the file.
    fn name_all(&mut self, triples: &[Triple]) {
        for Triple { subject, predicate, object } in triples {
            let predicate = predicate.as_ref();
            let object_node = node(object);
            match predicate {
                v::TYPE if is(object, &[v::CLASS, v::RDFS_CLASS, v::CONCEPT]) => self.add_class(subject),
                v::TYPE if is(object, &[v::OBJECT_PROPERTY, v::PROPERTY]) => self.add_relation(subject),
                v::SUBCLASS | v::BROADER | v::NARROWER | v::RELATED | v::LINKED => {
                    self.add_class(subject);
                    if let Some(node) = &object_node {
                        self.add_class(node);
                    }
                }
                v::SUBPROPERTY | v::INVERSE => {
                    self.add_relation(subject);
                    if let Some(node) = &object_node {
                        self.add_relation(node);
                    }
                }
                v::DOMAIN | v::RANGE => {
                    self.add_relation(subject);
                    if let Some(node) = &object_node {
                        self.add_class(node);
                    }
                }
                _ => {}
            }
        }
    }

    /// Blank nodes are expressions (unions, restrictions), not classes with a name.
    fn add_class(&mut self, node: &NamedOrBlankNode) {
        let NamedOrBlankNode::NamedNode(name) = node else { return };
        if name.as_ref() == v::THING || self.class_at.contains_key(node) {
            return;
        }
        self.class_at.insert(node.clone(), ClassId(self.classes.len() as u32));
        let class = Class {
            iri: Some(name.as_str().to_owned()),
            provenance: Provenance::Imported,
            ..Class::default()
        };
        self.classes.push((node.clone(), class));
    }

    fn add_relation(&mut self, node: &NamedOrBlankNode) {
        let NamedOrBlankNode::NamedNode(name) = node else { return };
        if self.relation_at.contains_key(node) {
            return;
        }
        self.relation_at.insert(node.clone(), RelationId(self.relations.len() as u32));
        let relation = Relation {
            iri: Some(name.as_str().to_owned()),
            provenance: Provenance::Imported,
            ..Relation::default()
        };
        self.relations.push((node.clone(), relation));
    }

    fn describe(&mut self, triples: &[Triple]) {
        for triple in triples {
            self.label(triple);
        }
        for Triple { subject, predicate, object } in triples {
            let class = self.class_at.get(subject).copied();
            let relation = self.relation_at.get(subject).copied();
            let other_class = node(object).and_then(|node| self.class_at.get(&node).copied());
            let other_relation = node(object).and_then(|node| self.relation_at.get(&node).copied());
            match (predicate.as_ref(), class, relation) {
                (v::SUBCLASS | v::BROADER, Some(below), _) => self.put_below(below, other_class),
                (v::NARROWER, Some(above), _) => {
                    if let Some(below) = other_class {
                        self.put_below(below, Some(above));
                    }
                }
                (v::RELATED | v::LINKED, Some(one), _) => self.link(one, other_class),
                (v::SUBPROPERTY, _, Some(below)) => {
                    self.relation(below, |relation| relation.parents.extend(other_relation));
                }
                (v::DOMAIN, _, Some(id)) => {
                    self.relation(id, |relation| relation.domain = relation.domain.or(other_class));
                }
                (v::RANGE, _, Some(id)) => {
                    self.relation(id, |relation| relation.range = relation.range.or(other_class));
                }
                (v::INVERSE, _, Some(id)) => {
                    self.relation(id, |relation| relation.inverse = relation.inverse.or(other_relation));
                }
                (v::LOOKED_FOR, Some(class), _) => self.looked_for = self.looked_for.or(Some(class)),
                (v::FACTOR, Some(class), _) => {
                    self.factors
                        .extend(parsed(object).map(|factor| (class, factor.clamp(0.0, LARGEST_FACTOR))));
                }
                (v::FROM, Some(class), _) => {
                    if let Some(from) = provenance(object) {
                        self.classes[class.0 as usize].1.provenance = from;
                    }
                }
                (v::FROM, _, Some(id)) => {
                    if let Some(from) = provenance(object) {
                        self.relation(id, |relation| relation.provenance = from);
                    }
                }
                (v::ENTRY, class, relation) => self.take_entry(object, class, relation),
                _ => {}
            }
        }
    }

    fn put_below(&mut self, below: ClassId, above: Option<ClassId>) {
        let Some(above) = above.filter(|above| *above != below) else { return };
        if self.above.insert((below, above)) {
            self.classes[below.0 as usize].1.parents.push(above);
        }
    }

    fn link(&mut self, one: ClassId, other: Option<ClassId>) {
        let Some(other) = other.filter(|other| *other != one) else { return };
        let link = Link(one.min(other), one.max(other));
        if self.linked.insert(link) {
            self.links.push(link);
        }
    }

    fn relation(&mut self, id: RelationId, change: impl FnOnce(&mut Relation)) {
        change(&mut self.relations[id.0 as usize].1);
    }

    /// Names, words, and the parts of entries, wherever they stand in the file.
    fn label(&mut self, Triple { subject, predicate, object }: &Triple) {
        let Term::Literal(literal) = object else { return };
        let entry = || Entry { provenance: Provenance::Imported, ..Entry::new("") };
        match predicate.as_ref() {
            v::LABEL | v::PREFERRED => {
                self.labels.entry(subject.clone()).or_default().names.push(literal.clone());
            }
            v::ALTERNATIVE | v::HIDDEN => {
                self.labels.entry(subject.clone()).or_default().others.push(literal.clone());
            }
            v::VALUE => {
                let entry = self.entries.entry(subject.clone()).or_insert_with(entry);
                literal.value().clone_into(&mut entry.text);
                entry.language = literal.language().map(str::to_owned);
            }
            v::WEIGHT => {
                let weight = parsed(object).unwrap_or(1.0).clamp(0.0, 1e6);
                self.entries.entry(subject.clone()).or_insert_with(entry).weight = weight;
            }
            v::FROM if matches!(subject, NamedOrBlankNode::BlankNode(_)) => {
                if let Some(from) = provenance(object) {
                    self.entries.entry(subject.clone()).or_insert_with(entry).provenance = from;
                }
            }
            _ => {}
        }
    }

    fn take_entry(&mut self, object: &Term, class: Option<ClassId>, relation: Option<RelationId>) {
        let Some(entry) = node(object).and_then(|node| self.entries.get(&node)).cloned() else { return };
        match (class, relation) {
            (Some(class), _) => self.classes[class.0 as usize].1.entries.push(entry),
            (None, Some(id)) => self.relation(id, |relation| relation.entries.push(entry)),
            (None, None) => {}
        }
    }

    fn finish(mut self) -> Result<Found, OntologyError> {
        if self.classes.is_empty() {
            return Err(OntologyError::Broken(
                "there are no classes in it: owl:Class, rdfs:Class, rdfs:subClassOf or skos:Concept was looked for".to_owned(),
            ));
        }
        let mut ontology = Ontology::default();
        let mut names: HashMap<String, u32> = HashMap::new();
        for (node, mut class) in std::mem::take(&mut self.classes) {
            class.name = self.name_of(&node, &mut names);
            // A file of ours has its words as entries; other files have labels.
            if class.entries.is_empty() && !self.is_ours(&node) {
                class.entries = self.words_of(&node, &class.name);
            }
            ontology.add_class(class);
        }
        let mut names: HashMap<String, u32> = HashMap::new();
        for (node, mut relation) in std::mem::take(&mut self.relations) {
            relation.name = self.name_of(&node, &mut names);
            ontology.add_relation(relation);
        }
        ontology.set_links(self.links);
        let class = self.looked_for.and_then(|id| ontology.class(id)).map(|class| class.name.clone());
        Ok(Found { ontology, class, factors: self.factors })
    }

    /// Whether a class was written by us, with the name as its one label.
    fn is_ours(&self, node: &NamedOrBlankNode) -> bool {
        self.looked_for.is_some()
            && self.labels.get(node).is_some_and(|labels| labels.names.len() == 1 && labels.others.is_empty())
    }

    /// The name people gave it, English before others; or the last part of its address.
    fn name_of(&self, node: &NamedOrBlankNode, taken: &mut HashMap<String, u32>) -> String {
        let labels =
            self.labels.get(node).into_iter().flat_map(|labels| labels.names.iter().chain(&labels.others));
        let english = |label: &&Literal| label.language().is_none_or(|language| language.starts_with("en"));
        let label =
            labels.clone().find(english).or(labels.clone().next()).map(|label| label.value().to_owned());
        let name = label.filter(|label| !label.trim().is_empty()).unwrap_or_else(|| local_name(node));
        let copies = taken.entry(name.to_lowercase()).or_default();
        *copies += 1;
        if *copies == 1 { name } else { format!("{name} ({copies})") }
    }

    fn words_of(&self, node: &NamedOrBlankNode, name: &str) -> Vec<Entry> {
        let labels =
            self.labels.get(node).into_iter().flat_map(|labels| labels.names.iter().chain(&labels.others));
        let mut known = HashSet::new();
        let entry = |text: &str, language: Option<&str>| Entry {
            language: language.map(str::to_owned),
            provenance: Provenance::Imported,
            ..Entry::new(text)
        };
        let mut entries: Vec<Entry> = labels
            .filter(|label| known.insert((label.value(), label.language())))
            .map(|label| entry(label.value(), label.language()))
            .collect();
        if entries.is_empty() {
            entries.push(entry(name, None));
        }
        entries
    }
}

fn node(object: &Term) -> Option<NamedOrBlankNode> {
    match object {
        Term::NamedNode(node) => Some(node.clone().into()),
        Term::BlankNode(node) => Some(node.clone().into()),
        Term::Literal(_) => None,
    }
}

fn is(object: &Term, names: &[NamedNodeRef<'_>]) -> bool {
    matches!(object, Term::NamedNode(node) if names.contains(&node.as_ref()))
}

fn parsed(object: &Term) -> Option<f64> {
    let Term::Literal(literal) = object else { return None };
    literal.value().parse().ok().filter(|value: &f64| value.is_finite())
}

fn provenance(object: &Term) -> Option<Provenance> {
    let Term::Literal(literal) = object else { return None };
    serde_json::from_str(literal.value()).ok()
}

/// `http://shop.example/o#OnlineShop` is an Online Shop.
fn local_name(node: &NamedOrBlankNode) -> String {
    let NamedOrBlankNode::NamedNode(node) = node else { return String::new() };
    let last = node.as_str().rsplit(['#', '/', ':']).next().unwrap_or_default();
    let mut name = String::with_capacity(last.len() + 4);
    let mut lower = false;
    for c in last.chars().map(|c| if c == '_' || c == '-' { ' ' } else { c }) {
        if c.is_uppercase() && lower {
            name.push(' ');
        }
        lower = c.is_lowercase();
        name.push(c);
    }
    if name.trim().is_empty() { node.as_str().to_owned() } else { name }
}
