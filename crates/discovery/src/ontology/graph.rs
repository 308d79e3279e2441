//! O = {C, R, Hc, Hr} and its lexicon.

use super::{Entry, OntologyError, Provenance};
use serde::{Deserialize, Serialize};

/// The number of a class in its ontology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClassId(pub u32);

/// The number of a relation in its ontology.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RelationId(pub u32);

/// Classes, relations, the hierarchy of each, and their words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Ontology {
    classes: Vec<Class>,
    relations: Vec<Relation>,
    links: Vec<Link>,
}

/// A class: what a page can be about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Class {
    /// Its name, unique in the ontology.
    pub name: String,
    /// Its IRI in the file it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// Hc: the classes it is a subclass of.
    #[serde(default)]
    pub parents: Vec<ClassId>,
    /// Lc: the words that stand for it.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// Where it comes from.
    #[serde(default)]
    pub provenance: Provenance,
}

/// A relation between two classes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Relation {
    /// Its name, unique in the ontology.
    pub name: String,
    /// Its IRI in the file it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// The class it leads from.
    #[serde(default)]
    pub domain: Option<ClassId>,
    /// The class it leads to.
    #[serde(default)]
    pub range: Option<ClassId>,
    /// Hr: the relations it is a subrelation of.
    #[serde(default)]
    pub parents: Vec<RelationId>,
    /// The relation that leads back.
    #[serde(default)]
    pub inverse: Option<RelationId>,
    /// Lr: the words that stand for it.
    #[serde(default)]
    pub entries: Vec<Entry>,
    /// Where it comes from.
    #[serde(default)]
    pub provenance: Provenance,
}

/// Two classes that have to do with each other without a named relation (SKOS `related`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Link(pub ClassId, pub ClassId);

/// An ontology as stored, not yet checked.
#[derive(Deserialize)]
struct Stored {
    #[serde(default)]
    classes: Vec<Class>,
    #[serde(default)]
    relations: Vec<Relation>,
    #[serde(default)]
    links: Vec<Link>,
}

impl TryFrom<Stored> for Ontology {
    type Error = OntologyError;

    fn try_from(stored: Stored) -> Result<Self, OntologyError> {
        let ontology = Self { classes: stored.classes, relations: stored.relations, links: stored.links };
        ontology.check()?;
        Ok(ontology)
    }
}

impl Ontology {
    /// The classes, by number.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The relations, by number.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Unnamed links between classes.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// A class by its number.
    pub fn class(&self, id: ClassId) -> Option<&Class> {
        self.classes.get(id.0 as usize)
    }

    /// A relation by its number.
    pub fn relation(&self, id: RelationId) -> Option<&Relation> {
        self.relations.get(id.0 as usize)
    }

    /// Takes the last class away again if it has no words and nothing leads to it; numbers of others stay.
    pub(super) fn drop_last_if_empty(&mut self, id: ClassId) {
        let is_last = id.0 as usize + 1 == self.classes.len();
        let is_empty = self.class(id).is_some_and(|class| class.entries.is_empty());
        let is_used = self.classes.iter().any(|class| class.parents.contains(&id))
            || self.relations.iter().any(|it| it.domain == Some(id) || it.range == Some(id))
            || self.links.iter().any(|Link(one, other)| *one == id || *other == id);
        if is_last && is_empty && !is_used {
            self.classes.pop();
        }
    }

    /// A class by its name or IRI, in any case of letters.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        let folded = name.to_lowercase();
        let same = |class: &Class| class.name.to_lowercase() == folded || class.iri.as_deref() == Some(name);
        self.classes.iter().position(same).map(|at| ClassId(at as u32))
    }

    /// The class with this name, or an error that names the nearest.
    pub fn require(&self, name: &str) -> Result<ClassId, OntologyError> {
        self.class_named(name).ok_or_else(|| OntologyError::NoSuchClass {
            name: name.to_owned(),
            nearest: self.nearest(name),
            classes: self.classes.iter().take(12).map(|class| class.name.clone()).collect(),
        })
    }

    /// The class whose name is most like this one, if it is like it at all.
    fn nearest(&self, name: &str) -> Option<String> {
        let wanted = name.to_lowercase();
        let pairs = |text: &str| text.chars().zip(text.chars().skip(1)).collect::<Vec<_>>();
        let wanted = pairs(&wanted);
        let like = |class: &Class| {
            let other = pairs(&class.name.to_lowercase());
            let common = wanted.iter().filter(|pair| other.contains(pair)).count();
            2.0 * common as f64 / (wanted.len() + other.len()).max(1) as f64
        };
        let best =
            self.classes.iter().map(|class| (like(class), class)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (best.0 >= 0.4).then(|| best.1.name.clone())
    }

    /// Adds a class and gives its number.
    pub fn add_class(&mut self, class: Class) -> ClassId {
        self.classes.push(class);
        ClassId(self.classes.len() as u32 - 1)
    }

    /// Adds a relation and gives its number.
    pub fn add_relation(&mut self, relation: Relation) -> RelationId {
        self.relations.push(relation);
        RelationId(self.relations.len() as u32 - 1)
    }

    /// Links two classes.
    pub fn link(&mut self, one: ClassId, other: ClassId) {
        let link = Link(one.min(other), one.max(other));
        if one != other && !self.links.contains(&link) {
            self.links.push(link);
        }
    }

    /// Adds a word to a class; `false` if the class has it already, or is not there.
    pub fn add_entry(&mut self, class: ClassId, entry: Entry) -> bool {
        let Some(class) = self.classes.get_mut(class.0 as usize) else { return false };
        if class.entries.iter().any(|known| known.text == entry.text && known.language == entry.language) {
            return false;
        }
        class.entries.push(entry);
        true
    }

    /// Links as they were read, each once.
    pub(super) fn set_links(&mut self, links: Vec<Link>) {
        self.links = links;
    }

    /// Says of everything where it comes from.
    pub(super) fn set_provenance(&mut self, provenance: &Provenance) {
        for class in &mut self.classes {
            class.provenance = provenance.clone();
            class.entries.iter_mut().for_each(|entry| entry.provenance = provenance.clone());
        }
        for relation in &mut self.relations {
            relation.provenance = provenance.clone();
            relation.entries.iter_mut().for_each(|entry| entry.provenance = provenance.clone());
        }
    }

    /// Takes a word away from a class.
    pub fn remove_entry(&mut self, class: ClassId, text: &str) -> Option<Entry> {
        let entries = &mut self.classes.get_mut(class.0 as usize)?.entries;
        let at = entries.iter().position(|entry| entry.text == text)?;
        Some(entries.remove(at))
    }

    /// A relation by its name or IRI, in any case of letters.
    pub fn relation_named(&self, name: &str) -> Option<RelationId> {
        let folded = name.to_lowercase();
        let same = |it: &Relation| it.name.to_lowercase() == folded || it.iri.as_deref() == Some(name);
        self.relations.iter().position(same).map(|at| RelationId(at as u32))
    }

    /// Says that two relations lead opposite ways.
    pub fn set_inverse(&mut self, one: RelationId, other: RelationId) {
        for (relation, inverse) in [(one, other), (other, one)] {
            if let Some(relation) = self.relations.get_mut(relation.0 as usize) {
                relation.inverse = Some(inverse);
            }
        }
    }

    /// Makes a class a subclass of another; `false`, and nothing done, if that would close a circle.
    pub fn put_below(&mut self, lower: ClassId, upper: ClassId) -> bool {
        let above = |id: u32| {
            self.classes.get(id as usize).map(|class| class.parents.iter().map(|id| id.0).collect())
        };
        if lower == upper || reaches(upper.0, lower.0, above) {
            return false;
        }
        if let Some(class) = self.classes.get_mut(lower.0 as usize)
            && !class.parents.contains(&upper)
        {
            class.parents.push(upper);
        }
        true
    }

    /// Makes a relation a subrelation of another; `false`, and nothing done, if that would close a circle.
    pub fn put_relation_below(&mut self, lower: RelationId, upper: RelationId) -> bool {
        let above =
            |id: u32| self.relations.get(id as usize).map(|it| it.parents.iter().map(|id| id.0).collect());
        if lower == upper || reaches(upper.0, lower.0, above) {
            return false;
        }
        if let Some(relation) = self.relations.get_mut(lower.0 as usize)
            && !relation.parents.contains(&upper)
        {
            relation.parents.push(upper);
        }
        true
    }

    /// A word of a class, to correct it.
    pub(super) fn entry_mut(&mut self, class: ClassId, text: &str) -> Option<&mut Entry> {
        let entries = &mut self.classes.get_mut(class.0 as usize)?.entries;
        entries.iter_mut().find(|entry| entry.text == text)
    }

    /// Which classes are next to each class: above, below, related, or at the other end of a relation.
    pub fn neighbours(&self) -> Vec<Vec<ClassId>> {
        let mut next = vec![Vec::new(); self.classes.len()];
        let mut join = |a: ClassId, b: ClassId| {
            if a != b && (a.0 as usize) < self.classes.len() && (b.0 as usize) < self.classes.len() {
                next[a.0 as usize].push(b);
                next[b.0 as usize].push(a);
            }
        };
        for (at, class) in self.classes.iter().enumerate() {
            class.parents.iter().for_each(|parent| join(ClassId(at as u32), *parent));
        }
        for relation in &self.relations {
            if let (Some(domain), Some(range)) = (relation.domain, relation.range) {
                join(domain, range);
            }
        }
        self.links.iter().for_each(|Link(a, b)| join(*a, *b));
        for list in &mut next {
            list.sort_unstable();
            list.dedup();
        }
        next
    }
}

/// Whether one node is above another, or is it.
fn reaches(from: u32, to: u32, above: impl Fn(u32) -> Option<Vec<u32>>) -> bool {
    let mut seen = std::collections::BTreeSet::from([from]);
    let mut waiting = vec![from];
    while let Some(node) = waiting.pop() {
        if node == to {
            return true;
        }
        waiting.extend(above(node).unwrap_or_default().into_iter().filter(|next| seen.insert(*next)));
    }
    false
}
