//! One request and its answer on one connection, under every cap and time limit.

use crate::answer::Response;
use crate::connection::{Connection, Outgoing, Unanswered};
use crate::failure::Failure;
use crate::redirect::is_redirect;
use crate::settings::Limits;
use http::HeaderMap;
use http::header::CONTENT_LENGTH;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use model::FailureKind;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// An answer whose head is complete.
pub(crate) struct Answer {
    pub(crate) response: Response,
    pub(crate) headers: HeaderMap,
    pub(crate) body: BodyEnd,
}

/// How the body ended.
pub(crate) enum BodyEnd {
    /// It is all there.
    Whole,
    /// It was cut at the cap.
    Capped,
    /// It broke off.
    Broken(Failure),
}

/// Sends a request, reading at most `cap` bytes of the answer's body.
pub(crate) async fn exchange(
    connection: &mut Connection,
    outgoing: &Outgoing<'_>,
    cap: usize,
    limits: &Limits,
) -> Result<Answer, Unanswered> {
    let began = Instant::now();
    let first_byte = limits.first_byte.min(limits.total);
    let (head, body) = timeout_at(began + first_byte, connection.send(outgoing))
        .await
        .unwrap_or_else(|_| Err(Unanswered::Failed(Failure::timeout("no answer", first_byte))))?
        .into_parts();
    if head.headers.len() > limits.headers {
        // HTTP/1 has counted already; HTTP/2 limits only bytes.
        let detail = format!("{} headers, more than {}", head.headers.len(), limits.headers);
        return Err(Unanswered::Failed(Failure::new(FailureKind::Protocol, detail)));
    }
    let mut response = Response::new(&head);
    let cap = if is_redirect(response.status) { cap.min(REDIRECT_BODY) } else { cap };
    let mut end = read(body, &mut response.body, cap, limits, began).await;
    if matches!(end, BodyEnd::Whole) && head.headers.contains_key(CONTENT_LENGTH) && !response.body.is_empty()
    {
        let surplus = timeout_at(began + limits.total, connection.has_surplus()).await;
        if surplus.unwrap_or(false) {
            let detail = "the body is longer than its Content-Length";
            end = BodyEnd::Broken(Failure::new(FailureKind::Protocol, detail));
        }
    }
    Ok(Answer { response, headers: head.headers, body: end })
}

/// What is read of a redirect's body: enough to keep the connection in the usual case. Nobody looks at it.
const REDIRECT_BODY: usize = 64 << 10;

async fn read(
    mut body: Incoming,
    into: &mut Vec<u8>,
    cap: usize,
    limits: &Limits,
    began: Instant,
) -> BodyEnd {
    // What is promised is believed only so far: memory is spent on bytes that came.
    into.reserve(body.size_hint().lower().min(PROMISE) as usize);
    let deadline = began + limits.total;
    let reading_since = Instant::now();
    let mut now = reading_since;
    loop {
        let frame = match timeout_at(deadline.min(now + limits.idle), body.frame()).await {
            Ok(None) => return BodyEnd::Whole,
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => return BodyEnd::Broken(Failure::protocol(&error)),
            Err(_) if Instant::now() >= deadline => {
                return BodyEnd::Broken(Failure::timeout("not the whole body", limits.total));
            }
            Err(_) => return BodyEnd::Broken(Failure::timeout("no further piece of the body", limits.idle)),
        };
        if let Some(data) = frame.data_ref() {
            let room = cap - into.len();
            into.extend_from_slice(&data[..data.len().min(room)]);
            if data.len() > room {
                return BodyEnd::Capped;
            }
        }
        now = Instant::now();
        if is_too_slow(into.len(), now - reading_since, limits) {
            let detail = format!("the body comes at less than {} bytes a second", limits.min_rate);
            return BodyEnd::Broken(Failure::new(FailureKind::Timeout, detail));
        }
        if now >= deadline {
            return BodyEnd::Broken(Failure::timeout("not the whole body", limits.total));
        }
    }
}

/// The most memory set aside on the word of a `Content-Length`.
const PROMISE: u64 = 256 << 10;

fn is_too_slow(received: usize, elapsed: Duration, limits: &Limits) -> bool {
    elapsed > limits.idle && (received as f64) < limits.min_rate as f64 * elapsed.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_may_be_slow_for_a_while_and_then_must_keep_up() {
        let limits = Limits::default();
        let slow = |received, seconds| is_too_slow(received, Duration::from_secs(seconds), &limits);
        assert!(!slow(0, 10));
        assert!(slow(256 * 11 - 1, 11));
        assert!(!slow(256 * 11, 11));
    }
}
