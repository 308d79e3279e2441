//! API tokens and logins. Both are 256 random bits shown once and kept as a hash.

use crate::database::{OptionalExtension, params};
use crate::rows::{maybe_time, ms, time};
use crate::{Store, StoreError};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

/// A secret to be shown once.
pub struct Secret(String);

/// An API token as people see it afterwards.
#[derive(Debug, Clone, serde::Serialize)]
pub struct TokenInfo {
    /// Its id.
    pub id: i64,
    /// What it is for.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
}

impl Secret {
    /// 256 fresh random bits, with a prefix that lets secret scanners recognise them.
    pub fn new(prefix: &str) -> Result<Self, StoreError> {
        let mut bits = [0_u8; 32];
        getrandom::fill(&mut bits).map_err(|error| StoreError::Io {
            what: "asking the system for random bits".into(),
            source: std::io::Error::other(error.to_string()),
        })?;
        let mut text = prefix.to_owned();
        for byte in bits {
            let _ = write!(text, "{byte:02x}");
        }
        Ok(Self(text))
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

impl Store {
    /// Makes an API token and returns it; it cannot be shown again.
    pub async fn add_token(&self, name: String, now: Timestamp) -> Result<Secret, StoreError> {
        let secret = Secret::new("rw_")?;
        let hash = hash(secret.reveal());
        self.write(move |connection| {
            let added = connection.execute(
                "INSERT INTO token (name, hash, created_at) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO NOTHING",
                params![name, hash, ms(now)],
            )?;
            if added == 0 { Err(StoreError::NameTaken { what: "token", name: name.clone() }) } else { Ok(()) }
        })
        .await?;
        Ok(secret)
    }

    /// All tokens.
    pub async fn tokens(&self) -> Result<Vec<TokenInfo>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT * FROM token ORDER BY name")?;
            let rows = statement.query_map([], |row| {
                Ok(TokenInfo {
                    id: row.get("id")?,
                    name: row.get("name")?,
                    created_at: time(row, "created_at")?,
                    last_used_at: maybe_time(row, "last_used_at")?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Takes a token back.
    pub async fn remove_token(&self, name: String) -> Result<(), StoreError> {
        self.write(move |connection| {
            match connection.execute("DELETE FROM token WHERE name = ?1", [&name])? {
                0 => Err(StoreError::not_found(format!("token called “{name}”"))),
                _ => Ok(()),
            }
        })
        .await
    }

    /// Whether this is a valid API token. Looking a hash up reveals nothing about other hashes, so no
    /// constant-time comparison is needed on top.
    pub async fn check_token(&self, secret: &str, now: Timestamp) -> Result<bool, StoreError> {
        let hash = hash(secret);
        let used_long_ago = self
            .read({
                let hash = hash.clone();
                move |connection| {
                    Ok(connection
                        .prepare_cached("SELECT coalesce(last_used_at, 0) < ?2 FROM token WHERE hash = ?1")?
                        .query_row(params![hash, ms(now) - 60_000], |row| row.get::<_, bool>(0))
                        .optional()?)
                }
            })
            .await?;
        // Once a minute is enough to know that a token is in use.
        if used_long_ago == Some(true) {
            self.write_beside(move |connection| {
                connection
                    .execute("UPDATE token SET last_used_at = ?2 WHERE hash = ?1", params![hash, ms(now)])?;
                Ok(())
            })
            .await?;
        }
        Ok(used_long_ago.is_some())
    }

    /// Begins a login and returns its cookie.
    pub async fn begin_login(&self, now: Timestamp, expires_at: Timestamp) -> Result<Secret, StoreError> {
        let secret = Secret::new("")?;
        let hash = hash(secret.reveal());
        self.write_beside(move |connection| {
            connection.execute("DELETE FROM login WHERE expires_at < ?1", [ms(now)])?;
            connection.execute(
                "INSERT INTO login (hash, created_at, expires_at) VALUES (?1, ?2, ?3)",
                params![hash, ms(now), ms(expires_at)],
            )?;
            Ok(())
        })
        .await?;
        Ok(secret)
    }

    /// Whether this cookie is a login that still holds.
    pub async fn check_login(&self, secret: &str, now: Timestamp) -> Result<bool, StoreError> {
        let hash = hash(secret);
        self.read(move |connection| {
            Ok(connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM login WHERE hash = ?1 AND expires_at > ?2)")?
                .query_row(params![hash, ms(now)], |row| row.get(0))?)
        })
        .await
    }

    /// Ends a login; without a cookie, all of them.
    pub async fn end_login(&self, secret: Option<&str>) -> Result<(), StoreError> {
        let hash = secret.map(hash);
        self.write(move |connection| {
            connection.execute("DELETE FROM login WHERE hash = ?1 OR ?1 IS NULL", [&hash])?;
            Ok(())
        })
        .await
    }
}
