//! Settings that are changed while running, kept with the data.

use crate::database::{OptionalExtension, params};
use crate::rows::to_json;
use crate::{Store, StoreError};
use serde::Serialize;
use serde::de::DeserializeOwned;

impl Store {
    /// A setting, if it was ever set.
    pub async fn setting<T: DeserializeOwned>(&self, name: &'static str) -> Result<Option<T>, StoreError> {
        let text: Option<String> = self
            .read(move |connection| {
                Ok(connection
                    .prepare_cached("SELECT value FROM setting WHERE name = ?1")?
                    .query_row([name], |row| row.get(0))
                    .optional()?)
            })
            .await?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Sets a setting; `None` forgets it.
    pub async fn set_setting<T: Serialize>(
        &self,
        name: &'static str,
        value: Option<&T>,
    ) -> Result<(), StoreError> {
        let text = value.map(to_json).transpose()?;
        self.write(move |connection| {
            connection.tell_everybody();
            match &text {
                Some(text) => connection.execute(
                    "INSERT INTO setting (name, value) VALUES (?1, ?2)
                     ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    params![name, text],
                )?,
                None => connection.execute("DELETE FROM setting WHERE name = ?1", [name])?,
            };
            Ok(())
        })
        .await
    }
}
