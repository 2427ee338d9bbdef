//! Writing of seeded files.

use crate::wire::ApiError;
use anyhow::Context as _;
use std::path::Path;

/// Writes a file, and the folders above it.
pub(super) fn write(file: &Path, text: &str) -> Result<(), ApiError> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(file, text))
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}
