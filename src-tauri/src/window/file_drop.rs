//! Files that are dragged onto the window.

use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::files::dropped::{DroppedFile, usable};
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

/// Reports a drag event to the window.
pub(super) fn report(app: &AppHandle, event: &DragDropEvent) {
    let drag = match event {
        DragDropEvent::Enter { paths, .. } => FileDrag::Over { file: usable(paths) },
        DragDropEvent::Drop { paths, .. } => {
            let file = usable(paths);
            if file.is_some()
                && let Some(steward) = app.try_state::<Steward>()
            {
                paths.iter().for_each(|path| steward.dialogs.dropped.remember(path));
            }
            FileDrag::Dropped { file }
        }
        DragDropEvent::Leave => FileDrag::Left,
        _ => return,
    };
    if let Err(error) = drag.emit(app) {
        tracing::warn!(%error, "the window was not told of a file");
    }
}
