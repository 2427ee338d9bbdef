//! Server uploads: files stored by a server.

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list_if_any, text, used, yes_or_no};

/// File stored by a server.
#[derive(Debug, Clone, Deserialize)]
pub struct StoredUpload {
    /// ID, accepted by an import as its location. Empty if it is too long.
    #[serde(rename = "itemID", alias = "itemId", deserialize_with = "used")]
    pub id: String,
    /// File name.
    #[serde(default, rename = "itemName", deserialize_with = "text")]
    pub name: String,
    /// Description, as given at the upload.
    #[serde(default, deserialize_with = "text")]
    pub description: String,
    /// Date of the upload: text on some servers, milliseconds since 1970 on others.
    #[serde(default, deserialize_with = "text")]
    pub date: String,
    /// Whether the upload is complete. `None` if the server does not return it.
    #[serde(default, deserialize_with = "yes_or_no")]
    pub committed: Option<bool>,
}

impl StoredUpload {
    /// Returns whether the upload is complete. Servers without this field list complete uploads only.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        self.committed != Some(false)
    }
}

/// Returns whether the list of a server shows that it does not have an upload, complete or not.
///
/// A list counts only if it can be read to the last entry, and if it tells incomplete uploads from complete ones: some
/// servers list complete uploads only.
pub(crate) async fn lacks_upload(server: &Endpoint, id: &str) -> Result<bool, ClientError> {
    #[derive(Deserialize)]
    struct Uploads {
        items: Vec<StoredUpload>,
    }
    let uploads: Uploads = server.get_list(&["admin", "uploads"], &[], "the stored uploads").await?;
    let is_another = |upload: &StoredUpload| !upload.id.is_empty() && upload.id != id;
    Ok(uploads.items.iter().all(|upload| upload.committed.is_some() && is_another(upload)))
}

/// Returns the complete uploads of a server.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no list of uploads.
/// - A connection or session error of [`ClientError`].
pub async fn uploads(server: &Endpoint) -> Result<Vec<StoredUpload>, ClientError> {
    #[derive(Deserialize)]
    struct Uploads {
        #[serde(default, deserialize_with = "list_if_any")]
        items: Option<Vec<StoredUpload>>,
    }
    let expected = "the stored uploads";
    let uploads: Uploads = server.get_list(&["admin", "uploads"], &[], expected).await?;
    // An error, not an empty list: without a list, no upload can be reported as deleted.
    let mut items = uploads
        .items
        .ok_or_else(|| ClientError::unreadable(expected, "the response contains no list of uploads"))?;
    items.retain(StoredUpload::is_committed);
    Ok(items)
}
