//! Who may do what: the doors every request passes.

pub(crate) mod cookies;
pub(crate) mod csrf;
pub(crate) mod guard;
pub(crate) mod host;
pub(crate) mod limit;
pub(crate) mod origin;
pub(crate) mod password;
pub(crate) mod session;

/// Random bits as text, for values that must not be guessed.
pub(crate) fn random_hex<const BYTES: usize>() -> std::io::Result<String> {
    let mut bits = [0_u8; BYTES];
    getrandom::fill(&mut bits).map_err(|error| std::io::Error::other(error.to_string()))?;
    Ok(hex(&bits))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
