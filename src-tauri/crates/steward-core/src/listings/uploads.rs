//! Files that a server stores, with what the history of this computer knows of them.

use std::collections::HashMap;
use std::path::Path;

use serde::Serialize;
use steward_client::listing;
use steward_journal::{Journal, JournalError};

use crate::files::in_background;
use crate::history::imports;
use crate::model::history_key::UPLOAD;
use crate::model::ids::Target;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;
use crate::transfers::stored_file::succeeded_at;

/// A file that is stored by the server.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerUpload {
    /// Identifier, which an import uses as its location. Empty if it is too long: the file cannot be selected.
    pub id: String,
    /// Name of the uploaded file.
    pub name: String,
    /// Description; may be empty.
    pub description: String,
    /// Time of the upload, as returned by the server.
    pub date: String,
    /// Facts of the file in the history of this computer; `null` if it was not exported or uploaded from here.
    pub here: Option<UploadHere>,
}

/// Facts of a stored file in the history of this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UploadHere {
    /// Name of the file on this computer; `null` if it was not saved here.
    pub name: Option<String>,
    /// Size of the local file; `null` if the file no longer exists.
    pub size: Option<Bytes>,
    /// Time of the export or upload.
    pub at: Millis,
    /// Whether it is a safety backup.
    pub is_safety_backup: bool,
}

/// Returns the uploads that a server stores. What the history knows of them is left out if the history cannot be read.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the server does not return them.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn list_uploads(context: &SiteContext, target: &Target) -> Result<Vec<ServerUpload>, Problem> {
    let site = context.access.sites.at(target)?;
    let server = context.access.server(&site).await?;
    let uploads = match listing::uploads(&server).await {
        Ok(uploads) => uploads,
        Err(error) => return Err(context.access.problem_at(&server, &site, &error).await),
    };
    let known = target.clone();
    let mut here = match context.history.journal(move |journal| known_here(journal, &known)).await {
        Ok(known) => in_background(move || with_sizes(known)).await?,
        Err(error) => {
            tracing::warn!(?error, "what the history knows of uploads is left out");
            HashMap::new()
        }
    };
    Ok(uploads
        .into_iter()
        .map(|upload| ServerUpload {
            here: here.remove(&upload.id).map(|(_, here)| here),
            id: upload.id,
            name: upload.name,
            description: upload.description.unwrap_or_default(),
            date: upload.date,
        })
        .collect())
}

/// By the identifier of an upload: the path of its file on this computer, empty if it has none, and what is known of it.
type Known = HashMap<String, (String, UploadHere)>;

fn known_here(journal: &Journal, target: &Target) -> Result<Known, JournalError> {
    let mut known = Known::new();
    for operation in [UPLOAD, OperationKey::ExportServer.name()] {
        // Records are newest first. In reverse, the newest one of an upload is inserted last.
        for record in journal.records(&succeeded_at(target, operation))?.into_iter().rev() {
            let Some(upload) = record.facts.upload else { continue };
            let path = record.facts.path.unwrap_or_default();
            let name = Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned());
            let at = Millis(record.ended_at.unwrap_or(record.intent.started_at));
            let is_safety_backup = imports::is_safety_backup(&record.intent);
            known.insert(upload, (path, UploadHere { name, size: None, at, is_safety_backup }));
        }
    }
    Ok(known)
}

fn with_sizes(mut known: Known) -> Known {
    for (path, here) in known.values_mut() {
        let file = std::fs::metadata(&*path).ok().filter(std::fs::Metadata::is_file);
        here.size = file.map(|file| Bytes(file.len()));
    }
    known
}
