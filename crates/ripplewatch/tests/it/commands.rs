//! Commands do what they say, for people and for machines.

use crate::program::{json, ok, program, run};
use std::io::Write;
use std::process::Stdio;

#[test]
fn sources_go_in_and_out_as_opml_and_as_a_list() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    ok(here.path(), &["sources", "add", "https://a.example/?x=1&y=2", "--title", "A & \"B\" <C>"]);
    ok(here.path(), &["sources", "add", "https://b.example/feed"]);
    let opml = ok(here.path(), &["sources", "export"]);
    let mut import =
        program(there.path()).args(["sources", "import", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    import.stdin.take().unwrap().write_all(opml.as_bytes()).unwrap();
    assert!(import.wait().unwrap().success());
    assert_eq!(ok(there.path(), &["sources", "export"]), opml);
    let list = there.path().join("list");
    ok(there.path(), &["sources", "export", "--list", list.to_str().unwrap()]);
    let again = json(there.path(), &["sources", "import", list.to_str().unwrap()]);
    assert_eq!((again["added"].as_array().unwrap().len(), again["known"].as_u64()), (0, Some(2)));
}

#[test]
fn a_source_is_edited_paused_and_removed() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["sources", "add", "news.example", "--interval", "10m"]);
    let shown = json(data.path(), &["sources", "edit", "1", "--title", "News", "--pause"]);
    assert_eq!(
        (shown["source"]["title"].as_str(), shown["source"]["paused"].as_bool()),
        (Some("News"), Some(true))
    );
    assert!(json(data.path(), &["plan"]).as_array().unwrap().is_empty());
    ok(data.path(), &["sources", "edit", "https://news.example/", "--resume", "--interval", "policy"]);
    let plan = json(data.path(), &["plan"]);
    assert_eq!(plan[0]["url"], "https://news.example/");
    assert!(!plan[0]["reason"].as_str().unwrap().is_empty(), "every visit has a reason");
    ok(data.path(), &["sources", "remove", "1"]);
    assert!(json(data.path(), &["sources", "list"]).as_array().unwrap().is_empty());
}

#[test]
fn empty_lists_say_what_to_do_next() {
    let data = tempfile::tempdir().unwrap();
    for words in [&["sources", "list"][..], &["articles", "list"], &["plan"]] {
        let output = run(data.path(), words);
        assert!(output.status.success() && output.stdout.is_empty(), "{words:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("hint: "), "{words:?}");
    }
}

#[test]
fn a_healthy_installation_passes_the_doctor() {
    let data = tempfile::tempdir().unwrap();
    let findings = json(data.path(), &["doctor"]);
    let checks: Vec<_> =
        findings.as_array().unwrap().iter().map(|finding| finding["check"].as_str().unwrap()).collect();
    for check in ["clock", "network", "data", "schema", "integrity", "sources", "monitor"] {
        assert!(checks.contains(&check), "{checks:?}");
    }
}

#[test]
fn tokens_are_shown_once() {
    let data = tempfile::tempdir().unwrap();
    let token = json(data.path(), &["tokens", "add", "ci"])["token"].as_str().unwrap().to_owned();
    assert!(token.starts_with("rw_") && token.len() > 60);
    let listed = ok(data.path(), &["tokens", "list", "--json"]);
    assert!(listed.contains("ci") && !listed.contains(&token));
}

#[test]
fn foreign_text_does_not_steer_the_terminal() {
    let data = tempfile::tempdir().unwrap();
    ok(data.path(), &["sources", "add", "https://a.example/", "--title", "evil \u{1b}[2J title"]);
    assert!(!ok(data.path(), &["sources", "list"]).contains('\u{1b}'));
}

#[test]
fn completions_are_written_for_every_shell() {
    let data = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        assert!(ok(data.path(), &["completions", shell]).contains("ripplewatch"));
    }
}
