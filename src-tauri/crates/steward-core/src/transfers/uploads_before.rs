//! Uploads that a server had before its export.
//!
//! A server, or what is in front of it, might answer with an export that is there already: of another administrator, for example.
//! That is no backup of the present state, and it is not deleted.

use steward_client::{Endpoint, listing, stored_id};

/// Identifiers of the uploads; `None` if the server did not list them. The identifier of an entry that could not be
/// read is empty.
pub(crate) struct UploadsBefore(Option<Vec<String>>);

impl UploadsBefore {
    /// Lists the uploads of a server.
    pub(crate) async fn read(server: &Endpoint) -> Self {
        match listing::uploads(server).await {
            Ok(uploads) => Self(Some(uploads.into_iter().map(|upload| upload.id).collect())),
            Err(error) => {
                tracing::warn!(%error, "which uploads a server has before its export is not known");
                Self(None)
            }
        }
    }

    /// Returns the value for uploads that were not listed.
    pub(crate) const fn not_read() -> Self {
        Self(None)
    }

    /// Returns whether the upload at a location was there before; `None` if that is not known.
    pub(crate) fn has(&self, location: &str) -> Option<bool> {
        let (before, id) = (self.0.as_ref()?, stored_id(location)?);
        match before.contains(&id) {
            true => Some(true),
            false => before.iter().all(|one| !one.is_empty()).then_some(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_upload_that_was_not_listed_is_new_only_if_all_were_read() {
        let before = |ids: &[&str]| UploadsBefore(Some(ids.iter().map(|&id| id.to_owned()).collect()));
        let at = "https://gis.example.org/server/admin/uploads/i7c1";
        for (before, has) in [
            (before(&["i7c1", ""]), Some(true)),
            (before(&["i9d2"]), Some(false)),
            (before(&[]), Some(false)),
            (before(&["i9d2", ""]), None),
            (UploadsBefore::not_read(), None),
        ] {
            assert_eq!(before.has(at), has);
        }
        assert_eq!(before(&[]).has("/backups/a.agssite"), None, "no upload");
    }
}
