//! Rules 1 to 3.

use super::names;
use super::schema::{Inclusion, Schema, Table};
use crate::ontology::{Class, ClassId, Entry, Ontology, Provenance, Relation, RelationId};
use std::collections::BTreeMap;
use std::fmt;

/// What a word found as a value, or as the name of a column, is worth.
const VALUE: f64 = 0.5;
const ATTRIBUTE: f64 = 0.25;
/// Values of one table that become words.
const MOST_VALUES: usize = 200;

/// An ontology and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// The ontology.
    pub ontology: Ontology,
    /// Each step, in order.
    pub account: Vec<Derivation>,
}

/// A step: what was made, by which rule, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derivation {
    /// The rule: `1`, `1 (i)`, `1 (ii)`, `2`, `2 (i, ii)`, `3`, or `–` for what no rule covers.
    pub rule: &'static str,
    /// What was made.
    pub what: String,
    /// Why.
    pub because: String,
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {:<9} {}: {}", self.rule, self.what, self.because)
    }
}

/// What a table became.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Thing {
    Class(ClassId),
    Relation(RelationId),
}

/// Derives an ontology from a database.
pub fn derive(schema: &Schema) -> Derived {
    let tables: Vec<&str> = schema.tables.iter().map(|table| table.name.as_str()).collect();
    let names = names::of_tables(&tables);
    let mut work =
        Work { schema, names, ontology: Ontology::default(), account: Vec::new(), things: BTreeMap::new() };
    work.classes();
    work.link_tables();
    work.parts();
    work.properties();
    work.hierarchy();
    Derived { ontology: work.ontology, account: work.account }
}

struct Work<'a> {
    schema: &'a Schema,
    /// What each table is called by people.
    names: BTreeMap<&'a str, String>,
    ontology: Ontology,
    account: Vec<Derivation>,
    things: BTreeMap<&'a str, Thing>,
}

impl<'a> Work<'a> {
    /// Rule 1.
    fn classes(&mut self) {
        for group in self.groups() {
            let able: Vec<&Table> = group.iter().copied().filter(|table| self.is_entity(table)).collect();
            let Some(main) = able.first().copied() else { continue };
            let (rule, because) = self.why_class(main, &group);
            let name = self.free_class_name(main);
            let tables: Vec<&str> = group.iter().map(|table| table.name.as_str()).collect();
            let provenance = from_rule(1, &tables.join(", "));
            let class = Class { name: name.clone(), provenance, ..Class::default() };
            let id = self.ontology.add_class(class);
            for table in &group {
                self.things.insert(&table.name, Thing::Class(id));
                self.words(id, table);
            }
            self.tell(rule, format!("class “{name}”"), because);
        }
    }

    /// Tables whose keys have the same values belong together; the one referred to most comes first.
    fn groups(&self) -> Vec<Vec<&'a Table>> {
        let tables = &self.schema.tables;
        let mut group_of: Vec<usize> = (0..tables.len()).collect();
        for inclusion in self.schema.inclusions.iter().filter(|it| it.equal && self.is_key_to_key(it)) {
            let place = |name: &str| tables.iter().position(|table| table.name == name);
            if let (Some(one), Some(other)) = (place(&inclusion.from), place(&inclusion.to)) {
                let (one, other) = (group_of[one], group_of[other]);
                group_of
                    .iter_mut()
                    .filter(|group| **group == one.max(other))
                    .for_each(|group| *group = one.min(other));
            }
        }
        let referred = |table: &Table| self.schema.inclusions.iter().filter(|it| it.to == table.name).count();
        let mut groups: BTreeMap<usize, Vec<&Table>> = BTreeMap::new();
        for (table, group) in tables.iter().zip(group_of) {
            groups.entry(group).or_default().push(table);
        }
        let mut groups: Vec<Vec<&Table>> = groups.into_values().collect();
        for group in &mut groups {
            group.sort_by_key(|table| std::cmp::Reverse(referred(table)));
        }
        groups
    }

    /// Conditions (i) and (ii).
    fn is_entity(&self, table: &Table) -> bool {
        match table.key.len() {
            0 => false,
            1 => true,
            _ => self.own_column(table).is_some(),
        }
    }

    /// A column of the key that is no foreign key.
    fn own_column<'t>(&self, table: &'t Table) -> Option<&'t String> {
        let foreign = |column: &String| {
            self.inclusions_of(table).any(|it| table.key_has(&it.columns) && it.columns.contains(column))
        };
        table.key.iter().find(|column| !foreign(column))
    }

    fn why_class(&self, main: &Table, group: &[&Table]) -> (&'static str, String) {
        let key = key_text(main);
        if group.len() > 1 {
            let names: Vec<&str> = group.iter().map(|table| table.name.as_str()).collect();
            return ("1", format!("the keys of {} have the same values", names.join(" and ")));
        }
        match self.own_column(main).filter(|_| main.key.len() > 1) {
            Some(own) => ("1 (ii)", format!("{key} and {own} is no foreign key")),
            None => ("1 (i)", key),
        }
    }

    /// Tables that are no class: their keys are foreign keys only, so they relate the classes they refer to.
    fn link_tables(&mut self) {
        for table in &self.schema.tables {
            if self.things.contains_key(table.name.as_str()) {
                continue;
            }
            if table.key.is_empty() {
                let what = format!("nothing from {}", table.name);
                self.tell("–", what, "it has no key, and none was found on its data".to_owned());
                continue;
            }
            let ends: Vec<ClassId> = self
                .inclusions_of(table)
                .filter(|it| table.key_has(&it.columns) && !table.key_is(&it.columns))
                .filter_map(|it| self.class_of(&it.to))
                .collect();
            let name = self.free_relation_name(self.name_of(table));
            let relation = Relation {
                name: name.clone(),
                domain: ends.first().copied(),
                range: ends.get(1).or(ends.first()).copied(),
                entries: vec![entry(&name, 1.0, 1, &table.name)],
                provenance: from_rule(1, &table.name),
                ..Relation::default()
            };
            let id = self.ontology.add_relation(relation);
            self.things.insert(&table.name, Thing::Relation(id));
            let because =
                format!("rule 1 does not apply: {} and it is made of foreign keys only", key_text(table));
            self.tell("–", format!("relation “{name}”"), because);
        }
    }

    /// Rule 2, second half: a foreign key within a key of several columns.
    fn parts(&mut self) {
        for table in self.schema.tables.iter().filter(|table| table.key.len() > 1) {
            let Some(Thing::Class(part)) = self.things.get(table.name.as_str()).copied() else { continue };
            for inclusion in self.schema.inclusions.iter().filter(|it| it.from == table.name) {
                let inside = table.key_has(&inclusion.columns) && !table.key_is(&inclusion.columns);
                let Some(whole) = self.class_of(&inclusion.to).filter(|whole| inside && *whole != part)
                else {
                    continue;
                };
                let (one, other) = (self.class_name(part), self.class_name(whole));
                let origin = origin(inclusion);
                let up = self.free_relation_name(&format!("{one} is part of {other}"));
                let down = self.free_relation_name(&format!("{other} has part {one}"));
                let first = self.ontology.add_relation(Relation {
                    name: up,
                    domain: Some(part),
                    range: Some(whole),
                    entries: Vec::new(),
                    provenance: from_rule(2, &origin),
                    ..Relation::default()
                });
                let second = self.ontology.add_relation(Relation {
                    name: down,
                    domain: Some(whole),
                    range: Some(part),
                    inverse: Some(first),
                    provenance: from_rule(2, &origin),
                    ..Relation::default()
                });
                self.ontology.set_inverse(first, second);
                let what = format!("“{one}” is part of “{other}”, “{other}” has part “{one}”");
                self.tell(
                    "2 (i, ii)",
                    what,
                    format!("{} within a key of {} columns", origin, table.key.len()),
                );
            }
        }
    }

    /// Rule 2, first half: a column outside of the key that refers to another table.
    fn properties(&mut self) {
        for inclusion in &self.schema.inclusions {
            let Some(table) = self.schema.table(&inclusion.from) else { continue };
            if table.key_has(&inclusion.columns) {
                continue;
            }
            let (Some(domain), Some(range)) = (self.class_of(&inclusion.from), self.class_of(&inclusion.to))
            else {
                continue;
            };
            let said = names::of_column(&inclusion.columns.join(" "));
            let name = self.free_relation_name(&said);
            let origin = origin(inclusion);
            self.ontology.add_relation(Relation {
                name: name.clone(),
                domain: Some(domain),
                range: Some(range),
                entries: vec![entry(&said, 1.0, 2, &origin)],
                provenance: from_rule(2, &origin),
                ..Relation::default()
            });
            let what = format!(
                "relation “{name}” from “{}” to “{}”",
                self.class_name(domain),
                self.class_name(range)
            );
            self.tell("2", what, format!("{origin}, outside of the key"));
        }
    }

    /// Rule 3: a key whose values are some of another key's.
    fn hierarchy(&mut self) {
        let below = self.schema.inclusions.iter().filter(|it| !it.equal && self.is_key_to_key(it));
        for inclusion in below.collect::<Vec<_>>() {
            let ends = (
                self.things.get(inclusion.from.as_str()).copied(),
                self.things.get(inclusion.to.as_str()).copied(),
            );
            let origin = origin(inclusion);
            match ends {
                (Some(Thing::Class(lower)), Some(Thing::Class(upper))) if lower != upper => {
                    let what =
                        format!("“{}” is a subclass of “{}”", self.class_name(lower), self.class_name(upper));
                    let done = self.ontology.put_below(lower, upper);
                    let because =
                        if done { origin } else { format!("{origin}; left out, it would close a circle") };
                    self.tell("3", what, because);
                }
                (Some(Thing::Relation(lower)), Some(Thing::Relation(upper))) if lower != upper => {
                    let name = |id: RelationId| {
                        self.ontology.relation(id).map(|it| it.name.clone()).unwrap_or_default()
                    };
                    let what = format!("“{}” is a subrelation of “{}”", name(lower), name(upper));
                    let done = self.ontology.put_relation_below(lower, upper);
                    let because =
                        if done { origin } else { format!("{origin}; left out, it would close a circle") };
                    self.tell("3", what, because);
                }
                _ => {}
            }
        }
    }

    /// Lexical entries: the table's name, what its columns are called, and values that are words.
    fn words(&mut self, class: ClassId, table: &Table) {
        self.ontology.add_entry(class, entry(self.name_of(table), 1.0, 1, &table.name));
        let foreign: Vec<&String> = self.inclusions_of(table).flat_map(|it| &it.columns).collect();
        let mut values = 0;
        for column in &table.columns {
            let origin = format!("{}.{}", table.name, column.name);
            if names::is_telling(&column.name) && !foreign.contains(&&column.name) {
                self.ontology.add_entry(class, entry(&names::of_column(&column.name), ATTRIBUTE, 1, &origin));
            }
            for value in column.samples.iter().filter(|value| names::is_word(value)) {
                if values < MOST_VALUES
                    && self.ontology.add_entry(class, entry(value.trim(), VALUE, 1, &origin))
                {
                    values += 1;
                }
            }
        }
    }

    fn inclusions_of(&self, table: &Table) -> impl Iterator<Item = &'a Inclusion> {
        let name = table.name.clone();
        self.schema.inclusions.iter().filter(move |it| it.from == name)
    }

    fn is_key_to_key(&self, inclusion: &Inclusion) -> bool {
        let is_key =
            |table: &str, columns: &[String]| self.schema.table(table).is_some_and(|it| it.key_is(columns));
        inclusion.from != inclusion.to
            && is_key(&inclusion.from, &inclusion.columns)
            && is_key(&inclusion.to, &inclusion.to_columns)
    }

    fn class_of(&self, table: &str) -> Option<ClassId> {
        match self.things.get(table) {
            Some(Thing::Class(id)) => Some(*id),
            _ => None,
        }
    }

    fn class_name(&self, id: ClassId) -> String {
        self.ontology.class(id).map(|class| class.name.clone()).unwrap_or_default()
    }

    fn name_of(&self, table: &Table) -> &str {
        self.names.get(table.name.as_str()).map_or("", String::as_str)
    }

    fn free_class_name(&self, table: &Table) -> String {
        free(self.name_of(table), |name| self.ontology.class_named(name).is_some())
    }

    fn free_relation_name(&self, wanted: &str) -> String {
        free(wanted, |name| self.ontology.relation_named(name).is_some())
    }

    fn tell(&mut self, rule: &'static str, what: String, because: String) {
        self.account.push(Derivation { rule, what, because });
    }
}

fn free(wanted: &str, taken: impl Fn(&str) -> bool) -> String {
    let wanted = if wanted.is_empty() { "unnamed" } else { wanted };
    let numbered = (2..).map(|number| format!("{wanted} {number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

fn entry(text: &str, weight: f64, rule: u8, origin: &str) -> Entry {
    Entry { weight, provenance: from_rule(rule, origin), ..Entry::new(text) }
}

fn from_rule(rule: u8, origin: &str) -> Provenance {
    Provenance::Database { rule, origin: origin.to_owned() }
}

fn key_text(table: &Table) -> String {
    let how = if table.key_declared { "declared" } else { "found on the data" };
    format!("the key of {} is {} ({how})", table.name, table.key.join(", "))
}

fn origin(inclusion: &Inclusion) -> String {
    let how = if inclusion.declared { "declared" } else { "found on the data" };
    format!(
        "{}({}) ⊆ {}({}) ({how})",
        inclusion.from,
        inclusion.columns.join(", "),
        inclusion.to,
        inclusion.to_columns.join(", ")
    )
}

#[cfg(test)]
mod tests;
