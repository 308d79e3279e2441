//! Folders, rules and filing, as a person and a script use them.

use crate::program::{Running, fails, json, ok, program, until};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use testkit::site::{Answer, Site};

const STORIES: [(&str, &str, &str); 4] = [
    (
        "final",
        "The cup final was won late",
        "The goal came in the last minute and the players ran to the crowd.",
    ),
    (
        "tea",
        "A cup of tea for everyone",
        "The museum of china shows how people drank tea in earlier centuries.",
    ),
    (
        "vote",
        "The cup and the parliament vote",
        "Members of parliament argued about the stadium before the election.",
    ),
    (
        "rain",
        "Rain is expected over the weekend",
        "Clouds come in from the west and it rains until Monday morning.",
    ),
];

async fn news() -> Site {
    Site::start(|asked| {
        let story = STORIES.iter().find(|(name, ..)| asked.path == format!("/2026/03/{name}-of-the-day"));
        let page = match story {
            Some((_, title, text)) => format!(
                "<html lang=en><title>{title}</title><body><article><h1>{title}</h1><p>{text} {text}</p><p>{text}</p></article></body></html>"
            ),
            None if asked.path == "/" => {
                let item = |(name, title, _): &(&str, &str, &str)| {
                    format!("<article><h2><a href=\"/2026/03/{name}-of-the-day\">{title}</a></h2></article>")
                };
                let items: String = STORIES.iter().map(item).collect();
                format!("<html lang=en><title>News</title><body><main>{items}</main></body></html>")
            }
            None => return Answer::status(404),
        };
        Answer::html(page)
    })
    .await
}

/// A data folder with the stories read.
async fn with_stories() -> (tempfile::TempDir, Site) {
    let (data, site) = (tempfile::tempdir().unwrap(), news().await);
    let config = data.path().join("config.toml");
    std::fs::write(&config, "[politeness]\ndelay = \"5ms\"\nallow = [\"127.0.0.0/8\"]\n").unwrap();
    let with = ["--config", config.to_str().unwrap()];
    ok(data.path(), &[&["sources", "add", site.url("/").as_str()][..], &with].concat());
    let running = Running::start(
        data.path(),
        &[&["serve", "--listen", "127.0.0.1:0", "--interval", "1h"][..], &with].concat(),
    );
    let is_read = |article: &Value| {
        json(data.path(), &["articles", "show", &article["id"].to_string()])["text"].is_string()
    };
    until("the stories are read", || {
        let articles = json(data.path(), &["articles", "list"]);
        let articles = articles.as_array().unwrap();
        articles.len() == STORIES.len() && articles.iter().all(is_read)
    });
    assert!(running.stop().1);
    (data, site)
}

fn article(data: &Path, name: &str) -> String {
    let articles = json(data, &["articles", "list"]);
    let is_it = |article: &&Value| article["url"].as_str().unwrap().contains(&format!("/{name}-of"));
    articles.as_array().unwrap().iter().find(is_it).unwrap()["id"].to_string()
}

fn titles(data: &Path, words: &[&str]) -> Vec<String> {
    let articles = json(data, &[&["articles", "list"][..], words].concat());
    let mut titles: Vec<_> = articles
        .as_array()
        .unwrap()
        .iter()
        .map(|article| article["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

fn with_input(data: &Path, words: &[&str], input: &[u8]) -> Output {
    let mut command = program(data);
    let mut child = command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_teaches_is_warned_and_takes_back() {
    let (data, _site) = with_stories().await;
    let data = data.path();
    let (cup, tea, vote) = (article(data, "final"), article(data, "tea"), article(data, "vote"));
    let lesson = ["rules", "add", "--folder", "Sports/Soccer", "--article", &cup, "--has", "title:cup"];
    let tried = json(data, &[&lesson[..], &["--dry-run"]].concat());
    assert_eq!((tried["archive"]["changed"].as_u64(), tried["refused"].as_bool()), (Some(3), Some(false)));
    assert!(json(data, &["rules", "list"]).as_array().unwrap().is_empty(), "trying stores nothing");

    let said = ok(data, &[&lesson[..], &["--note", "a test"]].concat());
    assert!(said.contains("3 stored articles change: 3 gain Sports/Soccer"), "{said}");
    assert!(said.contains("new folder: Sports/Soccer"), "{said}");
    assert_eq!(titles(data, &["--folder", "Sports"]).len(), 3, "filed anew at once, and rolled up");
    assert_eq!(titles(data, &["--unfiled"]), ["Rain is expected over the weekend"]);

    ok(data, &["rules", "add", "--stop", "--article", &tea, "--has", "body:tea"]);
    assert_eq!(titles(data, &["--folder", "Sports/Soccer"]).len(), 2);

    let wrong = ["rules", "add", "--folder", "World", "--instead-of", "Sports/Soccer", "--article", &vote];
    let said = fails(data, &[&wrong[..], &["--has", "title:the"]].concat(), 5);
    assert!(said.contains("cornerstone 1: The cup final was won late"), "{said}");
    assert!(said.contains("tell them apart") && said.contains("excludes 1 of 1"), "{said}");
    assert!(said.contains("Nothing was stored") && said.contains("hint: "), "{said}");
    assert_eq!(json(data, &["rules", "stats"])["rules"], 2);
    ok(data, &[&wrong[..], &["--has", "body:stem:election"]].concat());
    assert_eq!(titles(data, &["--folder", "World"]), ["The cup and the parliament vote"]);

    let shown = ok(data, &["articles", "show", &vote]);
    assert!(shown.contains("World") && shown.contains("rule 3: body has any form of “election”"), "{shown}");
    let shown = json(data, &["articles", "show", &vote]);
    assert_eq!((&shown["folders"], &shown["filed_by"][0]["rule"]), (&json!(["World"]), &json!(3)));
    assert!(ok(data, &["rules", "check"]).contains("all 3 cornerstones"));
    let shown = json(data, &["rules", "show", "3"]);
    assert_eq!((shown["path"][0]["id"].as_u64(), shown["usage"]["concluded"].as_u64()), (Some(1), Some(1)));
    assert_eq!(shown["cornerstone"]["expected"], json!(["World"]));
    let listed = ok(data, &["rules", "list"]);
    assert!(listed.contains("if title has “cup” → Sports/Soccer"), "{listed}");
    let listed = json(data, &["rules", "list", "--word", "TEA"]);
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|rule| rule["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [1, 2], "with the rule above it");

    let filed = json(data, &["classify", &vote]);
    assert_eq!((&filed["folders"], &filed["rules"]), (&json!(["World"]), &json!([3])));
    assert_eq!(filed["why"][0]["path"][1]["if"][0]["matched"], json!(["election"]));

    let said = fails(data, &["rules", "retire", "1"], 5);
    assert!(said.contains("cornerstone 1"), "{said}");
    ok(data, &["rules", "retire", "1", "--accept-all"]);
    assert!(titles(data, &["--folder", "Sports"]).is_empty());
    assert!(fails(data, &["rules", "retire", "1"], 2).contains("retired already"));
    ok(data, &["rules", "undo"]);
    ok(data, &["rules", "undo"]);
    assert_eq!(titles(data, &["--folder", "Sports"]).len(), 2);
    assert!(ok(data, &["rules", "check"]).contains("all 2 cornerstones"));

    // The lesson had made the folder, and took it along when it was undone.
    assert!(fails(data, &["folders", "merge", "Sports/Soccer", "World"], 3).contains("no folder “World”"));
    ok(data, &["folders", "create", "World"]);
    ok(data, &["folders", "merge", "Sports/Soccer", "World"]);
    assert_eq!(titles(data, &["--folder", "World"]).len(), 2);
    assert!(fails(data, &["folders", "delete", "World"], 2).contains("merge it into another"));
    let refiling = json(data, &["rules", "refile"]);
    assert_eq!((refiling["left"].as_u64(), refiling["by_running_monitor"].as_bool()), (Some(0), Some(false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_monitor_files_anew_and_a_page_is_classified_from_the_web() {
    let (data, site) = with_stories().await;
    let data = data.path();
    let running = Running::start(data, &["serve", "--listen", "127.0.0.1:0", "--interval", "1h"]);
    ok(data, &["rules", "add", "--folder", "Weather", "--has", "body:stem:rain"]);
    until("the monitor has filed anew", || titles(data, &["--folder", "Weather"]).len() == 1);
    assert_eq!(json(data, &["rules", "refile"])["by_running_monitor"], true);
    drop(running);
    let page = site.url("/2026/03/rain-of-the-day");
    let filed = json(data, &["classify", "--allow", "127.0.0.0/8", "--url", page.as_str()]);
    assert_eq!(filed["folders"], json!(["Weather"]));
    assert!(fails(data, &["classify", "--url", page.as_str()], 1).contains("--allow"));
}

#[test]
fn folders_are_made_renamed_moved_merged_and_deleted() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    ok(data, &["folders", "create", "Sports/Soccer"]);
    ok(data, &["folders", "create", "World"]);
    ok(data, &["folders", "rename", "Sports/Soccer", "Football"]);
    assert_eq!(ok(data, &["folders", "move", "Sports", "--into", "World"]), "World/Sports\n");
    assert_eq!(ok(data, &["folders", "move", "World/Sports/Football", "--top"]), "Football\n");
    let said = fails(data, &["folders", "move", "World", "--into", "World/Sports"], 2);
    assert!(said.contains("inside it"), "{said}");
    ok(data, &["folders", "delete", "World/Sports"]);
    ok(data, &["folders", "delete", "Football", "--into", "World"]);
    let folders = json(data, &["folders", "list"]);
    assert_eq!(folders["folders"].as_array().unwrap().len(), 1);
    assert_eq!(folders["folders"][0]["path"], "World");
    assert!(ok(data, &["folders", "list"]).contains("(unfiled)"));
    for (words, code, named) in [
        (&["folders", "create", "a//b"][..], 2, "empty"),
        (&["folders", "rename", "World", "x/y"], 2, "slash"),
        (&["folders", "delete", "Nowhere"], 3, "Nowhere"),
        (&["folders", "merge", "World", "World"], 2, "itself"),
        (&["articles", "list", "--folder", "Nowhere"], 3, "Nowhere"),
    ] {
        let said = fails(data, words, code);
        assert!(said.contains(named), "{words:?}: {said}");
    }
}

#[test]
fn rules_that_make_no_sense_are_refused_and_nothing_is_stored() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    ok(data, &["rules", "add", "--folder", "C1", "--has", "title:a"]);
    let before = ok(data, &["rules", "export"]);
    let long = format!("title:{}", "x".repeat(100_000));
    for (words, code, named) in [
        (&["--folder", "X"][..], 2, "at least one word"),
        (&["--folder", "X", "--has", "title:b", "--lacks", "title:B"], 2, "could never fire"),
        (&["--folder", "X", "--under", "1", "--lacks", "title:a"], 2, "rule 1 above it"),
        (&["--folder", "X", "--under", "99", "--has", "title:b"], 3, "rule 99"),
        (&["--folder", "X", "--has", "title:🎉"], 2, "holds no word"),
        (&["--folder", "X", "--has", &long], 2, "too long"),
        (&["--folder", "X", "--has", "titel:b"], 2, "names no field"),
        (&["--folder", "X", "--has", "b"], 2, "FIELD:WORD"),
        (&["--folder", "X", "--has", "title:prefix:b"], 2, "too short"),
        (&["--folder", "C1", "--has", "folder:C1"], 2, "circle"),
        (&["--folder", "a//b", "--has", "title:b"], 2, "folder"),
        (&["--stop", "--has", "title:b"], 2, "--under"),
        (&["--folder", "X", "--article", "7", "--has", "title:b"], 3, "article 7"),
        (&["--folder", "X", "--has", "title:b", "--accept", "9"], 3, "cornerstone 9"),
    ] {
        let said = fails(data, &[&["rules", "add"][..], words].concat(), code);
        assert!(said.contains(named), "{words:?}: {said}");
        assert!(said.len() < 1000, "{} bytes said", said.len());
    }
    assert_eq!(ok(data, &["rules", "export"]), before);
    ok(data, &["rules", "add", "--folder", "رياضة", "--has", "title:كأس", "--has", "body:phrase:كرة القدم"]);
    let filed = with_input(data, &["classify", "-", "--json"], "كأس 🎉\0\nعن كرة القدم".as_bytes());
    let filed: Value = serde_json::from_slice(&filed.stdout).unwrap();
    assert_eq!(filed["folders"], json!(["رياضة"]));
    for words in [&["rules", "show", "77"][..], &["rules", "retire", "77"], &["classify", "77"]] {
        assert!(fails(data, words, 3).contains("77"), "{words:?}");
    }
    ok(data, &["rules", "undo"]);
    ok(data, &["rules", "undo"]);
    assert!(fails(data, &["rules", "undo"], 3).contains("lesson"));
}
