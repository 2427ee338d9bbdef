//! Reads and writes contacts files.

use crate::access::Access;
use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::listings::participants;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;
use crate::operations::update_participant::contacts_file::{self, ContactsFileReading};

/// Reads a contacts file, and compares it with the participants of the portal. `path`: `None` opens a dialog.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - [`Problem::File`] if the file cannot be read.
/// - [`Problem::Unexpected`] if the file was not dropped onto the window.
/// - Those of [`participants`].
pub async fn read(
    access: &Access,
    dialogs: &SelectedPaths,
    site: &SiteId,
    path: Option<String>,
) -> Result<ContactsFileReading, Problem> {
    let path = match path {
        // Only the user chooses files: otherwise the page could read any file.
        Some(shown) => dialogs.dropped.find(&shown).ok_or_else(|| Problem::Unexpected {
            message: format!("{shown} was not dropped onto the window"),
        })?,
        None => match dialogs.open_file(Title::ChooseContactsFile).await? {
            Some(path) => path,
            None => return Ok(ContactsFileReading::Dismissed),
        },
    };
    // Request the participants now: the comparison must not use earlier data of the window.
    let participants = participants(access, site).await?;
    let place = path.clone();
    let reading = in_background(move || contacts_file::read(&place, &participants)).await?;
    reading.map_err(|error| Problem::file(&path, &error))
}

/// Saves a contacts file with all participants of a portal.
///
/// # Errors
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
/// - Those of [`participants`].
pub async fn save_template(
    access: &Access,
    dialogs: &SelectedPaths,
    site: &SiteId,
) -> Result<SaveResult, Problem> {
    let rows = contacts_file::template(&participants(access, site).await?);
    save(dialogs, &format!("Contacts of {}", access.sites.get(site)?.name), &rows).await
}

/// Saves a table as CSV to a file that the user chooses.
///
/// # Errors
/// [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save(dialogs: &SelectedPaths, name: &str, rows: &[Vec<String>]) -> Result<SaveResult, Problem> {
    let suggested = files::safe_name(name, "csv");
    let Some(path) = dialogs.save_file(Title::SaveTable, &suggested).await? else {
        return Ok(SaveResult::Dismissed);
    };
    Ok(match contacts_file::as_csv(rows) {
        Ok(bytes) => in_background(move || files::save(&path, &bytes)).await?,
        Err(error) => SaveResult::Failed { problem: Problem::file(&path, &error) },
    })
}
