//! `move`, as a user has it: killed in the middle, given again, and what it says when it cannot.

use crate::program::{Running, program};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;
use store::Store;
use testkit::postgres::shared;

/// A command on a folder of its own, with a database configured or not, whatever the other tests run on.
fn run(data: &Path, database: Option<&str>, words: &[&str]) -> Output {
    let mut command = program(data);
    command.env_remove("RIPPLEWATCH_DATABASE");
    command.envs(database.map(|url| ("RIPPLEWATCH_DATABASE", url)));
    command.args(words).stdin(Stdio::null()).output().unwrap()
}

fn ok(data: &Path, database: Option<&str>, words: &[&str]) -> String {
    let output = run(data, database, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn fails(data: &Path, database: Option<&str>, words: &[&str], code: i32) -> String {
    let output = run(data, database, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    assert!(said.starts_with("error: ") && output.stdout.is_empty(), "{words:?}: {said}");
    said
}

/// A source and so many articles with texts.
fn fill(data: &Path, articles: u32) {
    ok(data, None, &["sources", "add", "https://news.example/"]);
    let file = rusqlite::Connection::open(data.join(Store::FILE)).unwrap();
    file.execute_batch(&format!(
        "BEGIN;
         WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {articles})
         INSERT INTO article (id, url, host_id, title, first_seen_at, visit_id, source_id, body)
             SELECT n, 'https://news.example/' || n, 1, 'Number ' || n, n, 1, 1, 'read' FROM n;
         INSERT INTO known_url SELECT url, id FROM article;
         INSERT INTO listing SELECT id, 1, 1, first_seen_at FROM article;
         INSERT INTO article_text
             SELECT id, 'the harbour master counts ships by night ' || hex(randomblob(200)), '[]' FROM article;
         INSERT INTO article_words (rowid, title, text)
             SELECT a.id, a.title, t.text FROM article a JOIN article_text t ON t.article_id = a.id;
         COMMIT"
    ))
    .unwrap();
}

#[test]
fn killed_again_and_again_it_ends_with_all_there_and_comes_back_whole() {
    let (data, back) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(data.path(), 12_000);
    let url = shared().url_of(&shared().new_database(None));
    let there = ["move", "--from", "sqlite", "--to", "postgres"];
    let mut refused = 0;
    for kill in 0..8_u64 {
        let mut command = program(data.path());
        command.env("RIPPLEWATCH_DATABASE", &url).args(there);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // It says how far it is once the first batch is stored.
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        std::thread::sleep(Duration::from_millis(kill * 67 % 300));
        child.kill().unwrap();
        child.wait().unwrap();
        let look = run(data.path(), Some(&url), &["sources", "list"]);
        if look.status.success() {
            // It was quicker.
            break;
        }
        let said = String::from_utf8(look.stderr).unwrap();
        assert!(said.contains("holds only a part") && said.contains("`ripplewatch move`"), "{said}");
        refused += 1;
    }
    assert!(refused > 0, "no kill came in the middle");
    let last = run(data.path(), Some(&url), &there);
    if last.status.success() {
        let said = String::from_utf8(last.stdout).unwrap();
        assert!(said.contains("counts and checksums are the same on both sides"), "{said}");
    }
    let target = back.path().join("new");
    let target = target.to_str().unwrap();
    let said: Value =
        serde_json::from_str(&ok(data.path(), None, &["move", "--from", &url, "--to", target, "--json"]))
            .unwrap();
    assert_eq!(
        said["tables"].as_array().unwrap().iter().find(|table| table["table"] == "article").unwrap()["rows"],
        12_000
    );
    let search = ["articles", "search", "harbour", "Number 777", "--json"];
    let words = ["articles", "list", "--limit", "100000", "--json"];
    for words in [&search[..], &words] {
        let before = ok(data.path(), None, words);
        assert_eq!(before, ok(data.path(), Some(&url), words));
        assert_eq!(before, ok(Path::new(target), None, words));
    }
}

#[test]
fn what_cannot_be_moved_is_said_with_the_way_out() {
    let (data, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (folder, empty) = (data.path().to_str().unwrap(), other.path().to_str().unwrap());
    fill(data.path(), 10);
    let url = shared().url_of(&shared().new_database(None));
    let refused = |from: &str, to: &str, code: i32| {
        fails(data.path(), None, &["move", "--from", from, "--to", to], code)
    };
    assert!(refused("sqlite", folder, 2).contains("both the source and the target"));
    assert!(refused(empty, &url, 3).contains("no data"));
    assert!(refused(&url, empty, 3).contains("no data"));
    assert!(refused("sqlite", "postgres", 2).contains("RIPPLEWATCH_DATABASE"));
    let wrong = refused("sqlite", "mysql://me:sesame@localhost/x", 2);
    assert!(wrong.contains("postgres://user:password@host") && !wrong.contains("sesame"), "{wrong}");
    assert!(refused(&format!("{folder}/{}", Store::FILE), &url, 2).contains("name the folder"));
    ok(data.path(), None, &["move", "--from", "sqlite", "--to", &url]);
    assert!(refused("sqlite", &url, 2).contains("already holds data (host, source, article"));
    assert!(refused(&url, "sqlite", 2).contains("already holds data"));
}

#[test]
fn a_folder_in_use_is_left_alone() {
    if crate::program::on_postgres() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let url = shared().url_of(&shared().new_database(None));
    fill(data.path(), 10);
    let running = Running::start(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let words = ["move", "--from", "sqlite", "--to", &url];
    assert!(fails(data.path(), None, &words, 1).contains("Stop it first"));
    assert!(running.stop().1);
    ok(data.path(), None, &words);
}
