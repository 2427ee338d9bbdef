//! The menu of the application, on macOS, where the system expects one and the usual keys of editing depend on it.
//! The window's own stands in its bar on every system.

use serde::Serialize;
use tauri::menu::{MenuBuilder, MenuItemBuilder, SubmenuBuilder};
use tauri::{AppHandle, Manager};
use tauri_specta::Event;

use super::MAIN;
use steward_core::model::localized_text::Words;

/// Sent to the window when somebody chose from the menu.
#[derive(Debug, Clone, Serialize, specta::Type, tauri_specta::Event)]
pub struct MenuChosen {
    /// What.
    pub act: MenuAct,
}

/// What the menu offers and the window does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum MenuAct {
    /// The page of settings.
    Settings,
    /// The palette.
    Palette,
    /// The overview of shortcuts.
    Shortcuts,
    /// Larger.
    ZoomIn,
    /// Smaller.
    ZoomOut,
    /// As it was.
    ZoomReset,
}

const ACTS: [(&str, MenuAct, Option<&str>); 6] = [
    ("settings", MenuAct::Settings, Some("Cmd+,")),
    ("palette", MenuAct::Palette, None),
    ("shortcuts", MenuAct::Shortcuts, None),
    ("zoomIn", MenuAct::ZoomIn, None),
    ("zoomOut", MenuAct::ZoomOut, None),
    ("zoomReset", MenuAct::ZoomReset, None),
];
/// Goes through the window's own question, as its close button does; the system's own item would not.
const QUIT: &str = "quit";

/// Sets the menu where there is to be one.
pub(super) fn set(app: &AppHandle) {
    if cfg!(target_os = "macos") {
        app.on_menu_event(|app, chosen| heard(app, chosen.id().as_ref()));
        speak(app, "en");
    }
}

/// Writes the menu in a language of the window.
pub(super) fn speak(app: &AppHandle, language: &str) {
    if cfg!(target_os = "macos")
        && let Err(error) = build(app, &Words::of(language))
    {
        tracing::warn!(%error, "the menu could not be made");
    }
}

fn build(app: &AppHandle, words: &Words) -> tauri::Result<()> {
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
    let [settings, palette, shortcuts, larger, smaller, usual] = items.as_slice() else { return Ok(()) };
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
        .items(&[palette, shortcuts])
        .separator()
        .items(&[larger, smaller, usual]);
    let submenus = (program.build()?, edit.build()?, view.build()?);
    let menu = MenuBuilder::new(app).items(&[&submenus.0, &submenus.1, &submenus.2]).build()?;
    app.set_menu(menu).map(drop)
}

fn heard(app: &AppHandle, id: &str) {
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
