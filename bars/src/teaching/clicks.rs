//! Clicks as the page's script sends them.

use anyhow::Context;
use knowledge::Field;
use std::io::{Read, Write};
use std::net::TcpStream;
use url::form_urlencoded::Serializer;

/// Folders of the base are numbered; any does.
const FOLDER: &str = "Folder 17";

/// A literal.
#[derive(Clone)]
pub(crate) struct Pick {
    field: String,
    polarity: String,
    word: String,
}

impl Pick {
    pub(crate) fn has(field: Field, word: &str) -> Self {
        Self { field: field.word().into(), polarity: "has".into(), word: word.to_owned() }
    }

    /// The first difference word that an answer offers.
    pub(crate) fn suggested(answer: &str) -> Option<Self> {
        let (_, chip) = answer.split_once("data-pick")?;
        let value =
            |name: &str| Some(chip.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.to_owned());
        Some(Self { field: value("data-field")?, polarity: value("data-polarity")?, word: value("data-w")? })
    }
}

/// A teaching page that is open in a browser.
pub(crate) struct Page<'a> {
    host: &'a str,
    article: i64,
    cookie: String,
    token: String,
}

impl<'a> Page<'a> {
    pub(crate) fn open(host: &'a str, article: i64) -> anyhow::Result<Self> {
        let answer = ask(host, &format!("GET /articles/{article}/teach HTTP/1.1\r\n"), "")?;
        let between = |start: &str, end: char| {
            answer.split_once(start).and_then(|(_, rest)| rest.split(end).next()).map(str::to_owned)
        };
        let cookie = between("set-cookie: ", ';').context("no cookie")?;
        let token = between("name=\"form_token\" value=\"", '"').context("no form token")?;
        Ok(Self { host, article, cookie, token })
    }

    /// The answer to a click after which these literals are picked.
    pub(crate) fn click(&self, picks: &[&Pick]) -> anyhow::Result<String> {
        let mut form = Serializer::new(String::new());
        form.append_pair("form_token", &self.token).append_pair("wrong", "add").append_pair("to", FOLDER);
        for pick in picks {
            form.append_pair("field", &pick.field).append_pair("polarity", &pick.polarity);
            form.append_pair("word", &pick.word).append_pair("mode", "exact");
        }
        let body = form.finish();
        let head = format!(
            "POST /articles/{}/teach/preview HTTP/1.1\r\nCookie: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
            self.article,
            self.cookie,
            body.len()
        );
        let answer = ask(self.host, &head, &body)?;
        anyhow::ensure!(answer.contains("id=\"live\""), "no answer to a click: {answer}");
        Ok(answer)
    }
}

fn ask(host: &str, head: &str, body: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    write!(stream, "{head}Host: {host}\r\nConnection: close\r\n\r\n{body}")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    anyhow::ensure!(answer.starts_with("HTTP/1.1 200"), "{}", answer.lines().next().unwrap_or_default());
    Ok(answer)
}
