//! Settings that a user or the organization chose. All others have their defaults.

use serde::{Deserialize, Serialize};

use super::log_server::LogServer;
use super::values::{Language, Preferences, ProgramConnection, Theme};
use crate::model::ids::SiteId;
use crate::sites::ConnectionRoute;

/// A setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "named as the fields of `Choices`")]
pub enum Setting {
    Theme,
    Language,
    Zoom,
    Notifications,
    Reminders,
    Route,
    CaCertificate,
    LogServer,
}

impl Setting {
    /// Returns the name of the setting in the policy file.
    pub(crate) fn name(self) -> String {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(name)) => name,
            _ => String::new(),
        }
    }
}

/// Chosen settings; `None` for those that were not chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "named as the fields of `Preferences`")]
pub struct Choices {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zoom: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notifications: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reminders: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<ConnectionRoute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_certificate: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_server: Option<LogServer>,
}

impl Choices {
    /// Returns the settings that differ between `before` and `wanted`.
    pub(super) fn between(before: &Preferences, wanted: &Preferences) -> Self {
        let (was, wished) = (&before.connection, &wanted.connection);
        Self {
            theme: changed(&before.theme, &wanted.theme),
            language: changed(&before.language, &wanted.language),
            zoom: changed(&before.zoom, &wanted.zoom),
            notifications: changed(&before.notifications, &wanted.notifications),
            reminders: changed(&before.reminders, &wanted.reminders),
            route: changed(&was.route, &wished.route),
            ca_certificate: changed(&was.ca_certificate, &wished.ca_certificate),
            // Not one of the preferences: it is saved by itself.
            log_server: None,
        }
    }

    /// Returns these settings, completed with `those`.
    #[must_use]
    pub fn over(self, those: &Self) -> Self {
        Self {
            theme: self.theme.or(those.theme),
            language: self.language.or(those.language),
            zoom: self.zoom.or(those.zoom),
            notifications: self.notifications.or(those.notifications),
            reminders: self.reminders.or(those.reminders),
            route: self.route.or_else(|| those.route.clone()),
            ca_certificate: self.ca_certificate.or_else(|| those.ca_certificate.clone()),
            log_server: self.log_server.or_else(|| those.log_server.clone()),
        }
    }

    /// Returns the settings that are not chosen in `those`.
    pub(super) fn beside(self, those: &Self) -> Self {
        Self {
            theme: self.theme.filter(|_| those.theme.is_none()),
            language: self.language.filter(|_| those.language.is_none()),
            zoom: self.zoom.filter(|_| those.zoom.is_none()),
            notifications: self.notifications.filter(|_| those.notifications.is_none()),
            reminders: self.reminders.filter(|_| those.reminders.is_none()),
            route: self.route.filter(|_| those.route.is_none()),
            ca_certificate: self.ca_certificate.filter(|_| those.ca_certificate.is_none()),
            log_server: self.log_server.filter(|_| those.log_server.is_none()),
        }
    }

    /// Returns all preferences, with defaults for settings that were not chosen.
    pub(super) fn completed(self, last_site: Option<SiteId>) -> Preferences {
        let usual = Preferences::default();
        Preferences {
            theme: self.theme.unwrap_or(usual.theme),
            language: self.language.unwrap_or(usual.language),
            // The file can contain any number.
            zoom: self.zoom.unwrap_or(usual.zoom).clamp(80, 200),
            notifications: self.notifications.unwrap_or(usual.notifications),
            reminders: self.reminders.unwrap_or(usual.reminders),
            connection: ProgramConnection {
                route: self.route.unwrap_or(usual.connection.route),
                ca_certificate: self.ca_certificate.unwrap_or(usual.connection.ca_certificate),
            },
            last_site,
        }
    }

    /// Returns the chosen settings.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let chosen = [
            (Setting::Theme, self.theme.is_some()),
            (Setting::Language, self.language.is_some()),
            (Setting::Zoom, self.zoom.is_some()),
            (Setting::Notifications, self.notifications.is_some()),
            (Setting::Reminders, self.reminders.is_some()),
            (Setting::Route, self.route.is_some()),
            (Setting::CaCertificate, self.ca_certificate.is_some()),
            (Setting::LogServer, self.log_server.is_some()),
        ];
        chosen.into_iter().filter(|(_, is_chosen)| *is_chosen).map(|(setting, _)| setting).collect()
    }
}

fn changed<T: Clone + PartialEq>(before: &T, wanted: &T) -> Option<T> {
    (before != wanted).then(|| wanted.clone())
}
