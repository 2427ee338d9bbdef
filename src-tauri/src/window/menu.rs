//! The application menu on macOS, which the system requires for editing shortcuts. Other systems use the menu in the
//! page.

use serde::Serialize;
use tauri::menu::{MenuBuilder, MenuItemBuilder, SubmenuBuilder};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use super::label::MAIN;
use steward_core::model::localized_text::Texts;

/// Event: the user selected a menu command.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct MenuChosen {
    /// Selected command.
    pub act: MenuCommand,
}

/// A menu command that the window handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum MenuCommand {
    /// Open the settings.
    Settings,
    /// Open the command palette.
    Palette,
    /// Show the keyboard shortcuts.
    Shortcuts,
    /// Zoom in.
    ZoomIn,
    /// Zoom out.
    ZoomOut,
    /// Reset the zoom.
    ZoomReset,
    /// Go back to the previous page.
    Back,
    /// Go forward again.
    Forward,
}

const ACTS: [(&str, MenuCommand, Option<&str>); 8] = [
    ("settings", MenuCommand::Settings, Some("Cmd+,")),
    ("palette", MenuCommand::Palette, None),
    ("shortcuts", MenuCommand::Shortcuts, None),
    ("zoomIn", MenuCommand::ZoomIn, None),
    ("zoomOut", MenuCommand::ZoomOut, None),
    ("zoomReset", MenuCommand::ZoomReset, None),
    // The page binds their keys, like those of the zoom: two bindings would go back twice.
    ("back", MenuCommand::Back, None),
    ("forward", MenuCommand::Forward, None),
];
/// Identifier of the quit command, which asks for confirmation like the close button. The system's own command would
/// not.
const QUIT: &str = "quit";

/// Creates the menu on macOS.
pub(super) fn set(app: &AppHandle) {
    if cfg!(target_os = "macos") {
        app.on_menu_event(|app, chosen| report(app, chosen.id().as_ref()));
        speak(app, "en");
    }
}

/// Rebuilds the menu in a language.
pub(super) fn speak(app: &AppHandle, language: &str) {
    if cfg!(target_os = "macos")
        && let Err(error) = build(app, &Texts::of(language))
    {
        tracing::warn!(%error, "the menu could not be made");
    }
}

fn build(app: &AppHandle, words: &Texts) -> tauri::Result<()> {
    let item = |id: &str, keys: Option<&str>| {
        let item = MenuItemBuilder::with_id(id, words.say(&format!("menu.{id}"), &[]));
        match keys {
            Some(keys) => item.accelerator(keys).build(app),
            None => item.build(app),
        }
    };
    let mut items = Vec::new();
    for (id, _, keys) in ACTS {
        items.push(item(id, keys)?);
    }
    let [settings, palette, shortcuts, larger, smaller, usual, back, forward] = items.as_slice() else {
        return Ok(());
    };
    let quit = item(QUIT, Some("Cmd+Q"))?;
    let name = words.say("app.name", &[]);
    let program = SubmenuBuilder::new(app, name)
        .item(settings)
        .separator()
        .hide()
        .hide_others()
        .separator()
        .item(&quit);
    let edit = SubmenuBuilder::new(app, words.say("menu.edit", &[]))
        .undo()
        .redo()
        .separator()
        .cut()
        .copy()
        .paste()
        .select_all();
    let view = SubmenuBuilder::new(app, words.say("menu.view", &[]))
        .items(&[back, forward])
        .separator()
        .items(&[palette, shortcuts])
        .separator()
        .items(&[larger, smaller, usual]);
    let submenus = (program.build()?, edit.build()?, view.build()?);
    let menu = MenuBuilder::new(app).items(&[&submenus.0, &submenus.1, &submenus.2]).build()?;
    app.set_menu(menu).map(drop)
}

fn report(app: &AppHandle, id: &str) {
    if id == QUIT {
        if let Some(window) = app.get_webview_window(MAIN)
            && let Err(error) = window.close()
        {
            tracing::warn!(%error, "the window could not be closed");
        }
        return;
    }
    let Some((_, act, _)) = ACTS.iter().find(|(known, ..)| *known == id) else { return };
    if let Err(error) = (MenuChosen { act: *act }).emit(app) {
        tracing::warn!(%error, "the window was not told of the menu");
    }
}
