//! A small HTTP client and a scanner for links: independent of the code under test.

use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::io::Read;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// The body as text, whatever its charset.
    pub(crate) fn text(&self) -> String {
        let body = if self.header("content-encoding") == Some("gzip") {
            gunzip(&self.body)
        } else {
            self.body.clone()
        };
        String::from_utf8(body)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(windows_1252).collect())
    }
}

pub(crate) async fn get(address: SocketAddr, path: &str) -> Reply {
    ask("GET", address, path, &[]).await
}

pub(crate) async fn ask(method: &str, address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let own =
        [("host", address.to_string()), ("user-agent", "tester/1".into()), ("connection", "close".into())];
    let own = own.iter().map(|(name, value)| (*name, value.as_str()));
    let lines: String = own
        .chain(headers.iter().copied())
        .map(|(name, value)| [name, ": ", value, "\r\n"].concat())
        .collect();
    let request = format!("{method} {path} HTTP/1.1\r\n{lines}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").expect("headers end");
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(k, v)| (k.to_lowercase(), v.to_owned()))
        .collect();
    Reply { status, headers, body: bytes[end + 4..].to_vec() }
}

pub(crate) fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

/// Address and text of every `a` element.
pub(crate) fn links(html: &str) -> Vec<(String, String)> {
    html.split("<a ")
        .skip(1)
        .filter_map(|rest| {
            let href = rest.split_once("href=\"")?.1.split_once('"')?.0;
            let inner = rest.split_once('>')?.1.split_once("</a>")?.0;
            Some((unescape(href), unescape(&without_tags(inner))))
        })
        .collect()
}

/// The texts between each `open` and the next `close`.
pub(crate) fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| Some(rest.split_once(close)?.0)).collect()
}

/// An article's address as a canonicaliser leaves it: path, without tracking and fragment.
pub(crate) fn canonical(href: &str, address: SocketAddr) -> Option<String> {
    let base = format!("http://{address}");
    let path = href.strip_prefix(&base).unwrap_or(href);
    if !path.starts_with('/') {
        return None;
    }
    let path = path.split_once('#').map_or(path, |(path, _)| path);
    Some(path.split_once("?utm_").map_or(path, |(path, _)| path).to_owned())
}

pub(crate) fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#8217;", "’")
        .replace("&amp;", "&")
}

fn without_tags(html: &str) -> String {
    let mut inside = false;
    let keep = |letter: &char| {
        match letter {
            '<' => inside = true,
            '>' => inside = false,
            _ => return !inside,
        }
        false
    };
    html.chars().filter(keep).collect::<String>().trim().to_owned()
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x92 => '’',
        0x93 => '“',
        0x94 => '”',
        byte => char::from(byte),
    }
}
