//! Bad input gets a message that names the problem and the next step, an exit code, and changes nothing.

use crate::program::{Running, fails, json, ok, on_postgres, run};
use std::net::TcpListener;

#[test]
fn urls_that_cannot_be_watched() {
    let data = tempfile::tempdir().unwrap();
    for (address, named) in [
        ("http://", "http://"),
        ("ftp://files.example/", "ftp"),
        ("javascript:alert(1)", "javascript"),
        ("https://user:secret@news.example/", "password"),
        ("http://exa mple.org/", "exa mple"),
        ("", "address"),
        ("https://news.example\\@evil.example/", "\\"),
    ] {
        let said = fails(data.path(), &["sources", "add", "https://good.example/", address], 2);
        assert!(said.to_lowercase().contains(&named.to_lowercase()), "{address}: {said}");
    }
    assert_eq!(json(data.path(), &["sources", "list"]).as_array().unwrap().len(), 0, "nothing half done");
}

#[test]
fn a_duplicate_is_named_whichever_way_it_is_written() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["sources", "add", "https://news.example/a"]);
    for same in ["https://news.example/a", "HTTPS://NEWS.example:443/a#top", "news.example/a?utm_source=x"] {
        let said = fails(data.path(), &["sources", "add", "https://other.example/", same], 2);
        assert!(said.contains("already watched (source 1)"), "{said}");
    }
    assert_eq!(json(data.path(), &["sources", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_folder_that_cannot_be_written() {
    if on_postgres() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let inside = file.join("data");
    for words in [
        &["sources", "list"][..],
        &["serve", "--listen", "127.0.0.1:0"],
        &["demo", "--listen", "127.0.0.1:0"],
    ] {
        let said = fails(&inside, words, 1);
        assert!(said.contains("cannot use the data folder") && said.contains("--data"), "{words:?}: {said}");
    }
}

#[test]
fn a_database_from_a_newer_version() {
    if on_postgres() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["sources", "list"]);
    let file = data.path().join("ripplewatch.db");
    // SQLite keeps the user version at byte 60 of the file.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&9999_u32.to_be_bytes());
    std::fs::write(&file, &bytes).unwrap();
    let said = fails(data.path(), &["serve", "--listen", "127.0.0.1:0"], 1);
    assert!(said.contains("newer Ripplewatch") && said.contains("9999"), "{said}");
    let doctor = run(data.path(), &["doctor"]);
    assert_eq!(doctor.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&doctor.stdout).contains("newer Ripplewatch"));
}

#[test]
fn a_port_in_use() {
    let data = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for command in ["serve", "demo"] {
        let said = fails(data.path(), &[command, "--listen", &address], 2);
        assert!(said.contains("already in use") && said.contains("--listen"), "{said}");
    }
}

#[test]
fn a_broken_opml_or_list_imports_nothing() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("import");
    let path = file.to_str().unwrap();
    for (text, named) in [
        ("<opml version=\"2.0\"><body><outline xmlUrl=\"https://a.example/\"/><outline", "import"),
        (
            "<opml version=\"2.0\"><body><outline xmlUrl=\"https://a.example/\"/><outline xmlUrl=\"ftp://b.example/\"/></body></opml>",
            "ftp",
        ),
        ("<opml version=\"2.0\"><body><outline xmlUrl=\"https://a.example/\"/>", "cut off"),
        ("https://a.example/\nnot a url at all\n", "line 2"),
        (
            "<!DOCTYPE opml [<!ENTITY x \"y\">]><opml><body><outline xmlUrl=\"https://a.example/\"/></body></opml>",
            "import",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let said = fails(data.path(), &["sources", "import", path], 2);
        assert!(said.contains(named) && said.contains("Nothing was imported"), "{said}");
    }
    let said = fails(data.path(), &["sources", "import", "/no/such/file"], 1);
    assert!(said.contains("/no/such/file"), "{said}");
    assert_eq!(json(data.path(), &["sources", "list"]).as_array().unwrap().len(), 0);
}

#[test]
fn two_monitors_on_one_folder() {
    if on_postgres() {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let running = Running::start(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let said = fails(data.path(), &["serve", "--listen", "127.0.0.1:0"], 1);
    assert!(said.contains("another Ripplewatch is running"), "{said}");
    let said = fails(data.path(), &["restore", "/no/such/file"], 1);
    assert!(said.contains("another Ripplewatch is running"), "{said}");
    assert_eq!(running.get("/healthz").0, 200, "the first is not disturbed");
}

#[test]
fn things_that_are_not_there_and_values_that_make_no_sense() {
    let data = tempfile::tempdir().unwrap();
    for words in [
        &["sources", "show", "7"][..],
        &["articles", "show", "7"],
        &["visit", "7"],
        &["sources", "remove", "7"],
        &["tokens", "remove", "x"],
    ] {
        let said = fails(data.path(), words, 3);
        assert!(said.contains("there is no"), "{words:?}: {said}");
    }
    let said = fails(data.path(), &["sources", "add", "https://a.example/", "--selector", "a[["], 2);
    assert!(said.contains("selector"), "{said}");
    for words in [
        &["sources", "add", "https://a.example/", "--interval", "soon"][..],
        &["serve", "--interval", "0s"],
        &["serve", "--allow", "here"],
        &["demo", "--speed", "0"],
    ] {
        let output = run(data.path(), words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
    let said = fails(data.path(), &["articles", "search", "!!!"], 2);
    assert!(said.contains("type a word"), "{said}");
}

#[test]
fn a_configuration_with_a_typo() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("config.toml");
    std::fs::write(&file, "[politeness]\ndealy = \"5s\"\n").unwrap();
    let said = fails(data.path(), &["sources", "list", "--config", file.to_str().unwrap()], 2);
    assert!(said.contains("config.toml") && said.contains("did you mean `delay`?"), "{said}");
    let said = fails(data.path(), &["sources", "list", "--config", "/no/such.toml"], 1);
    assert!(said.contains("/no/such.toml"), "{said}");
}

#[test]
fn a_private_address_is_refused_by_the_gate_and_says_how_to_allow_it() {
    let data = tempfile::tempdir().unwrap();
    let said = fails(data.path(), &["sources", "preview", "http://127.0.0.1:9/"], 1);
    assert!(said.contains("refused by the gate") && said.contains("--allow"), "{said}");
    for address in
        ["http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[::1]/", "http://0x7f.1/"]
    {
        let said = fails(data.path(), &["sources", "add", "https://good.example/", address], 2);
        assert!(said.contains("--allow"), "{said}");
    }
    let list = data.path().join("list");
    std::fs::write(&list, "https://good.example/\nhttp://127.0.0.1/\n").unwrap();
    assert!(fails(data.path(), &["sources", "import", list.to_str().unwrap()], 2).contains("--allow"));
    assert!(json(data.path(), &["sources", "list"]).as_array().unwrap().is_empty(), "nothing half done");
    // Allowed when it was added, not any more: the gate has the last word.
    ok(data.path(), &["sources", "add", "--allow", "127.0.0.1", "http://127.0.0.1:9/"]);
    let said = fails(data.path(), &["visit", "1"], 2);
    assert!(said.contains("refused by the gate"), "{said}");
}
