//! What a webhook gets: JSON, a key that names it for ever, and a signature.
//!
//! To verify: take `t` and `v1` from the header `Ripplewatch-Signature: t=…,v1=…`, compute HMAC-SHA-256 with the
//! channel's secret over `t`, a dot and the body as received, compare its hexadecimal form to `v1` in constant time,
//! and refuse a `t` that is more than a few minutes old.

use super::story::{Story, absolute};
use hmac::{Hmac, Mac};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use sha2::Sha256;
use std::fmt::Write as _;
use store::{Dispatch, Message};
use url::Url;

/// The body. Facts of the message are its top-level fields; what we add about it wins over a fact of that name.
pub(super) fn content(dispatch: &Dispatch, base: &Url) -> Vec<u8> {
    let zone = dispatch.channel.settings.time_zone();
    let told = |message: &Message| told(message, base, &zone);
    let value = match dispatch.messages.as_slice() {
        [message] => told(message),
        messages => json!({
            "key": dispatch.key,
            "kind": "digest",
            "at": messages.last().map(|message| message.created_at),
            "subject": super::story::digest_title(messages, base, &zone),
            "messages": messages.iter().map(told).collect::<Vec<_>>(),
            "links": links(None, base),
        }),
    };
    value.to_string().into_bytes()
}

fn told(message: &Message, base: &Url, zone: &TimeZone) -> Value {
    let story = Story::of(message, base, zone);
    let mut fields = match &message.payload {
        Value::Object(facts) => facts.clone(),
        Value::Null => Map::new(),
        other => Map::from_iter([("facts".to_owned(), other.clone())]),
    };
    fields.insert("key".into(), json!(message.key));
    fields.insert("kind".into(), json!(message.kind));
    fields.insert("at".into(), json!(message.created_at));
    fields.insert("subject".into(), json!(story.title));
    fields.insert("links".into(), links(story.link.as_ref(), base));
    Value::Object(fields)
}

fn links(page: Option<&Url>, base: &Url) -> Value {
    json!({ "page": page, "notifications": absolute("/notifications", base) })
}

pub(super) fn headers(key: &str, secret: &str, content: &[u8]) -> Vec<(String, String)> {
    // The receiver compares with its own clock, which is not the demo's.
    let at = Timestamp::now().as_second();
    vec![
        ("idempotency-key".into(), header_text(key)),
        ("ripplewatch-signature".into(), format!("t={at},v1={}", signature(secret, at, content))),
    ]
}

/// The signature of a body sent at `at` (Unix time in seconds), in hexadecimal digits.
pub fn signature(secret: &str, at: i64, content: &[u8]) -> String {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
        return String::new();
    };
    mac.update(format!("{at}.").as_bytes());
    mac.update(content);
    mac.finalize().into_bytes().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Keys are ours and plain; whatever else were in one would not get into a header.
fn header_text(key: &str) -> String {
    key.chars().filter(char::is_ascii_graphic).take(255).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by another implementation: `printf '1800000000.{}' | openssl dgst -sha256 -hmac secret`.
    #[test]
    fn the_signature_is_what_others_compute() {
        assert_eq!(
            signature("secret", 1_800_000_000, b"{}"),
            "bb7079132825ac793cea8c013c1dd24d926b9b02132245b10588d9e5c0df70d7"
        );
    }
}
