//! How this person wants the program, below what their organisation decides.

mod overrides;
mod store;

use serde::{Deserialize, Serialize};

pub use overrides::{Choices, Setting};
pub use store::PreferencesBook;

use crate::model::ids::SiteId;
use crate::sites::SavedRoute;

/// How this person wants the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// Light or dark.
    pub theme: Theme,
    /// The language of the window.
    pub language: Language,
    /// How large everything is, in percent: 80 to 200.
    pub zoom: u16,
    /// Whether the system says that a run has ended while the window is not in front.
    pub notifications: bool,
    /// Whether the window marks what is due.
    pub reminders: bool,
    /// What a site uses whose own connection says nothing.
    pub connection: ProgramConnection,
    /// The site that was on screen last.
    pub last_site: Option<SiteId>,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// As the desktop has it.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// A language of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Language {
    /// As the system has it.
    System,
    /// English.
    En,
    /// German.
    De,
    /// Spanish.
    Es,
}

/// The way to every site that has none of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProgramConnection {
    /// Through which proxy.
    pub route: SavedRoute,
    /// Path of a CA certificate in PEM, trusted beside the system's; empty for none.
    pub ca_certificate: String,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: Theme::System,
            language: Language::System,
            zoom: 100,
            notifications: true,
            reminders: true,
            connection: ProgramConnection { route: SavedRoute::System, ca_certificate: String::new() },
            last_site: None,
        }
    }
}
