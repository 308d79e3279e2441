//! Two ontologies grow together: e.g. the topic's, and one learned from a database during a crawl.

use super::{ClassId, Ontology, Relation, RelationId};
use std::collections::BTreeMap;
use std::fmt;

/// What an ontology gained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gain {
    /// Classes it did not have.
    pub classes: usize,
    /// Relations it did not have.
    pub relations: usize,
    /// Words it did not have, those of new classes included.
    pub words: usize,
    /// Places in a hierarchy that would have closed a circle, and were left out.
    pub left_out: usize,
}

impl fmt::Display for Gain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} new classes, {} new relations, {} new words",
            self.classes, self.relations, self.words
        )?;
        if self.left_out > 0 {
            write!(f, "; {} subclasses left out, they would close a circle", self.left_out)?;
        }
        Ok(())
    }
}

impl Ontology {
    /// Takes in another ontology. Classes and relations of the same name, or with a name that is a word of the
    /// other, become one; what is there stays as it is.
    pub fn absorb(&mut self, other: &Self) -> Gain {
        let mut gain = Gain::default();
        let classes = self.absorb_classes(other, &mut gain);
        for (at, class) in other.classes().iter().enumerate() {
            let lower = classes[&ClassId(at as u32)];
            for parent in &class.parents {
                let upper = classes[parent];
                gain.left_out += usize::from(lower != upper && !self.put_below(lower, upper));
            }
        }
        self.absorb_relations(other, &classes, &mut gain);
        for link in other.links() {
            self.link(classes[&link.0], classes[&link.1]);
        }
        gain
    }

    fn absorb_classes(&mut self, other: &Self, gain: &mut Gain) -> BTreeMap<ClassId, ClassId> {
        let mut classes = BTreeMap::new();
        for (at, class) in other.classes().iter().enumerate() {
            let here = self.class_named(&class.name).or_else(|| self.class_with_word(&class.name));
            let here = here.unwrap_or_else(|| {
                gain.classes += 1;
                let bare = super::Class { parents: Vec::new(), entries: Vec::new(), ..class.clone() };
                self.add_class(bare)
            });
            for entry in &class.entries {
                gain.words += usize::from(self.add_entry(here, entry.clone()));
            }
            classes.insert(ClassId(at as u32), here);
        }
        classes
    }

    fn absorb_relations(&mut self, other: &Self, classes: &BTreeMap<ClassId, ClassId>, gain: &mut Gain) {
        let mut relations: BTreeMap<RelationId, RelationId> = BTreeMap::new();
        for (at, relation) in other.relations().iter().enumerate() {
            let here = self.relation_named(&relation.name).unwrap_or_else(|| {
                gain.relations += 1;
                gain.words += relation.entries.len();
                self.add_relation(Relation {
                    domain: relation.domain.map(|id| classes[&id]),
                    range: relation.range.map(|id| classes[&id]),
                    parents: Vec::new(),
                    inverse: None,
                    ..relation.clone()
                })
            });
            relations.insert(RelationId(at as u32), here);
        }
        for (at, relation) in other.relations().iter().enumerate() {
            let here = relations[&RelationId(at as u32)];
            for parent in &relation.parents {
                let upper = relations[parent];
                gain.left_out += usize::from(here != upper && !self.put_relation_below(here, upper));
            }
            if let Some(inverse) = relation.inverse {
                self.set_inverse(here, relations[&inverse]);
            }
        }
    }

    /// The class that this word is a name of: one of its entries of full weight.
    fn class_with_word(&self, word: &str) -> Option<ClassId> {
        let folded = word.to_lowercase();
        let named = |class: &super::Class| {
            class.entries.iter().any(|entry| entry.weight >= 1.0 && entry.text.to_lowercase() == folded)
        };
        self.classes().iter().position(named).map(|at| ClassId(at as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::{Class, Entry};

    fn ontology(classes: &[(&str, &[u32], &[&str])]) -> Ontology {
        let mut ontology = Ontology::default();
        for (name, parents, words) in classes {
            let parents = parents.iter().map(|id| ClassId(*id)).collect();
            let entries = words.iter().map(|word| Entry::new(*word)).collect();
            ontology.add_class(Class { name: (*name).into(), parents, entries, ..Class::default() });
        }
        ontology
    }

    #[test]
    fn classes_of_one_name_become_one() {
        let mut ours = ontology(&[("Product", &[], &["goods"]), ("Book", &[0], &["book"])]);
        let theirs = ontology(&[
            ("goods", &[], &["price"]),
            ("book", &[0], &["book", "isbn"]),
            ("genre", &[], &["poetry"]),
        ]);
        let gain = ours.absorb(&theirs);
        assert_eq!(gain, Gain { classes: 1, relations: 0, words: 3, left_out: 0 });
        assert_eq!(ours.classes().len(), 3);
        ours.check().unwrap();
        // Again: nothing is new.
        assert_eq!(ours.absorb(&theirs), Gain::default());
    }

    #[test]
    fn a_circle_is_left_out() {
        let mut ours = ontology(&[("a", &[], &[]), ("b", &[0], &[])]);
        let theirs = ontology(&[("a", &[1], &[]), ("b", &[], &[])]);
        assert_eq!(ours.absorb(&theirs).left_out, 1);
        ours.check().unwrap();
    }
}
