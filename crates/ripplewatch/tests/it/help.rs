//! `--help` is part of the interface: drift is a red test. `UPDATE=1` rewrites the snapshot.

use crate::program::ok;
use std::fmt::Write as _;

#[test]
fn help_is_as_written_down() {
    let data = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for words in [
        &["--help"][..],
        &["demo", "--help"],
        &["serve", "--help"],
        &["sources", "--help"],
        &["sources", "add", "--help"],
        &["watches", "--help"],
        &["watches", "add", "--help"],
        &["articles", "--help"],
        &["folders", "--help"],
        &["rules", "--help"],
        &["rules", "add", "--help"],
        &["events", "--help"],
        &["events", "list", "--help"],
        &["classify", "--help"],
        &["detect", "--help"],
        &["calendar", "--help"],
        &["calendar", "add", "--help"],
        &["calendar", "import", "--help"],
        &["notify", "--help"],
        &["notify", "add", "mail", "--help"],
        &["restore", "--help"],
        &["move", "--help"],
        &["laboratory", "expert", "--help"],
        &["replay", "--help"],
    ] {
        let _ = writeln!(text, "$ ripplewatch {}\n{}", words.join(" "), ok(data.path(), words));
    }
    // The default of an option that the environment sets shows the environment of this test.
    let text = text.replace(data.path().to_str().unwrap(), "DATA");
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/help.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file, &text).unwrap();
    }
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    assert!(text == expected, "--help has changed; look at it, then run with UPDATE=1:\n{text}");
}
