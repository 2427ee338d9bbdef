//! Files that are dragged onto the window.

use std::path::{Path, PathBuf};

use serde::Serialize;
use steward_core::host::Host;
use tauri::{AppHandle, DragDropEvent, Manager};
use tauri_specta::Event;

/// Sent to the window while a file is dragged over it, and when it was dropped there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type, tauri_specta::Event)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FileDrag {
    /// It is over the window.
    Over {
        /// What could be done with it; `null` when nothing can.
        file: Option<DroppedFile>,
    },
    /// It has left.
    Left,
    /// It was dropped.
    Dropped {
        /// What can be done with it; `null` when nothing can.
        file: Option<DroppedFile>,
    },
}

/// A file that somebody dragged here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DroppedFile {
    /// Where it is.
    pub path: String,
    /// Its name alone.
    pub name: String,
    /// What it is for.
    pub kind: DroppedKind,
}

/// What a dropped file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum DroppedKind {
    /// A server export, to be imported.
    SiteFile,
    /// A table of contacts.
    ContactSheet,
    /// A portal export. There is nothing to do with it here but to say so.
    PortalFile,
    /// An invitation, likewise.
    Invitation,
}

/// Tells the window.
pub(super) fn heard(app: &AppHandle, event: &DragDropEvent) {
    let drag = match event {
        DragDropEvent::Enter { paths, .. } => FileDrag::Over { file: usable(paths) },
        DragDropEvent::Drop { paths, .. } => FileDrag::Dropped { file: usable(paths) },
        DragDropEvent::Leave => FileDrag::Left,
        _ => return,
    };
    if let FileDrag::Dropped { file: Some(file) } = &drag {
        app.state::<Host>().dropped.remember(Path::new(&file.path));
    }
    if let Err(error) = drag.emit(app) {
        tracing::warn!(%error, "the window was not told of a file");
    }
}

/// What can be done with what is dragged: one file of a kind that the program takes.
pub(super) fn usable(paths: &[PathBuf]) -> Option<DroppedFile> {
    let [path] = paths else { return None };
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let kind = match ending.as_str() {
        "agssite" => DroppedKind::SiteFile,
        "csv" => DroppedKind::ContactSheet,
        "portalsite" => DroppedKind::PortalFile,
        "invite" => DroppedKind::Invitation,
        _ => return None,
    };
    let name = path.file_name()?.to_string_lossy().into_owned();
    // A name that is no text cannot be given back by the window.
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
        assert_eq!(kind(&["/home/sam/contacts.csv"]), Some(DroppedKind::ContactSheet));
        assert_eq!(kind(&["/home/sam/Nov-20.portalsite"]), Some(DroppedKind::PortalFile));
        assert_eq!(kind(&["/home/sam/museum.invite"]), Some(DroppedKind::Invitation));
        assert_eq!(kind(&["/home/sam/a.csv", "/home/sam/b.csv"]), None);
        assert_eq!(kind(&["/home/sam/csv"]), None);
        assert_eq!(kind(&["/home/sam/report.pdf"]), None);
        assert_eq!(kind(&[]), None);
    }
}
