//! Specification 5: data store items.

use serde::Deserialize;
use serde_json::Value;

use crate::area::{Area, Patience};
use crate::error::ClientError;

/// The filters; an empty one is not given.
#[derive(Debug, Default)]
pub struct FindItems {
    /// Items directly below this path.
    pub parent_path: String,
    /// Items anywhere below this path.
    pub ancestor_path: String,
    /// Item types, separated by commas.
    pub types: String,
    /// Identifier of one item.
    pub id: String,
    /// Whether the data store is managed by the system.
    pub is_managed: Option<bool>,
}

impl FindItems {
    /// Sends it. Items are handed on as they came: servers differ in nearly every field.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, server: &Area) -> Result<Vec<Value>, ClientError> {
        #[derive(Deserialize)]
        struct Items {
            // Not as a list of values: each of a hundred thousand would be read a second time.
            items: Value,
        }
        let mut form = vec![
            ("parentPath", self.parent_path.as_str()),
            ("ancestorPath", &self.ancestor_path),
            ("types", &self.types),
            ("id", &self.id),
        ];
        if let Some(managed) = self.is_managed {
            let managed = if managed { "true" } else { "false" };
            // The specification's name, and the one that other servers know it by.
            form.extend([("isManaged", managed), ("managed", managed)]);
        }
        let path = ["admin", "data", "findItems"];
        let found: Items = server.post(&path, &form, Patience::Minute, "a list of data items").await?;
        Ok(match found.items {
            Value::Array(items) => items,
            Value::Null => Vec::new(),
            one => vec![one],
        })
    }
}
