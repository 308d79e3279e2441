//! From the data file into memory.

use super::State;
use super::rows::{Before, cornerstone, rule, unreadable};
use crate::StoreError;
use crate::database::Connection;
use knowledge::{Base, Cornerstone, Cornerstones, Folder, Folders, Past, Rule, RuleTree};
use model::{CornerstoneId, FolderId, RuleId};
use std::collections::HashMap;

pub(super) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.prepare_cached("SELECT version FROM knowledge")?.query_row([], |row| row.get(0))?)
}

pub(super) fn state(connection: &Connection) -> Result<State, StoreError> {
    // One look at all tables: another process may be teaching.
    connection.at_one_moment(|| read_state(connection))
}

fn read_state(connection: &Connection) -> Result<State, StoreError> {
    let (last_rule, last_cornerstone) =
        connection.query_row("SELECT last_rule, last_cornerstone FROM knowledge", [], |row| {
            Ok((RuleId(row.get(0)?), CornerstoneId(row.get(1)?)))
        })?;
    let tree = RuleTree::new(rules(connection)?).map_err(|error| unreadable(&error))?;
    let cornerstones = Cornerstones::restore(cornerstones(connection)?);
    let base = Base::restore(
        folders(connection)?,
        tree,
        cornerstones,
        past(connection)?,
        last_rule,
        last_cornerstone,
    );
    Ok(State { version: version(connection)?, base })
}

fn folders(connection: &Connection) -> Result<Folders, StoreError> {
    let mut statement = connection.prepare_cached("SELECT id, parent_id, name FROM folder")?;
    let rows = statement.query_map([], |row| {
        let parent: Option<i64> = row.get(1)?;
        Ok(Folder { id: FolderId(row.get(0)?), parent: parent.map(FolderId), name: row.get(2)? })
    })?;
    Ok(Folders::restore(rows.collect::<Result<Vec<_>, _>>()?))
}

fn rules(connection: &Connection) -> Result<Vec<Rule>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM rule WHERE undone = 0 ORDER BY place")?;
    let rows = statement.query_and_then([], rule)?;
    rows.collect()
}

fn cornerstones(connection: &Connection) -> Result<Vec<Cornerstone>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT * FROM cornerstone ORDER BY id")?;
    let rows = statement.query_and_then([], cornerstone)?;
    rows.collect()
}

fn past(connection: &Connection) -> Result<Vec<Past>, StoreError> {
    let mut statement =
        connection.prepare_cached("SELECT version, count(*) FROM rule WHERE undone = 0 GROUP BY version")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
    let rules: HashMap<i64, i64> = rows.collect::<Result<_, _>>()?;
    let mut statement = connection
        .prepare_cached("SELECT version, before FROM lesson WHERE undone_at IS NULL ORDER BY version")?;
    let rows = statement.query_and_then([], |row| -> Result<Past, StoreError> {
        let (version, before): (i64, String) = (row.get(0)?, row.get(1)?);
        let before: Before = serde_json::from_str(&before).map_err(|error| unreadable(&error))?;
        let before = before.into_iter().map(|(id, row)| (id, row.map(Cornerstone::from))).collect();
        Ok(Past { rules: rules.get(&version).copied().unwrap_or(0) as usize, before })
    })?;
    rows.collect()
}
