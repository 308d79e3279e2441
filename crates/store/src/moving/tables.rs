//! What is brought: the tables of the newest schema, so that one that comes with a later step is not forgotten.

use super::MoveError;
use crate::schema;
use rusqlite::Connection;

/// What belongs to a running process, or to the file itself. PostgreSQL has some more of that kind: `ripplewatch` (the
/// schema's version), `committed` (a writer's last group) and `watch_text` (an hour's notes between processes).
const NOT_BROUGHT: [&str; 1] = ["worker"];

/// A table.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    /// Which columns are its key, in their order. None: it has a row or two, and is brought at once.
    pub(super) key: Vec<usize>,
    /// Its rows refer to each other: they are brought at once, so that no reference is missing.
    pub(super) refers_to_itself: bool,
    /// Numbers are never given twice, not even those of rows that are gone.
    pub(super) counts_on: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Integer,
    Real,
    Text,
    Blob,
}

/// All tables that are brought, those that others refer to first.
pub(super) fn all() -> Result<Vec<Table>, MoveError> {
    let schema = schema::newest()?;
    let mut waiting = Vec::new();
    for (name, sql) in plain_tables(&schema)? {
        let mut table = describe(&schema, &name, &sql)?;
        let mut needs = texts(&schema, "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?1)", &name)?;
        table.refers_to_itself = needs.contains(&name);
        needs.retain(|other| *other != name);
        waiting.push((table, needs));
    }
    let mut ordered: Vec<Table> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let is_ready = |(_, needs): &(Table, Vec<String>)| {
            needs.iter().all(|need| ordered.iter().any(|table| table.name == *need))
        };
        // Circles cannot be: a step of the schema refers to what is there already.
        let next = waiting.iter().position(is_ready).unwrap_or(0);
        ordered.push(waiting.remove(next).0);
    }
    Ok(ordered)
}

/// Tables with the SQL that made them, without the indexes of words and what those keep in tables of their own.
fn plain_tables(schema: &Connection) -> Result<Vec<(String, String)>, MoveError> {
    let mut statement = schema
        .prepare(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
             ORDER BY rowid",
        )
        .map_err(crate::StoreError::from)?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let rows: Result<Vec<_>, _> = rows.and_then(Iterator::collect);
    let mut tables = rows.map_err(crate::StoreError::from)?;
    tables.retain(|(name, _)| {
        !NOT_BROUGHT.contains(&name.as_str())
            && !super::words::INDEXES.iter().any(|index| name.starts_with(index))
    });
    Ok(tables)
}

fn describe(schema: &Connection, name: &str, sql: &str) -> Result<Table, MoveError> {
    let broken = crate::StoreError::from;
    let mut statement =
        schema.prepare("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid").map_err(broken)?;
    let rows = statement.query_map([name], |row| {
        let kind = match row.get::<_, String>(1)?.as_str() {
            "INTEGER" => Kind::Integer,
            "REAL" => Kind::Real,
            "BLOB" => Kind::Blob,
            _ => Kind::Text,
        };
        Ok((Column { name: row.get(0)?, kind }, row.get::<_, i64>(2)?))
    });
    let found: Result<Vec<_>, _> = rows.and_then(Iterator::collect);
    let found = found.map_err(broken)?;
    let mut key: Vec<(i64, usize)> = Vec::new();
    for (n, (_, place)) in found.iter().enumerate() {
        if *place > 0 {
            key.push((*place, n));
        }
    }
    key.sort_unstable();
    Ok(Table {
        name: name.to_owned(),
        columns: found.into_iter().map(|(column, _)| column).collect(),
        key: key.into_iter().map(|(_, n)| n).collect(),
        refers_to_itself: false,
        counts_on: sql.contains("AUTOINCREMENT"),
    })
}

fn texts(schema: &Connection, sql: &str, of: &str) -> Result<Vec<String>, MoveError> {
    let mut statement = schema.prepare(sql).map_err(crate::StoreError::from)?;
    let rows = statement.query_map([of], |row| row.get(0));
    let rows: Result<Vec<String>, _> = rows.and_then(Iterator::collect);
    Ok(rows.map_err(crate::StoreError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::postgres::shared;

    #[test]
    fn what_is_referred_to_comes_first() {
        let tables = all().unwrap();
        let place = |name: &str| tables.iter().position(|table| table.name == name).unwrap();
        assert!(place("host") < place("source") && place("source") < place("article"));
        assert!(place("article") < place("listing") && place("outbox") < place("delivery"));
        assert!(tables[place("folder")].refers_to_itself && tables[place("event")].counts_on);
        assert_eq!(tables[place("filing")].key.len(), 2);
        assert!(tables[place("knowledge")].key.is_empty());
    }

    /// A column or a table that only one of the databases has would be lost without a word.
    #[test]
    fn both_databases_have_the_same_tables_and_columns() {
        let url = shared().url_of(&shared().new_database(None));
        drop(crate::Store::connect(&url).unwrap());
        let server = crate::database::Server::parse(&url).unwrap();
        let connection = server.connect().unwrap();
        let mut statement = connection
            .prepare_cached(
                "SELECT CAST(table_name AS TEXT), CAST(column_name AS TEXT), CAST(data_type AS TEXT)
                 FROM information_schema.columns WHERE table_schema = current_schema()",
            )
            .unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let mut theirs: Vec<(String, String, String)> = rows.collect::<Result<_, _>>().unwrap();
        let apart = ["worker", "ripplewatch", "committed", "watch_text", "article_words", "crawl_words"];
        theirs.retain(|(table, ..)| !apart.contains(&table.as_str()));
        let word = |kind| match kind {
            Kind::Integer => "bigint",
            Kind::Real => "double precision",
            Kind::Text => "text",
            Kind::Blob => "bytea",
        };
        let mut ours: Vec<(String, String, String)> = Vec::new();
        for table in all().unwrap() {
            for column in table.columns {
                ours.push((table.name.clone(), column.name, word(column.kind).into()));
            }
        }
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs);
    }
}
