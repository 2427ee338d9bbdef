//! Comparison of a server with an export file, before an import. Nothing is changed.

use serde::Serialize;
use steward_client::{Endpoint, STALLED, WholeFile};

use crate::files::archive_contents;
use crate::files::selected_paths::SelectedPaths;
use crate::history::changes_since::{RecordedChanges, since_export};
use crate::history::record_target::is_of;
use crate::inventory::Inventory;
use crate::inventory::comparison::Comparison;
use crate::inventory::stored::{self, ExportedFrom, Found, NoInventory};
use crate::model::archive_contents::ArchiveContents;
use crate::model::export_location::ExportLocation;
use crate::model::ids::Target;
use crate::model::problem::Problem;
use crate::site_context::SiteContext;

/// Comparison of a server with an export that is to be imported.
#[derive(Debug, Clone, Default, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportComparison {
    /// Number of services of the server, which the import replaces; `null` without a comparison, or if the server did
    /// not list all services.
    pub services: Option<u32>,
    /// Differences between the site and the export; `null` without an inventory of the export.
    pub comparison: Option<Comparison>,
    /// Reason why there is no inventory; `null` if there is one.
    pub no_inventory: Option<NoInventory>,
    /// Other server that the export was made of; `null` if it was made of this server, or the history does not contain
    /// it.
    pub other_server: Option<ExportedFrom>,
    /// Whether the inventory was read from a file beside the export, which any user or program could have changed.
    pub is_beside: bool,
    /// Changes that were made to the server with this app after the export; empty without an inventory.
    pub changes: RecordedChanges,
    /// Contents of the export file, if there is no inventory; `null` if they cannot be read.
    pub contents: Option<ArchiveContents>,
}

/// Compares a server with the inventory of an export. Without an inventory, the contents of the
/// file are read if it is an upload.
///
/// # Errors
/// - [`Problem::Unexpected`] if the site is not saved, the history cannot be read, or the user did not select the file of this
///   computer.
/// - [`Problem::File`] if that file cannot be read.
/// - Those of [`Access::server`](crate::access::Access::server).
pub async fn compare_with_export(
    context: &SiteContext,
    selected: &SelectedPaths,
    target: &Target,
    location: &ExportLocation,
) -> Result<ExportComparison, Problem> {
    if let ExportLocation::Here { path } = location {
        // A compromised page must not be able to read any file.
        selected.dropped.find(path).ok_or_else(|| Problem::Unexpected {
            message: format!("{path} was not dropped onto the window"),
        })?;
    }
    let saved = context.access.sites.at(target)?;
    let inventory = stored::of_export(&context.history, target, location).await?;
    let server = context.access.server(&saved).await?;
    let Found { inventory: export, exported_from, is_beside } = match inventory {
        Ok(found) => found,
        Err(why) => {
            let contents = match location {
                ExportLocation::Upload { id } => contents(&server, id).await,
                ExportLocation::Path { .. } | ExportLocation::Here { .. } => None,
            };
            return Ok(ExportComparison { no_inventory: Some(why), contents, ..ExportComparison::default() });
        }
    };
    let now = Inventory::take(&server, String::new()).await;
    let changes = since_export(&context.access.sites, &context.history, &saved, export.taken_at).await?;
    let comparison = Some(Comparison::of(&now, &export));
    let services = now.number_of_services();
    let other_server = exported_from.filter(|from| !is_of(&saved, from)).map(ExportedFrom::of);
    Ok(ExportComparison {
        services,
        comparison,
        other_server,
        is_beside,
        changes,
        ..ExportComparison::default()
    })
}

/// Reads the directory of an upload. A server without range support would send the complete file.
async fn contents(server: &Endpoint, upload: &str) -> Option<ArchiveContents> {
    let address = server.address(&["admin", "uploads", upload]);
    let ends = server.peek_stored(address.as_str(), STALLED, WholeFile::Refuse).await;
    ends.inspect_err(|error| tracing::info!(%error, "the contents of an export file cannot be read"))
        .ok()
        .and_then(|ends| archive_contents::contents(&ends).ok())
}
