//! What a scripted server answers.

use http_body_util::Full;
use hyper::body::Bytes;
use std::time::Duration;

/// What a scripted server answers.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Headers besides the length.
    pub headers: Vec<(String, String)>,
    /// The body, sent as it is.
    pub body: Vec<u8>,
    /// How long to think before answering.
    pub delay: Duration,
}

impl Answer {
    /// 200 with a page.
    pub fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::typed("text/html; charset=utf-8", body)
    }

    /// 200 with plain text, e.g. a robots.txt.
    pub fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::typed("text/plain; charset=utf-8", body)
    }

    /// 200 with a body of some type.
    pub fn typed(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..Self::status(200) }.header("content-type", content_type)
    }

    /// A status and nothing else.
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new(), delay: Duration::ZERO }
    }

    /// A redirect.
    pub fn redirect(status: u16, to: impl AsRef<str>) -> Self {
        Self::status(status).header("location", to.as_ref())
    }

    /// With another header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// After thinking for a while.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(super) async fn give(self) -> http::Response<Full<Bytes>> {
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        let mut response = http::Response::builder().status(self.status);
        for (name, value) in self.headers {
            response = response.header(name, value);
        }
        response.body(Full::from(self.body)).unwrap()
    }
}
