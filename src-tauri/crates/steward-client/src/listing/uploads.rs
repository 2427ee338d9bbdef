//! Server uploads: files stored by a server.

use serde::Deserialize;

use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{OrDefault, list_if_any, name, text, yes_or_no};

/// File stored by a server.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "UploadWire")]
pub struct StoredUpload {
    /// ID, accepted by an import as its location. Empty in a list if it is missing or too long.
    pub id: String,
    /// File name.
    pub name: String,
    /// Description, as given at the upload. `None` if the server does not return it.
    pub description: Option<String>,
    /// Date of the upload: text on some servers, milliseconds since 1970 on others.
    pub date: String,
    /// Whether the upload is complete. `None` if the server does not return it.
    pub committed: Option<bool>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct UploadWire {
    /// `None` if it is missing or too long.
    #[serde(rename = "itemID", alias = "itemId", deserialize_with = "name")]
    id: Option<String>,
    #[serde(rename = "itemName", deserialize_with = "text")]
    name: String,
    description: Option<Description>,
    #[serde(deserialize_with = "text")]
    date: String,
    #[serde(deserialize_with = "yes_or_no")]
    committed: Option<bool>,
}

#[derive(Deserialize)]
struct Description(#[serde(deserialize_with = "text")] String);

impl TryFrom<UploadWire> for StoredUpload {
    type Error = &'static str;

    fn try_from(wire: UploadWire) -> Result<Self, Self::Error> {
        if wire.id.is_none() { Err("an upload without an ID") } else { Ok(Self::listed(wire)) }
    }
}

impl StoredUpload {
    fn listed(wire: UploadWire) -> Self {
        let UploadWire { id, name, description, date, committed } = wire;
        let description = description.map(|description| description.0);
        Self { id: id.unwrap_or_default(), name, description, date, committed }
    }

    /// Returns whether the upload is complete. Servers without this field list complete uploads only.
    #[must_use]
    pub fn is_committed(&self) -> bool {
        self.committed != Some(false)
    }
}

/// Returns whether the list of a server shows that it does not have an upload, complete or not.
///
/// A list counts only if it can be read to the last entry, and if it tells incomplete uploads from complete ones: some
/// servers list complete uploads only. An empty list does not tell them apart.
pub(crate) async fn lacks_upload(server: &Endpoint, id: &str) -> Result<bool, ClientError> {
    let uploads = all_uploads(server).await?;
    let is_another = |upload: &StoredUpload| !upload.id.is_empty() && upload.id != id;
    Ok(!uploads.is_empty() && uploads.iter().all(|upload| upload.committed.is_some() && is_another(upload)))
}

/// Returns the complete uploads of a server. An entry that cannot be read is one without an ID.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no list of uploads.
/// - A connection or session error of [`ClientError`].
pub async fn uploads(server: &Endpoint) -> Result<Vec<StoredUpload>, ClientError> {
    let uploads = all_uploads(server).await?;
    Ok(uploads.into_iter().filter(StoredUpload::is_committed).collect())
}

/// Returns the uploads of a server, complete or not, as [`uploads`] does. Some servers list complete ones only.
///
/// # Errors
/// Those of [`uploads`].
pub async fn all_uploads(server: &Endpoint) -> Result<Vec<StoredUpload>, ClientError> {
    #[derive(Deserialize)]
    struct Uploads {
        #[serde(default, deserialize_with = "list_if_any")]
        items: Option<Vec<OrDefault<UploadWire>>>,
    }
    let expected = "the stored uploads";
    let uploads: Uploads = server.get_list(&["admin", "uploads"], &[], expected).await?;
    // An error, not an empty list: without a list, no upload can be reported as deleted.
    let items = uploads.items.ok_or_else(|| no_list(expected))?;
    Ok(items.into_iter().map(|one| StoredUpload::listed(one.0)).collect())
}
