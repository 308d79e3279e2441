use crate::shop::{Shop, at};
use rusqlite::Connection;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use store::{Store, StoreError, restore};

async fn filled() -> Shop {
    let shop = Shop::in_folder();
    let source = shop.add("https://a.example/").await;
    for n in 0..20 {
        shop.visit(source, n, &[&format!("https://a.example/{n}")]).await;
    }
    shop
}

async fn backup_of(shop: &Shop) -> PathBuf {
    let file = shop.data.folder().join("backup");
    shop.store.backup(file.clone(), at(0)).await.unwrap();
    file
}

/// Everything in a database, as text.
fn content(file: &Path) -> String {
    let connection = Connection::open(file).unwrap();
    let mut dump = String::new();
    for table in ["source", "host", "visit", "article", "known_url", "listing", "setting", "outbox"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1, 2")).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            for column in 0..columns {
                write!(dump, "{:?}|", row.get_ref(column).unwrap()).unwrap();
            }
            dump += "\n";
        }
    }
    dump
}

#[tokio::test]
async fn a_backup_under_load_is_one_moment_and_restores_to_it() {
    let shop = filled().await;
    let source = model::SourceId(1);
    let work = shop.lease_of(source, 100).await;
    let (store, lease) = (shop.store.clone(), work.lease.clone());
    let load = tokio::spawn(async move {
        for n in 100..400 {
            let mut record = crate::shop::visit_record_under(&lease, source, n);
            record.articles =
                crate::shop::found(&[&format!("https://a.example/{n}"), &format!("https://a.example/b{n}")]);
            store.record_visit(record, move |_| crate::shop::planned(n)).await.unwrap();
        }
    });
    let file = shop.data.folder().join("backup");
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let manifest = shop.store.backup(file.clone(), at(0)).await.unwrap();
    load.await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    assert_eq!(restore(&file, elsewhere.path(), false).unwrap(), manifest);
    let restored = Connection::open(elsewhere.path().join(Store::FILE)).unwrap();
    let count = |sql: &str| restored.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    // A visit is whole or not there: each of the load brought exactly two articles.
    assert_eq!(count("SELECT count(*) FROM article"), 20 + 2 * (count("SELECT count(*) FROM visit") - 20));
    assert_eq!(count("SELECT count(*) FROM article").unsigned_abs(), manifest.articles);
    assert_eq!(count("SELECT articles FROM source"), count("SELECT count(*) FROM listing"));
    Store::open(elsewhere.path()).unwrap();
}

#[tokio::test]
async fn a_quiet_backup_restores_to_exactly_the_same_content() {
    let shop = filled().await;
    let file = backup_of(&shop).await;
    let elsewhere = tempfile::tempdir().unwrap();
    restore(&file, elsewhere.path(), false).unwrap();
    assert_eq!(content(&elsewhere.path().join(Store::FILE)), content(shop.store.file().unwrap()));
}

#[tokio::test]
async fn data_in_the_way_is_refused_or_put_aside() {
    let shop = filled().await;
    let file = backup_of(&shop).await;
    let before = content(shop.store.file().unwrap());
    let Shop { store, data } = shop;
    let folder = data.folder();
    drop(store);
    assert!(matches!(restore(&file, folder, false), Err(StoreError::Occupied(_))));
    for _ in 0..2 {
        restore(&file, folder, true).unwrap();
    }
    for aside in ["ripplewatch.db.before-restore", "ripplewatch.db.before-restore-2", "ripplewatch.db"] {
        assert_eq!(content(&folder.join(aside)), before, "{aside}");
    }
}

#[tokio::test]
async fn a_log_without_its_file_does_not_meet_the_restored_data() {
    let shop = filled().await;
    let file = backup_of(&shop).await;
    let elsewhere = tempfile::tempdir().unwrap();
    let log = elsewhere.path().join("ripplewatch.db-wal");
    std::fs::write(&log, "what is left of other data").unwrap();
    restore(&file, elsewhere.path(), false).unwrap();
    assert!(!log.exists());
    assert_eq!(content(&elsewhere.path().join(Store::FILE)), content(shop.store.file().unwrap()));
}

#[tokio::test]
async fn every_damaged_backup_is_refused_whole() {
    let shop = filled().await;
    let good = std::fs::read(backup_of(&shop).await).unwrap();
    let line = good.iter().position(|byte| *byte == b'\n').unwrap();
    let mut cases: Vec<(String, Vec<u8>)> = vec![
        ("empty".into(), Vec::new()),
        ("text".into(), b"hello\nworld".to_vec()),
        ("cut short".into(), good[..good.len() / 2].to_vec()),
        ("something behind its end".into(), [good.as_slice(), b"more"].concat()),
        ("only the first line".into(), good[..=line].to_vec()),
        ("a long first line".into(), vec![b'{'; 1 << 20]),
    ];
    for place in (line + 20..good.len()).step_by(good.len() / 12) {
        let mut flipped = good.clone();
        flipped[place] ^= 0x10;
        cases.push((format!("a bit flipped at {place}"), flipped));
    }
    for (name, bytes) in cases {
        refused(&name, &bytes);
    }
}

#[tokio::test]
async fn a_hostile_backup_with_a_right_checksum_is_refused_whole() {
    let shop = filled().await;
    let file = backup_of(&shop).await;
    let attack = |sql: &str| {
        let folder = tempfile::tempdir().unwrap();
        restore(&file, folder.path(), false).unwrap();
        let data = folder.path().join(Store::FILE);
        let connection = Connection::open(&data).unwrap();
        connection.execute_batch(sql).unwrap();
        connection.execute_batch("PRAGMA journal_mode = DELETE").unwrap();
        drop(connection);
        repack(&std::fs::read(&data).unwrap(), |_| {})
    };
    for (name, sql) in [
        ("a trigger", "CREATE TRIGGER t AFTER INSERT ON article BEGIN DELETE FROM article; END"),
        (
            "a view in place of a table",
            "DROP TABLE setting; CREATE VIEW setting AS SELECT 'a' AS name, 'b' AS value",
        ),
        ("a table of its own", "CREATE TABLE extra (x)"),
        ("another application", "PRAGMA application_id = 7"),
        ("another schema", "PRAGMA user_version = 0"),
        (
            "rows that refer to nothing",
            "PRAGMA foreign_keys = OFF; INSERT INTO listing VALUES (999, 999, 1, 1)",
        ),
    ] {
        refused(name, &attack(sql));
    }
}

#[tokio::test]
async fn a_bomb_and_a_liar_are_refused_before_they_fill_the_disk() {
    let zeros = vec![0; 4 << 20];
    refused("a bomb that says it is small", &repack(&zeros, |manifest| manifest["bytes"] = 1000.into()));
    refused("four megabytes of nothing", &repack(&zeros, |_| {}));
    refused("a newer schema", &repack(b"x", |manifest| manifest["schema"] = 999.into()));
    refused("another format", &repack(b"x", |manifest| manifest["format"] = "tar".into()));
}

fn refused(name: &str, archive: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("archive");
    std::fs::write(&file, archive).unwrap();
    let target = folder.path().join("data");
    let error = restore(&file, &target, false).err().unwrap_or_else(|| panic!("{name} was restored"));
    assert!(matches!(error, StoreError::BadBackup(_)), "{name}: {error}");
    let left: Vec<_> = std::fs::read_dir(&target).unwrap().collect();
    assert!(left.is_empty(), "{name} left {left:?}");
}

/// An archive of these bytes with a manifest that fits them, as an attacker would make it.
fn repack(data: &[u8], lie: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(data);
    let sha256 = digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    let mut manifest = serde_json::json!({
        "format": "ripplewatch-backup-1", "schema": store::SCHEMA_VERSION, "created_ms": 0,
        "bytes": data.len(), "sha256": sha256, "sources": 1, "articles": 1,
    });
    lie(&mut manifest);
    let mut archive = serde_json::to_vec(&manifest).unwrap();
    archive.push(b'\n');
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(data).unwrap();
    packed.finish().unwrap().as_slice().read_to_end(&mut archive).unwrap();
    archive
}
