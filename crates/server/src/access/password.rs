//! The one password: Argon2id, off the async threads.

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use store::{Store, StoreError};

/// Shorter passwords are refused.
pub const SHORTEST_PASSWORD: usize = 10;
/// Nobody types more; hashing it would only cost.
const LONGEST_PASSWORD: usize = 1000;
/// Where the hash is kept in the store.
const SETTING: &str = "password";

/// Why a password was not set.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// Too short.
    #[error(
        "the password is too short: take at least {SHORTEST_PASSWORD} characters, for example three words"
    )]
    TooShort,
    /// Too long.
    #[error("the password is too long: take at most {LONGEST_PASSWORD} characters")]
    TooLong,
    /// Hashing failed: no memory or no random bits.
    #[error("the password could not be hashed: {0}")]
    Hash(String),
    /// The store refused it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The Argon2id hash of a password as a PHC string. Takes some 50 ms of another thread.
pub async fn hash_password(password: &str) -> Result<String, PasswordError> {
    match password.chars().count() {
        0..SHORTEST_PASSWORD => return Err(PasswordError::TooShort),
        SHORTEST_PASSWORD..=LONGEST_PASSWORD => {}
        _ => return Err(PasswordError::TooLong),
    }
    let password = password.to_owned();
    let hash = move || {
        let mut salt = [0_u8; 16];
        getrandom::fill(&mut salt).map_err(|error| error.to_string())?;
        let salt = SaltString::encode_b64(&salt).map_err(|error| error.to_string())?;
        let hash = Argon2::default().hash_password(password.as_bytes(), &salt);
        hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
    };
    let hashed = tokio::task::spawn_blocking(hash).await.map_err(|error| error.to_string());
    hashed.and_then(|hash| hash).map_err(PasswordError::Hash)
}

/// Sets the password and ends every login.
pub async fn set_password(store: &Store, password: &str) -> Result<(), PasswordError> {
    let hash = hash_password(password).await?;
    store.set_setting(SETTING, Some(&hash)).await?;
    store.end_login(None).await?;
    Ok(())
}

/// The hash that is kept, if a password was ever set.
pub(crate) async fn kept(store: &Store) -> Result<Option<String>, StoreError> {
    store.setting(SETTING).await
}

/// Whether this is the password behind the hash.
pub(crate) async fn matches(hash: String, password: &str) -> bool {
    if password.len() > LONGEST_PASSWORD * 4 {
        return false;
    }
    let password = password.to_owned();
    let verify = move || {
        PasswordHash::new(&hash)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    };
    tokio::task::spawn_blocking(verify).await.unwrap_or(false)
}
