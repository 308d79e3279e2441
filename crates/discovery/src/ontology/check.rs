//! That an ontology holds together: every number names something, names are single, hierarchies end at a top, and
//! nothing is larger than what a crawl can carry.

use super::{ClassId, Entry, Ontology, OntologyError, RelationId};
use std::collections::HashSet;

/// Classes and relations an ontology may have.
pub(super) const MOST_NODES: usize = 50_000;
/// Words an ontology may have.
pub(super) const MOST_ENTRIES: usize = 200_000;
/// Bytes a name or a word may have.
pub(super) const LONGEST_TEXT: usize = 500;

impl Ontology {
    /// That every number names something, names are single, both hierarchies end at a top, and limits are kept.
    pub fn check(&self) -> Result<(), OntologyError> {
        self.check_size()?;
        self.check_names()?;
        self.check_numbers()?;
        let classes: Vec<Vec<u32>> = self
            .classes()
            .iter()
            .map(|class| class.parents.iter().map(|ClassId(id)| *id).collect())
            .collect();
        if let Some(path) = cycle(&classes) {
            let name = |at: &u32| self.classes()[*at as usize].name.clone();
            return Err(OntologyError::Cycle { what: "classes", path: path.iter().map(name).collect() });
        }
        let relations: Vec<Vec<u32>> = self
            .relations()
            .iter()
            .map(|relation| relation.parents.iter().map(|RelationId(id)| *id).collect())
            .collect();
        if let Some(path) = cycle(&relations) {
            let name = |at: &u32| self.relations()[*at as usize].name.clone();
            return Err(OntologyError::Cycle { what: "relations", path: path.iter().map(name).collect() });
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), OntologyError> {
        let advice = "Keep the part of the ontology that is near the topic";
        let nodes = self.classes().len() + self.relations().len();
        if nodes > MOST_NODES {
            return Err(OntologyError::TooLarge {
                what: "classes and relations",
                found: nodes,
                limit: MOST_NODES,
                advice,
            });
        }
        let entries = self.entries().count();
        if entries > MOST_ENTRIES {
            return Err(OntologyError::TooLarge {
                what: "words",
                found: entries,
                limit: MOST_ENTRIES,
                advice,
            });
        }
        let names =
            self.classes().iter().map(|class| &class.name).chain(self.relations().iter().map(|it| &it.name));
        let longest =
            names.chain(self.entries().map(|entry| &entry.text)).map(String::len).max().unwrap_or(0);
        if longest > LONGEST_TEXT {
            let advice = "Names and words are short; keep descriptions elsewhere, e.g. in skos:definition";
            return Err(OntologyError::TooLarge {
                what: "the bytes of a name or word",
                found: longest,
                limit: LONGEST_TEXT,
                advice,
            });
        }
        Ok(())
    }

    /// All words, of classes and relations.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let of_classes = self.classes().iter().flat_map(|class| &class.entries);
        of_classes.chain(self.relations().iter().flat_map(|relation| &relation.entries))
    }

    fn check_names(&self) -> Result<(), OntologyError> {
        let once = |names: Vec<&str>, what: &str| {
            let mut seen = HashSet::new();
            for name in names {
                if name.trim().is_empty() {
                    return Err(OntologyError::Broken(format!("a {what} has no name")));
                }
                if !seen.insert(name.to_lowercase()) {
                    return Err(OntologyError::Broken(format!(
                        "two of the {what}s are called “{name}”; rename one"
                    )));
                }
            }
            Ok(())
        };
        once(self.classes().iter().map(|class| class.name.as_str()).collect(), "class")?;
        once(self.relations().iter().map(|relation| relation.name.as_str()).collect(), "relation")?;
        match self.entries().find(|entry| !entry.weight.is_finite() || entry.weight < 0.0) {
            Some(entry) => {
                Err(OntologyError::Broken(format!("the weight of “{}” is {}", entry.text, entry.weight)))
            }
            None => Ok(()),
        }
    }

    fn check_numbers(&self) -> Result<(), OntologyError> {
        let class = |id: &ClassId| (id.0 as usize) < self.classes().len();
        let relation = |id: &RelationId| (id.0 as usize) < self.relations().len();
        let broken =
            |name: &str| OntologyError::Broken(format!("“{name}” points at something that is not there"));
        for it in self.classes() {
            if !it.parents.iter().all(class) {
                return Err(broken(&it.name));
            }
        }
        for it in self.relations() {
            let ends = it.domain.iter().chain(&it.range).all(class);
            if !ends || !it.parents.iter().chain(&it.inverse).all(relation) {
                return Err(broken(&it.name));
            }
        }
        if !self.links().iter().all(|link| class(&link.0) && class(&link.1)) {
            return Err(broken("a link"));
        }
        Ok(())
    }
}

/// A way round in a graph of parents, if there is one; its last node is its first. Without recursion: a hierarchy
/// may be as deep as it is large.
fn cycle(parents: &[Vec<u32>]) -> Option<Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        OnTheWay,
        Done,
    }
    let mut marks = vec![Mark::New; parents.len()];
    for start in 0..parents.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::OnTheWay;
        let mut way: Vec<(u32, usize)> = vec![(start as u32, 0)];
        while let Some((node, tried)) = way.last_mut() {
            let Some(&next) = parents[*node as usize].get(*tried) else {
                marks[*node as usize] = Mark::Done;
                way.pop();
                continue;
            };
            *tried += 1;
            match marks[next as usize] {
                Mark::Done => {}
                Mark::New => {
                    marks[next as usize] = Mark::OnTheWay;
                    way.push((next, 0));
                }
                Mark::OnTheWay => {
                    let mut path: Vec<u32> =
                        way.iter().map(|(node, _)| *node).skip_while(|node| *node != next).collect();
                    path.push(next);
                    return Some(path);
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ontology::Class;
    use proptest::prelude::*;

    #[test]
    fn a_cycle_is_named() {
        let mut ontology = Ontology::default();
        for (name, parent) in [("goods", 1), ("product", 2), ("book", 0)] {
            let parents = vec![ClassId(parent)];
            ontology.add_class(Class { name: name.into(), parents, ..Class::default() });
        }
        let error = ontology.check().unwrap_err().to_string();
        assert_eq!(
            error,
            "the hierarchy of classes is cyclic: goods is below product is below book is below goods. \
             Remove one of these links"
        );
    }

    #[test]
    fn numbers_and_names_are_checked() {
        let stored = r#"{"classes":[{"name":"a","parents":[7]}]}"#;
        assert!(serde_json::from_str::<Ontology>(stored).unwrap_err().to_string().contains("not there"));
        let stored = r#"{"classes":[{"name":"a"},{"name":"A"}]}"#;
        assert!(serde_json::from_str::<Ontology>(stored).unwrap_err().to_string().contains("rename one"));
    }

    proptest! {
        /// Against the definition: there is a cycle if some node can be reached from itself.
        #[test]
        fn cycles_are_found_exactly(edges in prop::collection::vec((0u32..7, 0u32..7), 0..12)) {
            let mut parents = vec![Vec::new(); 7];
            for (from, to) in &edges {
                parents[*from as usize].push(*to);
            }
            let mut reach = vec![vec![false; 7]; 7];
            for (from, to) in &edges {
                reach[*from as usize][*to as usize] = true;
            }
            for via in 0..7 { for from in 0..7 { for to in 0..7 {
                reach[from][to] |= reach[from][via] && reach[via][to];
            } } }
            let found = cycle(&parents);
            prop_assert_eq!(found.is_some(), (0..7).any(|node| reach[node][node]));
            if let Some(path) = found {
                prop_assert_eq!(path.first(), path.last());
                for pair in path.windows(2) {
                    prop_assert!(parents[pair[0] as usize].contains(&pair[1]));
                }
            }
        }
    }
}
