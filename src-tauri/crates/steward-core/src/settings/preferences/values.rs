//! The preferences and their defaults.

use serde::{Deserialize, Serialize};

use crate::model::ids::SiteId;
use crate::sites::ConnectionRoute;

/// Preferences of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// Color theme.
    pub theme: Theme,
    /// The language of the window.
    pub language: Language,
    /// Zoom, in percent (80 to 200).
    pub zoom: u16,
    /// Whether a notification is shown when an operation ends while the window is in the background.
    pub notifications: bool,
    /// Whether reminders are shown.
    pub reminders: bool,
    /// Connection settings for sites without their own.
    pub connection: ProgramConnection,
    /// Site that was shown last; `null` if there is none.
    pub last_site: Option<SiteId>,
}

/// Color theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Theme {
    /// Theme of the desktop.
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
    /// Language of the system.
    System,
    /// English.
    En,
    /// German.
    De,
    /// Spanish.
    Es,
}

/// Connection settings for sites without their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProgramConnection {
    /// Proxy settings.
    pub route: ConnectionRoute,
    /// Path of a CA certificate in PEM, trusted in addition to those of the system; may be empty.
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
            connection: ProgramConnection { route: ConnectionRoute::System, ca_certificate: String::new() },
            last_site: None,
        }
    }
}
