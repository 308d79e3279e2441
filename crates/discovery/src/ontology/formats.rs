//! Topics in and out as other programs know them: OWL in Turtle or RDF/XML, and SKOS.

mod read;
mod vocabulary;
mod write;

use super::{OntologyError, Topic};

/// How an ontology is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// OWL classes and properties in Turtle.
    Turtle,
    /// The same in RDF/XML.
    RdfXml,
    /// SKOS concepts in Turtle: what thesaurus programs read. Named relations become plain `related`.
    Skos,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Turtle, Self::RdfXml, Self::Skos];

    /// As it is written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Turtle => "turtle",
            Self::RdfXml => "rdf-xml",
            Self::Skos => "skos",
        }
    }

    /// What a text looks like. SKOS is read wherever it stands, so that it need not be told apart.
    pub fn guess(text: &str) -> Self {
        let begins = text.trim_start_matches('\u{feff}').trim_start();
        // In Turtle an angle bracket opens an IRI, which has a colon before anything else.
        let xml = begins.starts_with("<?xml") || begins.starts_with("<!") || begins.starts_with("<rdf:RDF");
        if xml { Self::RdfXml } else { Self::Turtle }
    }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.word() == text);
        found.ok_or_else(|| format!("there is no format {text:?}: turtle, rdf-xml or skos"))
    }
}

impl Topic {
    /// A topic from an ontology. `class` is the class to look for: without one, what the file says, or the class of
    /// the topic's name.
    pub fn import(
        name: &str,
        text: &str,
        format: Format,
        class: Option<&str>,
    ) -> Result<Self, OntologyError> {
        let triples = read::triples(text, format)?;
        let found = read::ontology(&triples)?;
        let wanted = class.or(found.class.as_deref()).unwrap_or(name);
        let mut topic = Self::new(name, found.ontology, wanted)?;
        topic.factors = found.factors;
        topic.factors.retain(|_, factor| *factor >= 0.0);
        Ok(topic)
    }

    /// The topic with all it has learned. What its reader has seen of the web in general stays behind.
    pub fn export(&self, format: Format) -> String {
        write::text(self, format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::{Class, ClassId, Entry, Ontology, Provenance, Relation, RelationId, shipped};
    use proptest::prelude::*;

    #[test]
    fn an_owl_file_of_another_program_is_read() {
        let text = r#"<?xml version="1.0"?>
            <!DOCTYPE rdf:RDF [ <!ENTITY owl "http://www.w3.org/2002/07/owl#"> ]>
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
                     xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xml:base="http://shop.example/o">
              <owl:Class rdf:about="http://shop.example/o#OnlineShop"/>
              <owl:Class rdf:about="http://shop.example/o#BookShop">
                <rdfs:label xml:lang="de">Buchladen</rdfs:label><rdfs:label xml:lang="en">Book shop</rdfs:label>
                <rdfs:subClassOf rdf:resource="http://shop.example/o#OnlineShop"/>
              </owl:Class>
              <owl:ObjectProperty rdf:about="http://shop.example/o#sells">
                <rdfs:domain rdf:resource="http://shop.example/o#OnlineShop"/><rdfs:range rdf:resource="http://shop.example/o#Book"/>
              </owl:ObjectProperty>
            </rdf:RDF>"#;
        assert_eq!(Format::guess(text), Format::RdfXml);
        let topic = Topic::import("Books", text, Format::RdfXml, Some("book shop")).unwrap();
        let names: Vec<_> = topic.ontology.classes().iter().map(|class| class.name.as_str()).collect();
        assert_eq!(names, ["Online Shop", "Book shop", "Book"]);
        let shop = topic.ontology.class(topic.class).unwrap();
        assert_eq!(shop.parents, [ClassId(0)]);
        let words: Vec<_> =
            shop.entries.iter().map(|entry| (entry.text.as_str(), entry.language.as_deref())).collect();
        assert_eq!(words, [("Buchladen", Some("de")), ("Book shop", Some("en"))]);
        assert_eq!(topic.ontology.relations()[0].name, "sells");
    }

    #[test]
    fn a_thesaurus_is_read() {
        let text = r#"@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://t.example/> .
            :trains a skos:Concept ; skos:prefLabel "Trains"@en ; skos:altLabel "railways"@en ; skos:narrower :steam .
            :steam a skos:Concept ; skos:prefLabel "Steam engines"@en ; skos:related :coal .
            :coal skos:prefLabel "Coal" ."#;
        let topic = Topic::import("Trains", text, Format::guess(text), None).unwrap();
        assert_eq!(topic.ontology.classes().len(), 3);
        assert_eq!(topic.distances(), [Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn what_cannot_be_read_says_where_and_what_to_do() {
        let refused =
            |text: &str| Topic::import("X", text, Format::guess(text), Some("A")).unwrap_err().to_string();
        let broken = refused("@prefix : <http://x/> .\n:a a :B .\n:c :d \"open");
        assert!(broken.contains("line 3"), "{broken}");
        let broken = refused(
            "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<oops></rdf:RDF>",
        );
        assert!(broken.contains("line 3"), "{broken}");
        assert!(refused("@prefix : <http://x/> . :a :b :c .").contains("no classes"));
        let bomb =
            "<?xml version=\"1.0\"?><!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><r>&b;</r>";
        assert!(refused(bomb).contains("ENTITY"));
        let cyclic = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <http://x/> .
            :A rdfs:subClassOf :B . :B rdfs:subClassOf :A .";
        assert!(refused(cyclic).contains("cyclic"));
    }

    #[test]
    fn shipped_topics_survive_every_format_that_keeps_relations() {
        for topic in shipped() {
            for format in [Format::Turtle, Format::RdfXml] {
                let again = Topic::import(&topic.name, &topic.export(format), format, None).unwrap();
                assert_eq!(again.distances(), topic.distances(), "{}", topic.name);
                assert_eq!(again.ontology.classes().len(), topic.ontology.classes().len());
            }
        }
    }

    fn text() -> impl Strategy<Value = String> {
        "[ -~äß日\n\"\\\\<&]{0,12}".prop_map(|text| format!("x{}", text.trim()))
    }

    /// Names are single whatever their case.
    fn name() -> impl Strategy<Value = String> {
        text().prop_map(|text| text.to_lowercase())
    }

    fn entry() -> impl Strategy<Value = Entry> {
        (text(), prop::option::of(prop::sample::select(vec!["en", "de", "pt-br"])), 0.01_f64..2.0, 0..3_u32)
            .prop_map(|(text, language, weight, kind)| Entry {
                text,
                language: language.map(str::to_owned),
                weight,
                provenance: match kind {
                    0 => Provenance::Given,
                    1 => Provenance::Examples { pages: 3 },
                    _ => {
                        Provenance::Crawl { lesson: 7, on_topic: 4, pages: 5, hosts: 2, examples: vec![1, 9] }
                    }
                },
            })
    }

    prop_compose! {
        fn topic()(
            names in prop::collection::btree_set(name(), 1..7),
            entries in prop::collection::vec(prop::collection::vec(entry(), 0..4), 7),
            above in prop::collection::vec(0..7_u32, 7),
            relations in prop::collection::vec((name(), 0..7_u32, 0..7_u32, any::<bool>()), 0..4),
            links in prop::collection::vec((0..7_u32, 0..7_u32), 0..3),
            factor in prop::option::of(0.1_f64..3.0),
        ) -> Topic {
            let count = names.len() as u32;
            let mut ontology = Ontology::default();
            for (at, name) in names.iter().enumerate() {
                // Parents come before their children, so that no circle closes.
                let parents = if (above[at] as usize) < at { vec![ClassId(above[at])] } else { Vec::new() };
                let id = ontology.add_class(Class { name: name.clone(), parents, ..Class::default() });
                for entry in &entries[at] {
                    ontology.add_entry(id, entry.clone());
                }
            }
            let mut known: Vec<String> = Vec::new();
            for (name, domain, range, below) in relations {
                if known.contains(&name) { continue; }
                let parents = if below && !known.is_empty() { vec![RelationId(0)] } else { Vec::new() };
                known.push(name.clone());
                let (domain, range) = (Some(ClassId(domain % count)), Some(ClassId(range % count)));
                ontology.add_relation(Relation { name, domain, range, parents, ..Relation::default() });
            }
            for (one, other) in links {
                ontology.link(ClassId(one % count), ClassId(other % count));
            }
            let mut topic = Topic::new("T", ontology, names.iter().next().unwrap()).unwrap();
            topic.factors.extend(factor.map(|factor| (ClassId(0), factor)));
            topic
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_topic_comes_back_as_it_went(topic in topic()) {
            for format in [Format::Turtle, Format::RdfXml] {
                let text = topic.export(format);
                let again = Topic::import("T", &text, format, None).unwrap();
                prop_assert_eq!(strip(&again), strip(&topic), "{}", text);
                prop_assert_eq!(&again.factors, &topic.factors);
                // What was read names itself: a second round changes nothing at all.
                prop_assert_eq!(again.export(format), text);
            }
        }

        #[test]
        fn a_thesaurus_keeps_distances_but_for_the_direction_of_relations(topic in topic()) {
            let again = Topic::import("T", &topic.export(Format::Skos), Format::Skos, None).unwrap();
            prop_assert_eq!(again.distances(), topic.distances());
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}") {
            for format in Format::ALL {
                let _ = Topic::import("T", &text, format, None);
            }
        }
    }

    /// An ontology without the IRIs that files give it.
    fn strip(topic: &Topic) -> (Vec<Class>, Vec<Relation>, Vec<crate::ontology::Link>, ClassId) {
        let classes = topic.ontology.classes().iter().map(|class| Class { iri: None, ..class.clone() });
        let relations =
            topic.ontology.relations().iter().map(|relation| Relation { iri: None, ..relation.clone() });
        (classes.collect(), relations.collect(), topic.ontology.links().to_vec(), topic.class)
    }
}
