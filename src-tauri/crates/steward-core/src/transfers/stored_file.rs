//! Properties of a file that a server stores: its size, and its path on this computer.

use serde::Serialize;
use steward_journal::{Filter, Journal, JournalError, Outcome};

use crate::history::parameters::DESTINATION;
use crate::model::history_key::UPLOAD;
use crate::model::ids::SiteId;
use crate::model::numbers::Bytes;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::transfers::Transfers;

/// A file that a server stores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StoredFile {
    /// Size; `null` if the server does not return it.
    pub size: Option<Bytes>,
    /// Path on this computer where this program saved the file, or that it uploaded; `null` if the history does not
    /// show one. The file might not be there any more.
    pub local: Option<String>,
}

/// Records that are searched for a file: a server keeps its uploads for a limited time.
const MOST: u32 = 200;

/// Returns what is known about an upload of the current server.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn stored_file(
    context: &SiteContext,
    transfers: &Transfers,
    site: &SiteId,
    upload: String,
) -> Result<StoredFile, Problem> {
    let saved = context.access.sites.get(site)?;
    let server = context.access.server(&saved).await?;
    let location = format!("{}/admin/uploads/{upload}", server.root().as_str().trim_end_matches('/'));
    // The length is in the head of the response: the content is not read.
    let size = match server.download_stored(&location, transfers.retry_policy.stalled).await {
        Ok(download) => download.length().map(Bytes),
        Err(error) => {
            tracing::warn!(%error, "the size of a stored file is not known");
            None
        }
    };
    let site = site.0.clone();
    let local = context.history.journal(move |journal| local_path(journal, &site, &upload)).await?;
    Ok(StoredFile { size, local })
}

/// Returns the path on this computer, by the newest record of the file.
fn local_path(journal: &Journal, site: &str, upload: &str) -> Result<Option<String>, JournalError> {
    for export in journal.records(&succeeded(site, OperationKey::ExportServer.name()))? {
        // The note is the path once the file was saved, and the location on the server before.
        let is_saved = given(&export.intent.parameters, DESTINATION).is_some_and(|path| path == export.note);
        if !is_saved {
            continue;
        }
        // The response names the location of the file. Identifiers of uploads are unique.
        if journal.response_contains(&export.id, upload)? {
            return Ok(Some(export.note));
        }
    }
    for sent in journal.records(&succeeded(site, UPLOAD))? {
        if sent.note.ends_with(&format!("({upload})")) {
            return Ok(given(&sent.intent.parameters, "file"));
        }
    }
    Ok(None)
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

/// Returns a parameter of a record.
pub(crate) fn given(parameters: &[(String, String)], name: &str) -> Option<String> {
    parameters.iter().find(|(given, _)| given == name).map(|(_, value)| value.clone())
}
