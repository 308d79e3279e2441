//! What a user types into "watch this".

use thiserror::Error;
use url::{ParseError, Url};

/// Longer addresses are refused: no browser keeps them, and they bloat every table.
const LONGEST: usize = 2048;

/// Why an address cannot be watched, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Nothing was typed.
    #[error("the address is empty: type one such as https://news.example/world")]
    Empty,
    /// Too long.
    #[error(
        "the address has {0} characters: shorten it to at most 2048, for example by removing tracking parameters"
    )]
    TooLong(usize),
    /// Contains a control character.
    #[error("the address contains a line break or another control character: paste one address only")]
    ControlCharacter,
    /// Contains a backslash.
    #[error("the address contains a backslash: write / instead")]
    Backslash,
    /// Not http or https.
    #[error("{0}: addresses cannot be watched: use one that begins with https:// or http://")]
    Scheme(String),
    /// A user name or password.
    #[error("the address contains a user name or password: remove everything before the @")]
    Credentials,
    /// No host.
    #[error("the address has no host name: write it as https://news.example/world")]
    NoHost,
    /// Not an address.
    #[error("this is not a web address ({0}): write it as https://news.example/world")]
    NotAnAddress(ParseError),
}

/// Reads an address as typed; `https://` is added when there is no scheme.
pub fn parse_address(text: &str) -> Result<Url, AddressError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(AddressError::Empty);
    }
    let length = text.chars().count();
    if length > LONGEST {
        return Err(AddressError::TooLong(length));
    }
    if text.chars().any(char::is_control) {
        return Err(AddressError::ControlCharacter);
    }
    if text.contains('\\') {
        return Err(AddressError::Backslash);
    }
    let typed = match scheme_of(text).as_deref() {
        Some("http" | "https") => after_scheme(text)?,
        Some(other) => return Err(AddressError::Scheme(other.to_owned())),
        None => format!("https://{}", text.trim_start_matches('/')),
    };
    let url = Url::parse(&typed).map_err(|error| match error {
        ParseError::EmptyHost => AddressError::NoHost,
        error => AddressError::NotAnAddress(error),
    })?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::Credentials);
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(AddressError::NoHost);
    }
    Ok(url)
}

/// `http:news.example` and `https:///x` are mended by browsers into something nobody typed; refuse them.
fn after_scheme(text: &str) -> Result<String, AddressError> {
    match text.split_once("://") {
        Some((_, rest)) if !rest.starts_with(['/', '?', '#']) && !rest.is_empty() => Ok(text.to_owned()),
        _ => Err(AddressError::NoHost),
    }
}

/// The scheme, lower case, unless what stands before the colon is a host with a port.
fn scheme_of(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        || !scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    {
        return None;
    }
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(scheme.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_added() {
        let parsed = |text| parse_address(text).unwrap().to_string();
        assert_eq!(parsed(" news.example/world "), "https://news.example/world");
        assert_eq!(parsed("news.example:8080/x"), "https://news.example:8080/x");
        assert_eq!(parsed("//news.example"), "https://news.example/");
        assert_eq!(parsed("HTTP://News.Example"), "http://news.example/");
        assert_eq!(parsed("[::1]:80/feed"), "https://[::1]:80/feed");
    }

    #[test]
    fn refusals_say_what_to_do() {
        let refused = |text: &str| parse_address(text).unwrap_err();
        assert_eq!(refused(""), AddressError::Empty);
        assert_eq!(refused("javascript:alert(1)"), AddressError::Scheme("javascript".into()));
        assert_eq!(refused("file:///etc/passwd"), AddressError::Scheme("file".into()));
        assert_eq!(refused("https://user:pw@news.example/"), AddressError::Credentials);
        assert_eq!(refused("user@news.example"), AddressError::Credentials);
        assert_eq!(refused("https:\\\\news.example"), AddressError::Backslash);
        assert_eq!(refused("https://a.example/\nhttps://b.example/"), AddressError::ControlCharacter);
        assert_eq!(refused("https:///x"), AddressError::NoHost);
        assert_eq!(refused("http:"), AddressError::NoHost);
        assert_eq!(refused(&"a".repeat(3000)), AddressError::TooLong(3000));
        assert!(matches!(refused("two words"), AddressError::NotAnAddress(_)));
    }
}
