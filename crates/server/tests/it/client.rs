//! A small HTTP client: one request a connection, and a browser-like one with cookies and forms.

use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use tokio::net::TcpStream;
use url::form_urlencoded::Serializer;

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// One request; the body is not read.
pub(crate) async fn open(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> http::Response<Incoming> {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let mut request = Request::builder().method(Method::from_bytes(method.as_bytes()).unwrap()).uri(path);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", address.to_string());
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    sender.send_request(request.body(Full::new(Bytes::from(body.to_owned()))).unwrap()).await.unwrap()
}

/// One request and its whole answer.
pub(crate) async fn ask(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let response = open(address, method, path, headers, body).await;
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
}

/// Someone with a browser: keeps cookies, sends forms with their hidden token.
pub(crate) struct Person {
    address: SocketAddr,
    cookies: BTreeMap<String, String>,
}

impl Person {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, cookies: BTreeMap::new() }
    }

    pub(crate) fn cookie(&self) -> String {
        self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        let cookie = self.cookie();
        let answer = ask(self.address, "GET", path, &[("cookie", &cookie)], "").await;
        self.keep_cookies(&answer);
        answer
    }

    /// Sends a form found on `page`: its token comes along.
    pub(crate) async fn send(&mut self, page: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token(page).await;
        let mut all = vec![("form_token", token.as_str())];
        all.extend(fields);
        self.send_raw(action, &all).await
    }

    pub(crate) async fn send_raw(&mut self, action: &str, fields: &[(&str, &str)]) -> Answer {
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        let cookie = self.cookie();
        let kind = "application/x-www-form-urlencoded";
        let answer =
            ask(self.address, "POST", action, &[("cookie", &cookie), ("content-type", kind)], &body).await;
        self.keep_cookies(&answer);
        answer
    }

    pub(crate) async fn token(&mut self, page: &str) -> String {
        let page = self.get(page).await;
        let (_, after) = page.text.split_once("name=\"form_token\" value=\"").expect("the page has a form");
        after.split('"').next().unwrap().to_owned()
    }

    fn keep_cookies(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), rest.split(';').next().unwrap().to_owned());
        }
    }
}
