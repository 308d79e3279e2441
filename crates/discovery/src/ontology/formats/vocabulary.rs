//! The names that ontologies use.

use oxrdf::NamedNodeRef;

macro_rules! names {
    ($space:literal: $($name:ident = $word:literal),+) => {
        $(pub(super) const $name: NamedNodeRef<'static> = NamedNodeRef::new_unchecked(concat!($space, $word));)+
    };
}

names!("http://www.w3.org/1999/02/22-rdf-syntax-ns#": TYPE = "type", VALUE = "value", PROPERTY = "Property");
names!("http://www.w3.org/2000/01/rdf-schema#": LABEL = "label", SUBCLASS = "subClassOf", SUBPROPERTY = "subPropertyOf",
    DOMAIN = "domain", RANGE = "range", RDFS_CLASS = "Class");
names!("http://www.w3.org/2002/07/owl#": CLASS = "Class", OBJECT_PROPERTY = "ObjectProperty", INVERSE = "inverseOf",
    THING = "Thing");
names!("http://www.w3.org/2004/02/skos/core#": CONCEPT = "Concept", PREFERRED = "prefLabel", ALTERNATIVE = "altLabel",
    HIDDEN = "hiddenLabel", BROADER = "broader", NARROWER = "narrower", RELATED = "related");
// Ours: what the others have no word for.
names!("urn:ripplewatch:": ENTRY = "entry", WEIGHT = "weight", FROM = "from", LINKED = "linked", FACTOR = "factor",
    LOOKED_FOR = "lookedFor");

pub(super) const DECIMAL: NamedNodeRef<'static> =
    NamedNodeRef::new_unchecked("http://www.w3.org/2001/XMLSchema#double");

/// The prefixes that a written file uses.
pub(super) const PREFIXES: [(&str, &str); 5] = [
    ("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("owl", "http://www.w3.org/2002/07/owl#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("rw", "urn:ripplewatch:"),
];
