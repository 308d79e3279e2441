//! Rules as files, and filing without any data.

use crate::program::{fails, json, ok, program};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Output, Stdio};

const R1: &str = r#"{"id":1,"if":[{"field":"title","has":"a"}],"folder":"C1"}"#;
const R2: &str = r#"{"id":2,"parent":1,"if":[{"field":"title","has":"c"}],"folder":"C2"}"#;
const R3: &str = r#"{"id":3,"parent":1,"if":[{"field":"title","has":"d"}],"folder":null}"#;
const R4: &str = r#"{"id":4,"if":[{"field":"body","has":"f"}],"folder":"C2"}"#;
const R5: &str = r#"{"id":5,"parent":4,"if":[{"field":"body","has":"q"}],"folder":"C5"}"#;
const ALL: [&str; 5] = [R1, R2, R3, R4, R5];

/// Without a home, a data folder or anything else.
fn classify(folder: &Path, rules: &[&str], articles: &[u8]) -> Output {
    let (rules_file, articles_file) = (folder.join("rules.jsonl"), folder.join("articles.jsonl"));
    std::fs::write(&rules_file, rules.join("\n")).unwrap();
    std::fs::write(&articles_file, articles).unwrap();
    let mut command = program(&folder.join("no-data"));
    command
        .env_clear()
        .args(["classify", "--json", "--rules"])
        .arg(rules_file)
        .arg("--articles")
        .arg(articles_file);
    let output = command.stdin(Stdio::null()).output().unwrap();
    assert!(!folder.join("no-data").exists());
    output
}

fn folders(rules: &[&str], article: &Value) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let output = classify(folder.path(), rules, article.to_string().as_bytes());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let line: Value = serde_json::from_slice(&output.stdout).unwrap();
    line["folders"].clone()
}

#[test]
fn the_vectors_hold() {
    let m1 = json!({ "title": "a b d k", "body": "f s q r" });
    let r8 = r#"{"id":6,"if":[{"field":"title","has":"k"}],"folder":"C1"}"#;
    let r9 = r#"{"id":7,"parent":3,"if":[{"field":"title","has":"b"}],"folder":"C1"}"#;
    let r10 = r#"{"id":6,"parent":1,"if":[{"field":"body","lacks":"f"}],"folder":"C9"}"#;
    let with = |rule: &'static str| [&ALL[..], &[rule]].concat();
    for (name, rules, article, expected) in [
        ("M1", ALL.to_vec(), m1.clone(), json!(["C5"])),
        ("M3", ALL.to_vec(), json!({ "title": "a k", "body": "f s" }), json!(["C1", "C2"])),
        ("M4", vec![R1, R4], json!({ "title": "a c" }), json!(["C1"])),
        ("M4 with R2", vec![R1, R2, R4], json!({ "title": "a c" }), json!(["C2"])),
        ("M5", vec![R1, R4], json!({ "title": "a d" }), json!(["C1"])),
        ("M5 with R3", vec![R1, R3, R4], json!({ "title": "a d" }), json!([])),
        ("M6", ALL.to_vec(), json!({ "title": "a c d" }), json!(["C2"])),
        ("M7", ALL.to_vec(), json!({ "title": "f q", "body": "a d" }), json!([])),
        ("M8", with(r8), m1, json!(["C1", "C5"])),
        ("M9", with(r9), json!({ "title": "a b d" }), json!(["C1"])),
        ("M10", with(r10), json!({ "title": "a", "body": "f" }), json!(["C1", "C2"])),
        ("M10 empty", with(r10), json!({ "title": "a", "body": "" }), json!(["C9"])),
        ("M10 missing", with(r10), json!({ "title": "a", "body": null }), json!(["C1"])),
        ("M11", ALL.to_vec(), json!({}), json!([])),
    ] {
        assert_eq!(folders(&rules, &article), expected, "{name}");
    }
}

#[test]
fn articles_stream_until_a_bad_line_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let articles = "\u{feff}{\"url\":\"m1\",\"title\":\"a b d k\",\"body\":\"f s q r\"}\r\n\r\n{\"title\":\"a\",\"body\":\"f\"}\nnonsense\n{}";
    let output = classify(folder.path(), &ALL, articles.as_bytes());
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"url\":\"m1\",\"folders\":[\"C5\"],\"rules\":[5]}\n{\"url\":null,\"folders\":[\"C1\",\"C2\"],\"rules\":[1,4]}\n"
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said.starts_with("error: ") && said.contains("articles.jsonl: line 4: not a JSON object"),
        "{said}"
    );
    let output = classify(folder.path(), &ALL, b"{\"title\":\"a\"}\n{\"title\":\"\xff\"}\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: this is not UTF-8"));
    let huge = format!("{{\"title\":\"{} a \\u0000 \\ud83c\\udf89\"}}", "x".repeat(1 << 20));
    assert_eq!(folders(&ALL, &serde_json::from_str(&huge).unwrap()), json!(["C1"]));
}

#[test]
fn one_article_comes_as_a_page_a_text_or_on_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("rules.jsonl");
    std::fs::write(&rules, ALL.join("\n")).unwrap();
    let paragraph = "The f is in this paragraph, which is long enough to be the text of a page. ".repeat(5);
    let page =
        format!("<html><title>a</title><body><article><h1>a</h1><p>{paragraph}</p></article></body></html>");
    for (name, content) in [("page.html", page.as_str()), ("text.txt", "a\nsome f here\n")] {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        let words = ["classify", "--rules", rules.to_str().unwrap(), "--file", file.to_str().unwrap()];
        assert_eq!(json(&folder.path().join("no-data"), &words)["folders"], json!(["C1", "C2"]), "{name}");
        let said = ok(&folder.path().join("no-data"), &words);
        assert_eq!(said, "C1\n  rule 1: title has “a”\nC2\n  rule 4: body has “f”\n");
    }
    assert!(!folder.path().join("no-data").exists());
}

#[test]
fn a_bad_file_imports_nothing_and_names_its_lines() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("rules.jsonl");
    let path = file.to_str().unwrap();
    let long =
        format!(r#"{{"id":9,"if":[{{"field":"title","has":"{}"}}],"folder":"X"}}"#, "x".repeat(1 << 20));
    let cyclic = "{\"id\":8,\"if\":[{\"field\":\"folder\",\"has\":\"B\"}],\"folder\":\"A\"}\n{\"id\":9,\"if\":[{\"field\":\"folder\",\"has\":\"A\"}],\"folder\":\"B\"}";
    for (bad, named) in [
        ("{\"id\":9,\"if\":[],\"folder\":\"X\"}", "line 3: rule 9 has no condition"),
        ("{\"id\":9,\"parent\":77,\"if\":[{\"field\":\"title\",\"has\":\"b\"}],\"folder\":\"X\"}", "rule 77"),
        ("{\"id\":1,\"if\":[{\"field\":\"title\",\"has\":\"b\"}],\"folder\":\"X\"}", "line 1 already"),
        ("{\"id\":9,\"if\":[{\"field\":\"title\",\"has\":\"a\\u0000b\"}],\"folder\":\"X\"}", "2 words"),
        ("{\"id\":9,\"if\":[{\"field\":\"title\",\"has\":\"🎉\"}],\"folder\":\"X\"}", "holds no word"),
        (
            "{\"id\":9,\"if\":[{\"field\":\"title\",\"has\":\"b\"}],\"folder\":\"a\\u0000b\"}",
            "control character",
        ),
        (cyclic, "circle"),
        (&long, "too long"),
        ("{broken", "line 3: not a JSON object"),
    ] {
        std::fs::write(&file, [R1, R2, bad, R3].join("\n")).unwrap();
        let said = fails(data.path(), &["rules", "import", path], 2);
        assert!(said.contains(named) && said.contains("Nothing was imported"), "{said}");
        assert!(said.len() < 2000);
    }
    assert_eq!(ok(data.path(), &["rules", "export"]), "");
    assert!(json(data.path(), &["folders", "list"])["folders"].as_array().unwrap().is_empty());
    assert!(fails(data.path(), &["rules", "import", "/no/such/file"], 1).contains("/no/such/file"));
}

#[test]
fn what_is_exported_is_imported_to_the_letter() {
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("rules.jsonl");
    let path = file.to_str().unwrap();
    let cornerstone = r#"{"cornerstone":{"id":1,"expected":["C1"],"title":"a","body":"x"}}"#;
    let unreachable = r#"{"id":8,"parent":1,"if":[{"field":"title","lacks":"a"}],"folder":"C7"}"#;
    std::fs::write(
        &file,
        [&ALL[..], &[unreachable, cornerstone, r#"{"folders":["Empty one"]}"#]].concat().join("\n"),
    )
    .unwrap();
    let tried = json(here.path(), &["rules", "import", path, "--dry-run"]);
    assert_eq!(tried["unreachable"][0]["line"], 6, "reported, not refused");
    assert_eq!(ok(here.path(), &["rules", "export"]), "");
    ok(here.path(), &["rules", "import", path]);
    let exported = ok(here.path(), &["rules", "export"]);
    let text = ok(here.path(), &["rules", "export", "--text"]);
    assert_eq!(json(here.path(), &["rules", "report"])["unreachable"][0]["rule"], 8);
    assert_eq!(json(here.path(), &["rules", "import", path])["known_rules"], 6);
    for form in [&exported, &text] {
        let there = tempfile::tempdir().unwrap();
        let file = there.path().join("file");
        std::fs::write(&file, form).unwrap();
        ok(there.path(), &["rules", "import", file.to_str().unwrap()]);
        assert_eq!(&ok(there.path(), &["rules", "export"]), &exported);
        assert_eq!(&ok(there.path(), &["rules", "export", "--text"]), &text);
    }
    // A rule that would silently change a cornerstone.
    std::fs::write(&file, r#"{"id":20,"if":[{"field":"body","has":"x"}],"folder":"C9"}"#).unwrap();
    let said = fails(here.path(), &["rules", "import", path], 5);
    assert!(said.contains("cornerstone") && said.contains("--accept") && said.contains("Nothing"), "{said}");
    assert_eq!(ok(here.path(), &["rules", "export"]), exported);
    assert_eq!(json(here.path(), &["rules", "import", path, "--accept"])["changed_cornerstones"], 1);
    ok(here.path(), &["rules", "check"]);
}
