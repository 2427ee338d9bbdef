//! Properties of a file that a server stores: its size, and what the history has of its content and its path.

use std::path::Path;

use serde::Serialize;
use sha2::{Digest, Sha256};
use steward_client::{Endpoint, FileEnds, WholeFile, listing, uploads};
use steward_journal::{Facts, Filter, Journal, JournalError, Outcome, StoredRecord};

use crate::model::export_verification::ExportVerification;
use crate::model::history_key::UPLOAD;
use crate::model::ids::Target;
use crate::model::numbers::Bytes;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;
use crate::site_context::SiteContext;
use crate::transfers::Transfers;

/// A file that a server stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// Size; `null` if the server does not return it.
    pub size: Option<Bytes>,
    /// Path on this computer where the app saved the file or uploaded it from; `null` if the history does not show one.
    /// The file might no longer exist there.
    pub local: Option<String>,
}

/// Maximum number of records that are searched for a file: a server keeps its uploads for a limited time.
const MOST: u32 = 200;

/// Returns what is known about an upload of a server.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn stored_file(
    context: &SiteContext,
    transfers: &Transfers,
    target: &Target,
    upload: String,
) -> Result<StoredFile, Problem> {
    let saved = context.access.sites.at(target)?;
    let server = context.access.server(&saved).await?;
    let size = uploads::length(&server, &upload, transfers.retry_policy.stalled).await.map(Bytes);
    let target = target.clone();
    let records = context.history.journal(move |journal| records_of(journal, &target, &upload)).await?;
    Ok(StoredFile { size, local: records.into_iter().find_map(|record| record.facts.path) })
}

/// Returns the SHA-256 of the ends of an archive. Its directory, with size and checksum of each entry, is at its end; of one with
/// some hundred entries, the last part of it.
pub(crate) fn hash_of_ends(ends: &FileEnds) -> String {
    let hash = Sha256::new().chain_update(&ends.head).chain_update(&ends.tail).finalize();
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns whether an upload is certainly another file than the one in the facts of its record, by its size, and by its
/// ends if the server returns them. Another file can have both: only a copy on this computer is known by its content.
pub(crate) async fn is_another(
    server: &Endpoint,
    transfers: &Transfers,
    upload: &str,
    recorded: &Facts,
) -> bool {
    let stalled = transfers.retry_policy.stalled;
    let location = server.address(&["admin", "uploads", upload]);
    let differs = |size: u64| recorded.upload_size.is_some_and(|recorded| recorded != size);
    match server.peek_stored(location.as_str(), stalled, WholeFile::Refuse).await {
        Ok(ends) => {
            let hash = hash_of_ends(&ends);
            differs(ends.length) || recorded.upload_ends.as_ref().is_some_and(|recorded| *recorded != hash)
        }
        Err(error) => {
            tracing::info!(%error, "a stored file is compared by its size alone");
            uploads::length(server, upload, stalled).await.is_some_and(differs)
        }
    }
}

/// Returns the name of an upload, as the list of uploads shows it: that of the file on this computer, or else the one
/// that the server returns. Empty if neither is known, which is enough for the history.
pub(crate) async fn name_of(
    context: &SiteContext,
    server: &Endpoint,
    target: &Target,
    upload: &str,
) -> String {
    let (of, id) = (target.clone(), upload.to_owned());
    let records = context.history.journal(move |journal| records_of(journal, &of, &id)).await;
    let records = records
        .inspect_err(|error| tracing::warn!(?error, "what the history knows of an upload is left out"))
        .unwrap_or_default();
    let path = records.into_iter().find_map(|record| record.facts.path);
    if let Some(name) = path.as_deref().and_then(|path| Path::new(path).file_name()) {
        return name.to_string_lossy().into_owned();
    }
    let stored = listing::uploads(server).await;
    let stored = stored
        .inspect_err(|error| tracing::info!(%error, "an upload is recorded without its name"))
        .unwrap_or_default();
    stored.into_iter().find(|stored| stored.id == upload).map(|stored| stored.name).unwrap_or_default()
}

/// Returns the records of an upload of a server: the export that it is, then those that sent it, newest first. Another server
/// can have an upload with the same identifier.
///
/// # Errors
/// An error of the journal.
pub fn records_of(
    journal: &Journal,
    target: &Target,
    upload: &str,
) -> Result<Vec<StoredRecord>, JournalError> {
    let mut records = journal.records(&succeeded_at(target, OperationKey::ExportServer.name()))?;
    records.extend(journal.records(&succeeded_at(target, UPLOAD))?);
    records.retain(|record| record.facts.upload.as_deref() == Some(upload));
    Ok(records)
}

/// Returns the facts of an export with the file that it was saved as on this computer, and its verification.
pub(crate) fn with_file(facts: Facts, file: &SavedFile, verification: Option<&ExportVerification>) -> Facts {
    let complete = verification.filter(|verification| verification.fault.is_none());
    Facts {
        path: Some(file.path.clone()),
        sha256: Some(file.sha256.clone()),
        unverified_entries: complete.map(|verification| match verification.is_recognized {
            true => verification.unverified_entries,
            // A file that is not recognized as an export has no verified entry.
            false => verification.entries,
        }),
        lacks_only_file: false,
        ..facts
    }
}

/// Returns a filter for the newest successful records of an operation on a site.
pub(crate) fn succeeded(site: &str, operation: &str) -> Filter {
    Filter {
        site: Some(site.to_owned()),
        operation: Some(operation.to_owned()),
        outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
        limit: Some(MOST),
        ..Filter::default()
    }
}

/// Returns the same for an operation on a server of a site.
pub(crate) fn succeeded_at(target: &Target, operation: &str) -> Filter {
    let server = target.server.as_ref().map(|server| server.0.clone());
    Filter { server, ..succeeded(&target.site.0, operation) }
}

/// Returns a parameter of a record.
pub fn given(parameters: &[(String, String)], name: &str) -> Option<String> {
    parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone())
}
