//! Size and checksum of an export that a site on this computer wrote.

use std::path::Path;
use std::sync::Arc;

use super::hash::{hash_rest, saved};
use super::{IsAbandoned, on_own_thread};
use crate::files::data_folder::practice_exports;
use crate::files::selected_paths::SelectedPaths;
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;

/// Returns size and SHA-256 of a file below a folder that the user selected, or of the practice site.
///
/// # Errors
/// - [`Problem::Unexpected`] if the file is none of these.
/// - [`Problem::File`] if it cannot be read.
pub async fn file_facts(
    dialogs: &Arc<SelectedPaths>,
    data_folder: &Path,
    path: String,
) -> Result<SavedFile, Problem> {
    let (dialogs, ours) = (dialogs.clone(), practice_exports(data_folder));
    let read = move |is_abandoned: IsAbandoned<'_>| read(&dialogs, &ours, path.as_ref(), is_abandoned);
    let read = on_own_thread("file facts", read).await;
    read.map_err(|error| Problem::Unexpected { message: error.to_string() })?
}

fn read(
    dialogs: &SelectedPaths,
    ours: &Path,
    path: &Path,
    is_abandoned: IsAbandoned<'_>,
) -> Result<SavedFile, Problem> {
    let hashed = hash_rest(&mut dialogs.read(path, ours)?, is_abandoned);
    let (size, hash) = hashed.map_err(|error| Problem::file(path, &error))?;
    Ok(saved(path, size, hash))
}
