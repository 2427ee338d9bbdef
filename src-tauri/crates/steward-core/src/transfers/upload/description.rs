//! Description of an upload, which tells it from those of other users if its response is lost.

use steward_client::listing::StoredUpload;

use crate::model::ids::RecordId;

/// Returns the description of the upload of a record.
pub(super) fn description(record: &RecordId) -> String {
    format!("Site Steward {}", record.0)
}

/// Returns whether a server upload can be that of a record. If the server returns no descriptions, only the name and the
/// length of an upload tell whose it is.
pub(super) fn can_be_of(upload: &StoredUpload, record: &RecordId) -> bool {
    upload.description.as_ref().is_none_or(|found| found.contains(&record.0))
}
