use rusqlite::Connection;
use store::{SCHEMA_VERSION, Store, StoreError};

fn open(folder: &std::path::Path) -> StoreError {
    match Store::open(folder) {
        Err(error) => error,
        Ok(_) => panic!("it was opened"),
    }
}

#[test]
fn a_newer_schema_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let file = folder.path().join(Store::FILE);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", SCHEMA_VERSION + 1).unwrap();
    let error = open(folder.path());
    assert!(matches!(error, StoreError::NewerSchema { .. }), "{error}");
    assert!(error.to_string().contains("newer Ripplewatch"));
    let version: i64 =
        Connection::open(&file).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, SCHEMA_VERSION + 1);
}

#[test]
fn another_applications_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = Connection::open(folder.path().join(Store::FILE)).unwrap();
    other.execute_batch("CREATE TABLE bookmarks (url TEXT)").unwrap();
    assert!(matches!(open(folder.path()), StoreError::Foreign { .. }));
    let tables: i64 = other.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 1);
}

#[test]
fn a_file_that_is_no_database_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(Store::FILE), "once upon a time ".repeat(500)).unwrap();
    let error = open(folder.path());
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("ripplewatch restore"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let in_the_way = folder.path().join("file");
    std::fs::write(&in_the_way, "").unwrap();
    let error = open(&in_the_way.join("data"));
    assert!(matches!(error, StoreError::Folder { .. }), "{error}");
    assert!(error.to_string().contains("--data"));
}

#[test]
fn opening_twice_migrates_once() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..3 {
        drop(Store::open(folder.path()).unwrap());
    }
}
