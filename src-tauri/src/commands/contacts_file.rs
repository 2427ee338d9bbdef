//! Commands for contacts files.

use steward_command::command;
use steward_core::model::ids::SiteId;
use steward_core::model::saved_file::SaveResult;
use steward_core::operations::update_participant::contacts_file::{
    ContactsBatch, ContactsFileReading, files,
};

use super::{Program, Reply};

/// Reads a contacts file, and returns its changes. `path`: a file that was dropped onto the window; `null` opens a
/// dialog.
#[command]
pub(crate) async fn read_contacts_file(
    steward: Program<'_>,
    site: SiteId,
    path: Option<String>,
) -> Reply<ContactsFileReading> {
    files::read(&steward.context.access, &steward.dialogs, &site, path).await
}

/// Returns the result of the last contacts file of a site; `null` if there is none since the last sign-in.
#[command]
pub(crate) fn last_contacts_batch(steward: Program<'_>, site: SiteId) -> Option<ContactsBatch> {
    steward.contacts_batches.last(&site)
}

/// Saves a contacts file with the present contacts of all participants.
#[command]
pub(crate) async fn save_contacts_template(steward: Program<'_>, site: SiteId) -> Reply<SaveResult> {
    files::save_template(&steward.context.access, &steward.dialogs, &site).await
}

/// Saves a table of the window as CSV. The first row contains the column names.
#[command]
pub(crate) async fn save_table(
    steward: Program<'_>,
    name: String,
    rows: Vec<Vec<String>>,
) -> Reply<SaveResult> {
    files::save(&steward.dialogs, &name, &rows).await
}
