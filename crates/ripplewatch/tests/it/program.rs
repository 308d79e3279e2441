//! Runs the program and talks to it.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use store::Store;
use testkit::postgres::{shared, wanted};

/// The program on a data folder, untouched by the machine's own configuration.
pub(crate) fn program(data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripplewatch"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("RIPPLEWATCH_DATA", data).env("RIPPLEWATCH_LOG", "warn");
    if on_postgres() {
        command.env("RIPPLEWATCH_DATABASE", database_of(data));
    }
    command
}

/// Whether the tests run on PostgreSQL: `RIPPLEWATCH_TEST_DATABASE=postgres`. Those that are about files then leave early.
pub(crate) fn on_postgres() -> bool {
    wanted()
}

/// The data of a folder, opened beside the program.
pub(crate) fn store(data: &Path) -> Store {
    if on_postgres() { Store::connect(&database_of(data)).unwrap() } else { Store::open(data).unwrap() }
}

/// Every folder has a database of its own.
fn database_of(data: &Path) -> String {
    static KNOWN: Mutex<BTreeMap<PathBuf, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let name = known.entry(data.to_owned()).or_insert_with(|| shared().new_database(None));
    shared().url_of(name)
}

pub(crate) fn run(data: &Path, words: &[&str]) -> Output {
    program(data).args(words).stdin(Stdio::null()).output().unwrap()
}

/// Runs a command that must succeed; its standard output.
pub(crate) fn ok(data: &Path, words: &[&str]) -> String {
    let output = run(data, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(data: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&ok(data, &[words, &["--json"]].concat())).unwrap()
}

/// Runs a command that must fail with this exit code; its message.
pub(crate) fn fails(data: &Path, words: &[&str], code: i32) -> String {
    let output = run(data, words);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{words:?}: {said}");
    assert!(said.starts_with("error: "), "{words:?}: {said}");
    assert!(output.stdout.is_empty(), "{words:?} printed data");
    said
}

/// `serve` or `demo`, running.
pub(crate) struct Running {
    child: Child,
    pub(crate) host: String,
    /// What it printed after its address.
    pub(crate) printed: BufReader<std::process::ChildStdout>,
}

impl Running {
    pub(crate) fn start(data: &Path, words: &[&str]) -> Self {
        let mut child =
            program(data).args(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        printed.read_line(&mut line).unwrap();
        let host = line.trim().trim_end_matches('/').rsplit("http://").next().unwrap().to_owned();
        assert!(line.contains("http://"), "it said “{line}”");
        Self { child, host, printed }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.request("GET", path, &[], "")
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(crate) fn request(&self, method: &str, path: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}",
            self.host
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), unchunked(head, body))
    }

    /// kill -9.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM; how long it took, and whether it ended well.
    pub(crate) fn stop(mut self) -> (Duration, bool) {
        let began = Instant::now();
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        let status = self.child.wait().unwrap();
        (began.elapsed(), status.success())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(head: &str, body: &str) -> String {
    if !head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut rest, mut text) = (body, String::new());
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        text += &after[..size];
        rest = after[size..].trim_start_matches("\r\n");
    }
    text
}

/// Waits until something holds, for as long as a busy machine may need.
pub(crate) fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_mins(1), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}
