//! All data go from one database to the other and back, whatever comes in between, or not at all.

mod fill;

use crate::data::Data;
use crate::shop::{Shop, at, found, planned, request, visit_record};
use fill::fill;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use store::{
    ArticleFilter, CrawlPageFilter, Hidden, MoveEnd, MoveError, MovePhase, MoveStep, Moved, SCHEMA_VERSION,
    Store, StoreError, VisitRecord, move_data,
};
use testkit::postgres::shared;
use tokio::sync::OnceCell;

/// A folder with something of everything in it, made once.
async fn filled() -> Data {
    static TEMPLATE: OnceCell<Data> = OnceCell::const_new();
    let make = || async {
        let Shop { store, data } = fill(Shop::in_folder()).await;
        drop(store);
        // Leases are not moved.
        data.tamper(
            "UPDATE crawl SET lease_owner = NULL; UPDATE channel SET lease_owner = NULL, lease_until = NULL",
        );
        data
    };
    TEMPLATE.get_or_init(make).await.copy()
}

/// A folder with a source and an article.
async fn small() -> Data {
    let shop = Shop::in_folder();
    let source = shop.add("https://news.example/").await;
    shop.visit(source, 1, &["https://news.example/1"]).await;
    shop.data
}

fn database() -> Data {
    Data::Database(shared().new_database(None))
}

fn end(data: &Data) -> MoveEnd {
    match data {
        Data::Folder(folder) => MoveEnd::Folder(folder.path().into()),
        Data::Database(name) => MoveEnd::Database(Hidden::new(shared().url_of(name))),
    }
}

fn move_all(from: &Data, to: &Data) -> Result<Moved, MoveError> {
    move_data(&end(from), &end(to), false, &mut |_| ControlFlow::Continue(()))
}

/// Everything in a file, table by table; of indexes of words, every word with its place.
fn everything(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let file = rusqlite::Connection::open(folder.join(Store::FILE)).unwrap();
    file.execute_batch(
        "CREATE VIRTUAL TABLE temp.article_word USING fts5vocab('main', 'article_words', 'instance');
         CREATE VIRTUAL TABLE temp.crawl_word USING fts5vocab('main', 'crawl_words', 'instance')",
    )
    .unwrap();
    let mut tables = vec!["article_word".to_owned(), "crawl_word".to_owned()];
    let plain =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%!_words%' ESCAPE '!'";
    let mut statement = file.prepare(plain).unwrap();
    tables.extend(
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<Vec<String>, _>>().unwrap(),
    );
    let rows = |table: &String| {
        let mut statement = file.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = statement.column_count();
        let rows = statement.query_map([], |row| {
            (0..columns).map(|n| Ok(format!("{:?}", row.get::<_, rusqlite::types::Value>(n)?))).collect()
        });
        let mut rows: Vec<String> =
            rows.unwrap().map(|row| row.map(|cells: Vec<String>| cells.join(" | ")).unwrap()).collect();
        rows.sort();
        (table.clone(), rows)
    };
    tables.iter().map(rows).collect()
}

fn assert_same(one: &Data, other: &Data) {
    let (one, other) = (everything(one.folder()), everything(other.folder()));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (table, rows) in &one {
        assert_eq!(rows.len(), other[table].len(), "{table}");
        for (before, after) in rows.iter().zip(&other[table]) {
            assert_eq!(before, after, "{table}");
        }
    }
}

async fn found_by(store: &Store, search: &str) -> Vec<i64> {
    let filter = ArticleFilter { search: Some(search.into()), ..crate::articles::all() };
    store.articles_page(filter).await.unwrap().articles.iter().map(|article| article.id.0).collect()
}

async fn pages_by(store: &Store, search: &str) -> Vec<i64> {
    let filter = CrawlPageFilter { search: Some(search.into()), limit: 100, ..CrawlPageFilter::default() };
    store.crawl_pages(model::CrawlId(1), filter).await.unwrap().iter().map(|page| page.id).collect()
}

#[tokio::test]
async fn there_and_back_every_row_and_every_word_is_the_same() {
    let (here, there, elsewhere, back) = (filled().await, database(), database(), Data::in_folder());
    let empty = everything(here.folder()).into_iter().filter(|(_, rows)| rows.is_empty());
    let empty: Vec<String> = empty.map(|(table, _)| table).collect();
    assert_eq!(empty, ["worker"], "something of everything is moved");
    let moved = move_all(&here, &there).unwrap();
    assert!(!moved.resumed && moved.mended == 0 && moved.rows > 12_000, "{moved:?}");
    assert!(moved.tables.iter().all(|table| table.checksum.len() == 32));
    let again = move_all(&there, &elsewhere).unwrap();
    assert_eq!(moved.tables, again.tables, "checksums are the same whatever they are computed on");
    move_all(&elsewhere, &back).unwrap();
    assert_same(&here, &back);
    let (here, there) = (here.open().unwrap(), there.open().unwrap());
    for search in
        ["cup", "übergrößen", "ubergro", "\"more words\"", "\"words more\"", "新华社", "naive 3", "tea"]
    {
        assert_eq!(found_by(&here, search).await, found_by(&there, search).await, "{search}");
    }
    assert!(!found_by(&there, "新华社").await.is_empty());
    for search in [
        "ishmael",
        "白鲸",
        "\"moby dick\"",
        "\"dick call\"",
        "bücher",
        "\"and again and\"",
        "it's",
        "naive pa",
    ] {
        assert_eq!(pages_by(&here, search).await, pages_by(&there, search).await, "{search}");
    }
    assert!(
        !pages_by(&there, "bucher").await.is_empty() && pages_by(&there, "\"dick call\"").await.is_empty()
    );
}

#[tokio::test]
async fn work_goes_on_where_it_was_and_no_number_is_given_twice() {
    let (here, there) = (filled().await, database());
    move_all(&here, &there).unwrap();
    let shop = Shop::of(there);
    let channel = shop.store.add_channel(crate::telling::settings("next"), at(5)).await.unwrap();
    assert_eq!(channel.0, 3, "the second one is gone, but was given");
    let source = shop.add("https://new.example/").await;
    let new = shop.visit(source, 10_000_000, &["https://new.example/1"]).await.new;
    let all = ArticleFilter { limit: 1, ..ArticleFilter::default() };
    assert_eq!(shop.store.articles_page(all).await.unwrap().articles[0].id, new[0], "it is the newest");
}

#[tokio::test]
async fn stopped_after_any_batch_it_goes_on_and_nobody_else_gets_in() {
    let (here, there, back) = (filled().await, database(), Data::in_folder());
    for (from, to) in [(&here, &there), (&there, &back)] {
        let mut runs = 0;
        loop {
            runs += 1;
            // One to four batches at a time.
            let mut left = 1 + runs % 4;
            let moved = move_data(&end(from), &end(to), false, &mut |step: &MoveStep| {
                left -= i32::from(step.phase == MovePhase::Copying);
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            match moved {
                Ok(moved) => {
                    assert!(moved.resumed);
                    break;
                }
                Err(MoveError::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
            if runs % 10 == 1 {
                let Err(refused) = to.open() else { panic!("a part of the data was opened") };
                assert!(matches!(refused, StoreError::Unfinished { .. }), "{refused}");
                assert!(refused.to_string().contains("ripplewatch move"), "{refused}");
            }
        }
        assert!(runs > 25, "{runs} runs");
    }
    assert_same(&here, &back);
    there.open().unwrap();
}

#[tokio::test]
async fn a_table_that_differs_is_named_and_the_target_stays_closed() {
    let (here, there) = (filled().await, database());
    let Data::Database(name) = &there else { unreachable!() };
    let mut spoiled = false;
    let error = move_data(&end(&here), &end(&there), false, &mut |step: &MoveStep| {
        if step.phase == MovePhase::Checking && !spoiled {
            shared().run_in(name, "UPDATE topic_lesson SET lesson = lesson || ' '");
            spoiled = true;
        }
        ControlFlow::Continue(())
    });
    let error = error.unwrap_err();
    assert!(matches!(&error, MoveError::Differs { table, .. } if table == "topic_lesson"), "{error}");
    assert!(error.to_string().contains("checksums differ"), "{error}");
    assert!(matches!(there.open(), Err(StoreError::Unfinished { .. })));
    // It is not better the second time; begun anew it is.
    assert!(matches!(move_all(&here, &there), Err(MoveError::Differs { .. })));
    let anew = move_data(&end(&here), &end(&there), true, &mut |_| ControlFlow::Continue(()));
    assert!(!anew.unwrap().resumed);
    there.open().unwrap();
}

#[tokio::test]
async fn a_source_that_was_changed_meanwhile_is_noticed() {
    let (there, back) = (database(), Data::in_folder());
    move_all(&small().await, &there).unwrap();
    let stop_late = &mut |step: &MoveStep| match step.phase {
        MovePhase::Copying => ControlFlow::Continue(()),
        MovePhase::Checking => ControlFlow::Break(()),
    };
    assert!(matches!(move_data(&end(&there), &end(&back), false, stop_late), Err(MoveError::Stopped)));
    there.open().unwrap().add_token("late".into(), at(9)).await.unwrap();
    let error = move_all(&there, &back).unwrap_err();
    let MoveError::Differs { table, source_rows, target_rows } = &error else { panic!("{error}") };
    assert_eq!((table.as_str(), *source_rows, *target_rows), ("token", 1, 0));
    assert!(error.to_string().contains("--restart"), "{error}");
    move_data(&end(&there), &end(&back), true, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(back.open().unwrap().tokens().await.unwrap().len(), 1);
}

#[tokio::test]
async fn places_that_are_no_good_are_refused_and_not_touched() {
    let (here, there, nowhere) = (small().await, database(), database());
    let refused = |from: &Data, to: &Data| move_all(from, to).unwrap_err();
    assert!(matches!(refused(&here, &here), MoveError::SamePlace(_)));
    assert!(matches!(refused(&there, &there), MoveError::SamePlace(_)));
    assert!(matches!(refused(&Data::in_folder(), &there), MoveError::NothingThere(_)));
    assert!(matches!(refused(&nowhere, &Data::in_folder()), MoveError::NothingThere(_)));
    let Data::Database(name) = &nowhere else { unreachable!() };
    // Fails if a table of ours was made.
    shared().run_in(name, "CREATE TABLE host (name TEXT)");
    let error = refused(&here, &nowhere);
    assert!(matches!(error, MoveError::Store(StoreError::ForeignDatabase { .. })), "{error}");

    move_all(&here, &there).unwrap();
    let error = refused(&here, &there);
    assert!(matches!(&error, MoveError::NotEmpty { tables, .. } if tables.contains("article")), "{error}");
    assert!(matches!(refused(&there, &here), MoveError::NotEmpty { .. }));

    let Data::Database(name) = &there else { unreachable!() };
    shared().run_in(name, &format!("UPDATE ripplewatch SET version = {}", SCHEMA_VERSION + 1));
    let error = refused(&here, &there);
    assert!(matches!(error, MoveError::Store(StoreError::NewerDatabase { .. })), "{error}");
    let wrong = MoveEnd::Database(Hidden::new("mysql://root:sesame@localhost/x"));
    let error = move_data(&end(&here), &wrong, false, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(matches!(error, MoveError::Store(StoreError::BadUrl(_))), "{error}");
}

#[tokio::test]
async fn a_part_of_other_data_is_not_mixed_with_these() {
    let (here, other, there) = (small().await, small().await, database());
    let at_once = &mut |_: &MoveStep| ControlFlow::Break(());
    assert!(matches!(move_data(&end(&here), &end(&there), false, at_once), Err(MoveError::Stopped)));
    let error = move_all(&other, &there).unwrap_err();
    assert!(matches!(&error, MoveError::OtherMove { .. }), "{error}");
    // Nor is a part moved on.
    let error = move_all(&there, &Data::in_folder()).unwrap_err();
    assert!(matches!(error, MoveError::Store(StoreError::Unfinished { .. })), "{error}");
    move_data(&end(&other), &end(&there), true, &mut |_| ControlFlow::Continue(())).unwrap();
}

#[tokio::test]
async fn a_database_that_somebody_works_on_is_left_alone() {
    let (here, there, other) = (small().await, database(), database());
    move_all(&here, &there).unwrap();
    drop(other.open().unwrap());
    let present = "INSERT INTO worker (name, label, roles, started_at, seen_at, figures)
                   VALUES ('a', 'serve on desk', '', 0, extract(epoch FROM now()) * 1000 - 9000, '{}')";
    for data in [&there, &other] {
        let Data::Database(name) = data else { unreachable!() };
        shared().run_in(name, present);
    }
    for (from, to) in [(&there, &Data::in_folder()), (&here, &other)] {
        let error = move_all(from, to).unwrap_err();
        assert!(matches!(&error, MoveError::InUse { who, .. } if who == "serve on desk"), "{error}");
    }
    let Data::Database(name) = &other else { unreachable!() };
    shared().run_in(name, "DELETE FROM worker");
    // Two at once: the second is told.
    let mut second = None;
    move_data(&end(&here), &end(&other), false, &mut |_| {
        second.get_or_insert_with(|| move_all(&here, &other).unwrap_err());
        ControlFlow::Continue(())
    })
    .unwrap();
    let second = second.unwrap();
    assert!(matches!(&second, MoveError::InUse { who, .. } if who.contains("move")), "{second}");
}

#[tokio::test]
async fn a_full_disk_is_told_and_the_move_goes_on_when_there_is_room() {
    let (here, there, back) = (filled().await, database(), Data::in_folder());
    drop(there.open().unwrap());
    let Data::Database(name) = &there else { unreachable!() };
    shared().run_in(
        name,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE 'could not extend file' USING ERRCODE = '53100'; END $$;
         CREATE TRIGGER full_disk BEFORE INSERT ON crawl_url FOR EACH ROW WHEN (new.spot = 5000)
             EXECUTE FUNCTION full_disk()",
    );
    let error = move_all(&here, &there).unwrap_err();
    assert!(matches!(error, MoveError::DiskFull), "{error}");
    shared().run_in(name, "DROP TRIGGER full_disk ON crawl_url; DROP FUNCTION full_disk");
    assert!(move_all(&here, &there).unwrap().resumed);
    move_all(&there, &back).unwrap();
    assert_same(&here, &back);
}

#[tokio::test]
async fn what_postgresql_cannot_store_is_replaced_and_counted() {
    let (here, there) = (small().await, database());
    here.tamper(
        "UPDATE article SET title = 'zero ' || char(0) || ' here', summary = CAST(x'61ff62' AS TEXT);
         UPDATE visit SET notes = '[\"' || char(0) || '\"]'",
    );
    assert_eq!(move_all(&here, &there).unwrap().mended, 3);
    let article =
        there.open().unwrap().articles_page(crate::articles::all()).await.unwrap().articles.remove(0);
    assert_eq!(article.title, "zero \u{fffd} here");
    assert_eq!(article.summary.as_deref(), Some("a\u{fffd}b"));

    here.tamper("UPDATE visit SET took_ms = 'soon'");
    let error = move_all(&here, &database()).unwrap_err();
    assert!(error.to_string().starts_with("visit.took_ms holds a text"), "{error}");
}

#[tokio::test]
async fn leases_end_with_the_move() {
    let shop = Shop::in_folder();
    let source = shop.add("https://news.example/").await;
    let held = shop.lease_of(source, 1).await.lease;
    shop.store.add_channel(crate::telling::settings("desk"), at(0)).await.unwrap();
    let Shop { store, data: here } = shop;
    drop(store);
    here.tamper("UPDATE channel SET lease_owner = 'me', lease_until = 9; UPDATE host SET due_at = NULL");
    let there = database();
    move_all(&here, &there).unwrap();
    let shop = Shop::of(there);
    let work = shop.store.lease_due_hosts(request(2)).await.unwrap();
    assert_eq!(work.len(), 1, "the host is free, and due");
    assert!(work[0].lease.epoch > held.epoch, "a late writer is refused");
    let record =
        VisitRecord { articles: found(&["https://news.example/1"]), ..visit_record(&work[0], source, 3) };
    shop.store.record_visit(record, |_| planned(60)).await.unwrap();
    let Data::Database(name) = &shop.data else { unreachable!() };
    // Fails if one is held.
    shared().run_in(
        name,
        "SELECT 1 / (SELECT count(*) FROM channel WHERE lease_owner IS NULL AND lease_until IS NULL)",
    );
}
