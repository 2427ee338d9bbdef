//! Files stored on a server.

use serde::Deserialize;

use crate::area::Area;
use crate::error::ClientError;
use crate::wire::{list_if_any, text, yes_or_no};

/// A stored upload.
#[derive(Debug, Clone, Deserialize)]
pub struct StoredUpload {
    /// Its identifier, accepted by the import.
    #[serde(rename = "itemID", alias = "itemId", deserialize_with = "text")]
    pub id: String,
    /// The file's name.
    #[serde(default, rename = "itemName", deserialize_with = "text")]
    pub name: String,
    /// Free text.
    #[serde(default, deserialize_with = "text")]
    pub description: String,
    /// When it came: a text on some servers, milliseconds since 1970 on others.
    #[serde(default, deserialize_with = "text")]
    pub date: String,
    /// Whether all of it is there, where the server says so.
    #[serde(default, deserialize_with = "yes_or_no")]
    pub committed: Option<bool>,
}

impl StoredUpload {
    /// Whether it is complete. Servers that do not say so list complete files only.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        self.committed != Some(false)
    }
}

/// The complete uploads of a server.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn uploads(server: &Area) -> Result<Vec<StoredUpload>, ClientError> {
    #[derive(Deserialize)]
    struct Uploads {
        #[serde(default, deserialize_with = "list_if_any")]
        items: Option<Vec<StoredUpload>>,
    }
    let expected = "the stored uploads";
    let uploads: Uploads = server.get(&["admin", "uploads"], &[], expected).await?;
    // Without a list nothing can be said to be gone.
    let mut items = uploads
        .items
        .ok_or_else(|| ClientError::unreadable(expected, "the answer holds no list of uploads"))?;
    items.retain(StoredUpload::is_committed);
    Ok(items)
}
