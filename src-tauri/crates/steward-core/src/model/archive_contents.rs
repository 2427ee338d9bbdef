//! Contents of an archive, as listed in its directory.

use serde::Serialize;

use crate::model::export_verification::ArchiveFault;

/// Contents of an archive, by its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveContents {
    /// Number of entries, each name counted once if the directory is read.
    pub entries: u32,
    /// Folders on the top level, the largest first, at most 50; empty if the directory is too long to be read.
    pub folders: Vec<ArchiveFolder>,
    /// Whether the names of the entries are those of a server export; `null` if the directory is too long to be read.
    pub is_recognized: Option<bool>,
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

/// Entries of an export file, by the directory of the archive.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportEntries {
    /// Path of the file on this computer; empty for a server upload.
    pub path: String,
    /// Number of entries, each name counted once.
    pub count: u32,
    /// Number of entries with a name that another entry also has. It is not known which of them an import reads.
    pub repeated: u32,
    /// Names of the entries, in alphabetical order; at most 20,000. Empty if the directory cannot be read.
    pub names: Vec<String>,
    /// Reason why the file is not a complete archive; `null` if it is.
    pub fault: Option<ArchiveFault>,
}
