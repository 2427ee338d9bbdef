//! Files that are dragged onto the window.

use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_core::steward::Steward;
use tauri::{AppHandle, DragDropEvent, Manager};
use tauri_specta::Event;

/// Event: a file is dragged over the window, or dropped onto it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type, tauri_specta::Event)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileDrag {
    /// The file is over the window.
    Over {
        /// File and its use; `null` if it cannot be used.
        file: Option<DroppedFile>,
    },
    /// The file left the window.
    Left,
    /// The file was dropped.
    Dropped {
        /// File and its use; `null` if it cannot be used.
        file: Option<DroppedFile>,
    },
}

/// A file that was dragged onto the window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DroppedFile {
    /// Path of the file.
    pub path: String,
    /// File name.
    pub name: String,
    /// Use of the file.
    pub kind: DroppedKind,
}

/// Use of a dropped file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DroppedKind {
    /// A server export, for an import.
    SiteFile,
    /// A contacts file.
    ContactsFile,
    /// A portal export, which cannot be used here. The window explains this.
    PortalFile,
    /// An invitation, which cannot be used here either.
    Invitation,
}

/// Reports a drag event to the window.
pub(super) fn heard(app: &AppHandle, event: &DragDropEvent) {
    let drag = match event {
        DragDropEvent::Enter { paths, .. } => FileDrag::Over { file: usable(paths) },
        DragDropEvent::Drop { paths, .. } => FileDrag::Dropped { file: usable(paths) },
        DragDropEvent::Leave => FileDrag::Left,
        _ => return,
    };
    if let FileDrag::Dropped { file: Some(file) } = &drag {
        app.state::<Steward>().dialogs.dropped.remember(Path::new(&file.path));
    }
    if let Err(error) = drag.emit(app) {
        tracing::warn!(%error, "the window was not told of a file");
    }
}

/// Returns the use of dragged files; `None` unless it is one file of a known type.
pub(super) fn usable(paths: &[PathBuf]) -> Option<DroppedFile> {
    let [path] = paths else { return None };
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let kind = match ending.as_str() {
        "agssite" => DroppedKind::SiteFile,
        "csv" => DroppedKind::ContactsFile,
        "portalsite" => DroppedKind::PortalFile,
        "invite" => DroppedKind::Invitation,
        _ => return None,
    };
    let name = path.file_name()?.to_string_lossy().into_owned();
    // A path that is not valid Unicode cannot be returned by the window.
    Some(DroppedFile { path: path.to_str()?.to_owned(), name, kind })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(names: &[&str]) -> Option<DroppedKind> {
        let paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
        usable(&paths).map(|file| file.kind)
    }

    #[test]
    fn one_file_of_a_known_kind_is_taken_and_nothing_else() {
        assert_eq!(kind(&["/home/sam/Nov-20.AGSSITE"]), Some(DroppedKind::SiteFile));
        assert_eq!(kind(&["/home/sam/contacts.csv"]), Some(DroppedKind::ContactsFile));
        assert_eq!(kind(&["/home/sam/Nov-20.portalsite"]), Some(DroppedKind::PortalFile));
        assert_eq!(kind(&["/home/sam/museum.invite"]), Some(DroppedKind::Invitation));
        assert_eq!(kind(&["/home/sam/a.csv", "/home/sam/b.csv"]), None);
        assert_eq!(kind(&["/home/sam/csv"]), None);
        assert_eq!(kind(&["/home/sam/report.pdf"]), None);
        assert_eq!(kind(&[]), None);
    }
}
