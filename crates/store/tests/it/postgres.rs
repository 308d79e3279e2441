//! What only a server can be: elsewhere, locked, somebody else's, full. Every answer says what to do, and none a password.

use crate::data::Data;
use crate::shop::{Shop, at, found, visit_record};
use store::{SCHEMA_VERSION, Store, StoreError, VisitRecord};
use testkit::authority::Authority;
use testkit::postgres::shared;

fn refused(url: &str) -> StoreError {
    match Store::connect(url) {
        Err(error) => error,
        Ok(_) => panic!("it was opened"),
    }
}

fn fresh() -> (String, String) {
    let name = shared().new_database(None);
    let url = shared().url_of(&name);
    (name, url)
}

#[test]
fn an_address_that_is_none_is_refused_with_an_example() {
    for odd in [
        "mysql://root:sesame@localhost/x",
        "postgres://localhost",
        "postgres://u:sesame@h:port/x",
        "postgres://u:open@sesame/x@127.0.0.1:1/x",
        "nonsense",
    ] {
        let error = refused(odd);
        assert!(matches!(error, StoreError::BadUrl(_)), "{odd}: {error}");
        let told = error.to_string();
        assert!(
            told.contains("postgres://user:password@host:5432/database") && !told.contains("sesame"),
            "{told}"
        );
    }
}

#[test]
fn a_server_that_is_not_there_is_named_without_the_password() {
    let error = refused("postgres://me:sesame@127.0.0.1:1/news");
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
    let told = error.to_string();
    assert!(told.contains("news on 127.0.0.1:1") && !told.contains("sesame"), "{told}");
}

#[test]
fn a_wrong_password_no_database_and_missing_rights_are_told_apart() {
    let server = shared();
    server.run("CREATE ROLE keeper LOGIN PASSWORD 'sesame'");
    server.run("CREATE DATABASE locked OWNER keeper");
    let as_keeper = |password: &str, database: &str| {
        server.url_of(database).replace("test@", &format!("keeper{password}@"))
    };
    for wrong in [":guess", ""] {
        let error = refused(&as_keeper(wrong, "locked"));
        assert!(matches!(error, StoreError::WrongLogin { .. }), "{error}");
        assert!(!error.to_string().contains("guess"), "{error}");
    }
    let error = refused(&server.url_of("nowhere"));
    assert!(matches!(error, StoreError::NoDatabase { .. }), "{error}");
    let (theirs, _) = fresh();
    let error = refused(&as_keeper("", &theirs));
    assert!(matches!(error, StoreError::NoRights { .. }), "{error}");
    assert!(error.to_string().contains("GRANT"), "{error}");
    Store::connect(&as_keeper(":sesame", "locked")).unwrap();
    // Who may look but not write hears the same.
    let (name, url) = fresh();
    drop(Store::connect(&url).unwrap());
    server.run_in(&name, "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    let error = refused(&url.replace("test@", "reader@"));
    assert!(matches!(error, StoreError::NoRights { .. }), "{error}");
}

#[test]
fn another_applications_database_and_a_newer_schema_are_refused_and_not_touched() {
    let (name, url) = fresh();
    shared().run_in(&name, "CREATE TABLE bookmarks (url TEXT)");
    let error = refused(&url);
    assert!(matches!(error, StoreError::ForeignDatabase { .. }), "{error}");
    // Fails if one of our tables is there.
    shared().run_in(&name, "CREATE TABLE host (name TEXT)");

    let (name, url) = fresh();
    shared().run_in(&name, "CREATE TABLE ripplewatch (boats TEXT)");
    assert!(matches!(refused(&url), StoreError::ForeignDatabase { .. }));

    let (name, url) = fresh();
    drop(Store::connect(&url).unwrap());
    shared().run_in(&name, &format!("UPDATE ripplewatch SET version = {}", SCHEMA_VERSION + 1));
    let error = refused(&url);
    assert!(matches!(error, StoreError::NewerDatabase { .. }), "{error}");
    assert!(error.to_string().contains("newer Ripplewatch"), "{error}");
}

#[test]
fn a_database_that_can_only_be_read_is_refused() {
    let (name, url) = fresh();
    for _ in 0..2 {
        shared().run(&format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
        let error = refused(&url);
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
        shared().run(&format!("ALTER DATABASE {name} RESET default_transaction_read_only"));
        // The second time our tables are there.
        drop(Store::connect(&url).unwrap());
    }
}

#[test]
fn two_that_start_at_once_make_the_tables_once() {
    let (_, url) = fresh();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| Store::connect(&url).unwrap());
        }
    });
}

#[test]
fn a_schema_of_ones_own_is_used_where_the_search_path_says_so() {
    let (name, url) = fresh();
    shared().run_in(&name, "CREATE TABLE bookmarks (url TEXT); CREATE SCHEMA news");
    shared().run(&format!("ALTER DATABASE {name} SET search_path = news"));
    drop(Store::connect(&url).unwrap());
    shared().run_in(&name, "SELECT version FROM news.ripplewatch");
}

#[test]
fn encryption_that_was_asked_for_is_never_left_out() {
    let (_, plain) = fresh();
    let url = format!("{plain}?sslmode=require");
    let error = refused(&url);
    assert!(error.to_string().contains("TLS"), "{error}");
    assert!(matches!(refused(&format!("{plain}?sslmode=maybe")), StoreError::BadUrl(_)));

    let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
    let (certificate, key) = authority.good_pem("127.0.0.1");
    shared().encrypt(&certificate, &key);
    let root = folder.path().join("root.pem");
    std::fs::write(&root, Authority::new().root_pem()).unwrap();
    let url = format!("{plain}?sslmode=verify-full&sslrootcert={}", root.display());
    let error = refused(&url);
    assert!(error.to_string().contains("certificate"), "{error}");
    std::fs::write(&root, authority.root_pem()).unwrap();
    Store::connect(&url).unwrap();
}

#[tokio::test]
async fn a_full_disk_is_told_as_such_and_nothing_is_stored() {
    let (name, url) = fresh();
    let store = Store::connect(&url).unwrap();
    shared().run_in(
        &name,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON setting FOR EACH ROW EXECUTE FUNCTION full_disk()",
    );
    let error = store.set_setting("plan", Some(&1)).await.unwrap_err();
    assert!(matches!(error, StoreError::DiskFull), "{error}");
    shared().run_in(&name, "DROP TRIGGER full_disk ON setting");
    store.set_setting("plan", Some(&1)).await.unwrap();
    assert_eq!(store.setting::<i64>("plan").await.unwrap(), Some(1));
}

#[tokio::test]
async fn what_is_done_with_files_says_what_to_do_instead() {
    let (_, url) = fresh();
    let store = Store::connect(&url).unwrap();
    assert_eq!(store.file(), None);
    let error = store.backup("/tmp/never-written".into(), at(0)).await.unwrap_err();
    assert!(error.to_string().contains("pg_dump"), "{error}");
    assert!(store.health(at(0), at(0)).await.unwrap().file_bytes > 1_000_000);
    assert!(store.check_integrity().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_text_may_hold_what_a_page_may_hold() {
    let shop = Shop::of(Data::Database(shared().new_database(None)));
    let source = shop.add("https://news.example/").await;
    let work = shop.lease_of(source, 1).await;
    let mut articles = found(&["https://news.example/zero"]);
    articles[0].title = "zero \0 and ' \\ \" $1 ?1".into();
    let record = VisitRecord { articles, ..visit_record(&work, source, 1) };
    let new = shop.store.record_visit(record, |_| crate::shop::planned(60)).await.unwrap().new;
    let title = shop.store.article(new[0]).await.unwrap().article.title;
    assert_eq!(title, "zero \u{fffd} and ' \\ \" $1 ?1");
}

#[tokio::test]
async fn data_of_the_first_release_on_postgresql_are_brought_forward() {
    let (name, url) = fresh();
    shared().run_in(&name, include_str!("../../src/schema/postgres/006.sql"));
    shared().run_in(
        &name,
        "INSERT INTO host (name) VALUES ('a.example'); INSERT INTO setting (name, value) VALUES ('kept', '7')",
    );
    let store = Store::connect(&url).unwrap();
    assert_eq!(store.setting::<i64>("kept").await.unwrap(), Some(7));
    assert!(store.workers().await.unwrap().is_empty());
    store.set_setting("kept", Some(&8)).await.unwrap();
    drop(store);
    assert_eq!(Store::connect(&url).unwrap().setting::<i64>("kept").await.unwrap(), Some(8));
}

#[test]
fn nobody_waits_for_one_that_stopped_while_it_started() {
    let (name, url) = fresh();
    drop(Store::connect(&url).unwrap());
    // Whoever brings the schema forward holds this lock; a process may be stopped just then.
    let mut stopped = shared().hold(&name, "SELECT pg_advisory_xact_lock(1380995148)");
    let began = std::time::Instant::now();
    let opened = Store::connect(&url);
    let waited = began.elapsed();
    stopped.kill().unwrap();
    stopped.wait().unwrap();
    opened.unwrap();
    assert!(waited < std::time::Duration::from_secs(20), "it waited for {waited:?}");
}
