//! Contents of an archive, as listed in its directory.

use serde::Serialize;

/// Contents of an archive, by its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveContents {
    /// Number of entries.
    pub entries: u32,
    /// Folders on the top level, the largest first, at most 50; empty if the directory is too long to be read.
    pub folders: Vec<ArchiveFolder>,
}

/// Folder on the top level of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveFolder {
    /// Name of the folder.
    pub name: String,
    /// Number of entries.
    pub entries: u32,
}
