//! `notify`: channels on the command line, with and without a running monitor.

use crate::program::{Running, fails, json, ok, program};
use serde_json::json;
use std::io::Write as _;
use std::process::Stdio;
use testkit::post_office::{Manner, PostOffice};
use testkit::site::{Answer, Site};

const LOCAL: [&str; 2] = ["--allow", "127.0.0.0/8"];

#[tokio::test(flavor = "multi_thread")]
async fn channels_are_added_tested_and_removed_with_and_without_a_running_monitor() {
    let hook = Site::start(|asked| Answer::status(if asked.path == "/bad" { 500 } else { 200 })).await;
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    assert_eq!(json(data, &["notify", "list"]), json!([]));
    let (good, bad) = (hook.url("/good").to_string(), hook.url("/bad").to_string());
    let refused = fails(data, &["notify", "add", "webhook", &good], 2);
    assert!(refused.contains("127.0.0.1 is this machine itself") && refused.contains("--allow"), "{refused}");
    let add = |words: &[&str]| json(data, &[&["notify", "add", "webhook"], words, &LOCAL].concat());
    let made =
        add(&[&good, "--name", "desk", "--wants", "source_late,event_opened", "--quiet", "22:00-07:00"]);
    assert!(made["secret"].as_str().unwrap().starts_with("rwh_"), "{made}");
    let listed = json(data, &["notify", "list"]);
    assert_eq!(
        (&listed[0]["name"], &listed[0]["quiet"], listed[0].get("secret")),
        (&json!("desk"), &json!("22:00-07:00"), None)
    );

    let test = |words: &[&str]| json(data, &[&["notify", "test"], words, &LOCAL].concat());
    assert_eq!(test(&["desk"])[0]["delivered"], true);
    assert_eq!(hook.log().len(), 1);
    let running = Running::start(data, &["serve", "--listen", "127.0.0.1:0", "--allow", "127.0.0.0/8"]);
    assert_eq!(test(&[])[0]["delivered"], true);
    assert_eq!(hook.log().len(), 2, "the running monitor sent it");
    add(&[&bad, "--name", "bad"]);
    let output = program(data).args(["notify", "test", "--json"]).args(LOCAL).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&rows[0]["delivered"], &rows[1]["error"]), (&json!(true), &json!("HTTP 500")));
    drop(running);

    let deliveries = json(data, &["notify", "deliveries", "--state", "given_up"]);
    assert_eq!((deliveries.as_array().unwrap().len(), &deliveries[0]["channel"]), (1, &json!("bad")));
    ok(data, &["notify", "retry", &deliveries[0]["id"].to_string()]);
    assert!(fails(data, &["notify", "test", "nobody"], 3).contains("nobody"));
    ok(data, &["notify", "remove", "bad", "1"]);
    assert!(fails(data, &["notify", "test"], 1).contains("notify add"));
    assert!(fails(data, &["notify", "remove", "1"], 3).contains("channel 1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_is_set_up_with_a_password_nobody_sees_and_trouble_is_named() {
    let office =
        PostOffice::start(Manner { login: Some(("anna", "s3cret", "PLAIN")), ..Manner::default() }).await;
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let port = office.address().port().to_string();
    let words = [
        "notify",
        "add",
        "mail",
        "desk@b.example",
        "--from",
        "watch@a.example",
        "--host",
        "127.0.0.1",
        "--port",
        &port,
        "--encryption",
        "none",
        "--user",
        "anna",
        "--allow",
        "127.0.0.0/8",
    ];
    let mut child = program(data)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"s3cret\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!ok(data, &["notify", "list", "--json"]).contains("s3cret"));
    ok(data, &["notify", "test", "--allow", "127.0.0.0/8"]);
    assert_eq!(office.received()[0].user.as_deref(), Some("anna"));
    let refused = program(data).args(["notify", "test"]).output().unwrap();
    let said = String::from_utf8(refused.stdout).unwrap();
    assert!(refused.status.code() == Some(1) && said.contains("the gate refused it: 127.0.0.1"), "{said}");
    drop(office);
    let unreachable = program(data).args(["notify", "test", "--allow", "127.0.0.0/8"]).output().unwrap();
    let said = String::from_utf8(unreachable.stdout).unwrap();
    assert!(unreachable.status.code() == Some(1) && said.contains("no connection: 127.0.0.1:"), "{said}");
    assert!(
        fails(data, &["notify", "add", "mail", "x", "--from", "a@b.example", "--host", "mail.example"], 2)
            .contains("e-mail address")
    );
}
