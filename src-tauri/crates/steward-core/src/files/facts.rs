//! Size and checksum of an export that a site on this computer wrote.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::saved;
use crate::files::data_folder::practice_exports;
use crate::files::selected_paths::SelectedPaths;
use crate::model::problem::Problem;
use crate::model::saved_file::SavedFile;

/// Bytes that are read at a time.
const PIECE: usize = 1 << 20;

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
    let read = move || read(&dialogs, &ours, path.as_ref());
    let read = tokio::task::spawn_blocking(read).await;
    read.map_err(|error| Problem::Unexpected { message: error.to_string() })?
}

fn read(dialogs: &SelectedPaths, ours: &Path, path: &Path) -> Result<SavedFile, Problem> {
    let mut file = dialogs.read(path, ours)?;
    let (mut size, mut hash, mut piece) = (0, Sha256::new(), vec![0; PIECE]);
    loop {
        let length = file.read(&mut piece).map_err(|error| Problem::file(path, &error))?;
        if length == 0 {
            return Ok(saved(path, size, hash));
        }
        hash.update(&piece[..length]);
        size += length as u64;
    }
}
