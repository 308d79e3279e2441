//! Words are part of the knowledge: a release that cuts them otherwise must prove that nothing is filed elsewhere.

use super::State;
use super::refile::begin_refiling;
use crate::StoreError;
use crate::database::Connection;
use page::words::VERSION;

/// Files every cornerstone anew if words were cut in another way when the rules were last proven. Differences are
/// refused, never silent; without any, the stored articles are filed anew.
pub(super) fn prove(connection: &Connection, state: &State) -> Result<(), StoreError> {
    let proven: i64 = connection.query_row("SELECT words_version FROM knowledge", [], |row| row.get(0))?;
    if proven == VERSION {
        return Ok(());
    }
    let misfiled = state.base.cornerstones().misfiled(state.base.tree());
    if !misfiled.is_empty() {
        return Err(StoreError::WordsChanged { cornerstones: misfiled.len() });
    }
    connection.execute("UPDATE knowledge SET words_version = ?1", [VERSION])?;
    begin_refiling(connection, state.version)
}
