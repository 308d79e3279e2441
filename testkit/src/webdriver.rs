//! A small WebDriver client: Chromium without a window, driven by `chromedriver` over plain HTTP on loopback.
#![expect(clippy::expect_used, reason = "a browser that does not do as told is a failed test")]

use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use url::Url;

const DRIVER: &str = "/usr/bin/chromedriver";
/// Chromium starts in about a second; a busy machine needs more.
const START_WITHIN: Duration = Duration::from_secs(30);
/// How WebDriver names an element in JSON.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// What the browser looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Screen {
    /// A window of this size.
    Desktop(u32, u32),
    /// A telephone of this size: the only way below 500 pixels.
    Phone(u32, u32),
}

/// A running browser. Dropping it ends the driver, the browser and its profile.
pub struct Browser {
    port: u16,
    session: String,
    driver: Child,
    profile: TempDir,
}

/// An element of the page.
#[derive(Debug, Clone)]
pub struct Element(String);

/// A key that has no letter.
pub mod keys {
    /// Return.
    pub const ENTER: &str = "\u{E007}";
    /// Escape.
    pub const ESCAPE: &str = "\u{E00C}";
    /// Tabulator.
    pub const TAB: &str = "\u{E004}";
}

impl Browser {
    /// Starts a browser with a fresh profile.
    pub async fn start(screen: Screen) -> Self {
        Self::start_with(screen, &[]).await
    }

    /// The same with further command-line arguments for Chromium.
    pub async fn start_with(screen: Screen, arguments: &[&str]) -> Self {
        let port = free_port().await;
        let profile = tempfile::tempdir().unwrap();
        // A process group of its own, so that the browser's many processes end with it.
        let mut command = Command::new(DRIVER);
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let driver = command
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed");
        let mut browser = Self { port, session: String::new(), driver, profile };
        browser.wait_for_driver().await;
        let options = browser.options(screen, arguments);
        let capabilities = json!({ "capabilities": { "alwaysMatch": { "goog:chromeOptions": options } } });
        let session =
            browser.ask(Method::POST, "/session", Some(capabilities)).await.expect("a session begins");
        session["sessionId"].as_str().expect("a session has an id").clone_into(&mut browser.session);
        browser
    }

    fn options(&self, screen: Screen, arguments: &[&str]) -> Value {
        let mut all = vec![
            "--headless=new".to_owned(),
            "--no-sandbox".into(),
            "--disable-gpu".into(),
            "--disable-dev-shm-usage".into(),
            "--disable-background-networking".into(),
            "--disable-component-update".into(),
            "--disable-sync".into(),
            "--no-first-run".into(),
            "--hide-scrollbars".into(),
            format!("--user-data-dir={}", self.profile.path().display()),
        ];
        all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
        match screen {
            Screen::Desktop(width, height) => {
                all.push(format!("--window-size={width},{height}"));
                json!({ "args": all })
            }
            Screen::Phone(width, height) => json!({
                "args": all,
                "mobileEmulation": { "deviceMetrics": { "width": width, "height": height, "pixelRatio": 2.0 } },
            }),
        }
    }

    async fn wait_for_driver(&self) {
        let until = Instant::now() + START_WITHIN;
        while self.ask(Method::GET, "/status", None).await.is_err() {
            assert!(Instant::now() < until, "chromedriver did not start in time");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Opens a page and waits until it is loaded.
    pub async fn go(&self, url: &Url) {
        self.post("/url", json!({ "url": url })).await;
    }

    /// The address of the page.
    pub async fn address(&self) -> Url {
        let address = self.get("/url").await;
        address.as_str().and_then(|address| Url::parse(address).ok()).expect("a page has an address")
    }

    /// The first element that matches a CSS selector, waiting up to ten seconds for it.
    pub async fn find(&self, selector: &str) -> Element {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            if let Some(element) = self.find_now(selector).await {
                return element;
            }
            assert!(Instant::now() < until, "no element matches {selector}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The first element that matches a CSS selector, if there is one now.
    pub async fn find_now(&self, selector: &str) -> Option<Element> {
        let body = json!({ "using": "css selector", "value": selector });
        let found = self.ask(Method::POST, &self.path("/element"), Some(body)).await.ok()?;
        found[ELEMENT].as_str().map(|id| Element(id.to_owned()))
    }

    /// Clicks the element that matches.
    pub async fn click(&self, selector: &str) {
        let element = self.find(selector).await;
        self.post(&format!("/element/{}/click", element.0), json!({})).await;
    }

    /// Clicks until something has become true: a page that renews itself can swallow a click between press and release,
    /// and people then click again.
    pub async fn click_until(&self, selector: &str, expression: &str, timeout: Duration) {
        let script = format!("return Boolean({expression});");
        let until = Instant::now() + timeout;
        loop {
            self.click(selector).await;
            for _ in 0..40 {
                if self.run(&script).await == Value::Bool(true) {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            assert!(Instant::now() < until, "still not true after {timeout:?} of clicks: {expression}");
        }
    }

    /// Types into the element that matches.
    pub async fn type_into(&self, selector: &str, text: &str) {
        let element = self.find(selector).await;
        self.post(&format!("/element/{}/value", element.0), json!({ "text": text })).await;
    }

    /// The visible text of the element that matches.
    pub async fn text(&self, selector: &str) -> String {
        let element = self.find(selector).await;
        let text = self.get(&format!("/element/{}/text", element.0)).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys one after the other, wherever the focus is.
    pub async fn press(&self, keys: &str) {
        let strokes: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|what| json!({ "type": what, "value": key })))
            .collect();
        self.post("/actions", json!({ "actions": [{ "type": "key", "id": "keys", "actions": strokes }] }))
            .await;
    }

    /// Runs a function body in the page and returns what it returns.
    pub async fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", json!({ "script": script, "args": [] })).await
    }

    /// Waits until an expression in the page is true.
    pub async fn wait_until(&self, expression: &str, timeout: Duration) {
        let script = format!("return Boolean({expression});");
        let until = Instant::now() + timeout;
        while self.run(&script).await != Value::Bool(true) {
            assert!(Instant::now() < until, "still not true after {timeout:?}: {expression}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The page as PNG: the whole of it, not only what fits the screen.
    pub async fn screenshot(&self) -> Vec<u8> {
        let size = self
            .run("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
            .await;
        let clip = json!({ "x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1 });
        let params = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
        let shot = self
            .post("/goog/cdp/execute", json!({ "cmd": "Page.captureScreenshot", "params": params }))
            .await;
        decode_base64(shot["data"].as_str().expect("a screenshot has data"))
    }

    /// Pretends that the user prefers `dark` or `light` colours.
    pub async fn prefer_colours(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        let params = json!({ "features": features });
        self.post("/goog/cdp/execute", json!({ "cmd": "Emulation.setEmulatedMedia", "params": params }))
            .await;
    }

    fn path(&self, path: &str) -> String {
        format!("/session/{}{path}", self.session)
    }

    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(Method::GET, &self.path(path), None).await;
        answer.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.ask(Method::POST, &self.path(path), Some(body)).await;
        answer.unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// One request on a connection of its own; the `value` of the answer, or what went wrong.
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, String> {
        let said = |error: &dyn std::fmt::Display| error.to_string();
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.map_err(|error| said(&error))?;
        let (mut sender, connection) =
            http1::handshake(TokioIo::new(stream)).await.map_err(|error| said(&error))?;
        let connection = tokio::spawn(connection);
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", format!("127.0.0.1:{}", self.port))
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| said(&error))?;
        let answer = sender.send_request(request).await.map_err(|error| said(&error))?;
        let fine = answer.status().is_success();
        let bytes = answer.into_body().collect().await.map_err(|error| said(&error))?.to_bytes();
        connection.abort();
        let mut answer: Value = serde_json::from_slice(&bytes).map_err(|error| said(&error))?;
        let value = answer["value"].take();
        if fine { Ok(value) } else { Err(value["message"].as_str().unwrap_or("no message").to_owned()) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The whole group: chromedriver leaves its browser behind when it is killed alone.
        let group = format!("-{}", self.driver.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).status();
        let _ = self.driver.wait();
    }
}

async fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    listener.local_addr().unwrap().port()
}

/// Base64, standard alphabet, as screenshots come.
fn decode_base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(value).collect();
    let groups = digits.chunks(4).flat_map(|group| {
        let bits = group
            .iter()
            .enumerate()
            .fold(0_u32, |bits, (at, digit)| bits | u32::from(*digit) << (18 - 6 * at));
        bits.to_be_bytes()[1..].iter().copied().take(group.len().saturating_sub(1)).collect::<Vec<u8>>()
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::decode_base64;

    #[test]
    fn base64_with_and_without_padding() {
        assert_eq!(decode_base64("aGVsbG8="), b"hello");
        assert_eq!(decode_base64("aGVsbG8h"), b"hello!");
        assert_eq!(decode_base64("/+8="), [0xff, 0xef]);
    }
}
