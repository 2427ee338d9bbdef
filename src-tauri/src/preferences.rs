//! How this person wants the program: one small file, written whole. A file that cannot be read costs the
//! preferences and nothing else, so it is kept aside, said, and the program goes on with the usual ones.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::Problem;
use crate::sites::{ConnectionForm, SavedRoute, SiteId};

/// The version that this program writes.
const VERSION: u32 = 1;

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

impl Preferences {
    /// The same with everything in order.
    ///
    /// # Errors
    /// When the proxy or the certificate is none.
    fn checked(mut self) -> Result<Self, Problem> {
        self.zoom = self.zoom.clamp(80, 200);
        let connection = ConnectionForm {
            ca_certificate: self.connection.ca_certificate,
            route: self.connection.route,
            ..ConnectionForm::default()
        };
        let authority = connection.checked_authority()?;
        self.connection = ProgramConnection {
            route: connection.checked_route()?,
            ca_certificate: authority.map(|path| path.display().to_string()).unwrap_or_default(),
        };
        Ok(self)
    }
}

/// The preferences of this person, and their file.
pub struct PreferencesBook {
    file: PathBuf,
    kept: Mutex<Preferences>,
    /// Where the file of before was put, when it could not be read.
    pub set_aside: Option<PathBuf>,
}

impl PreferencesBook {
    /// Reads the preferences; the usual ones when there is no file, or none that can be read.
    #[must_use]
    pub fn open(file: &Path) -> Self {
        let (kept, set_aside) = match read(file) {
            Ok(kept) => (kept, None),
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "the preferences cannot be read");
                (Preferences::default(), put_aside(file))
            }
        };
        Self { file: file.to_owned(), kept: Mutex::new(kept), set_aside }
    }

    /// All of them.
    pub fn get(&self) -> Preferences {
        self.lock().clone()
    }

    /// Keeps them.
    ///
    /// # Errors
    /// When one of them is none, or the file cannot be written: then the ones of before stay.
    pub fn save(&self, preferences: Preferences) -> Result<Preferences, Problem> {
        let preferences = preferences.checked()?;
        let mut kept = self.lock();
        let mut saved =
            serde_json::to_value(&preferences).context("the preferences could not be written down")?;
        saved["version"] = VERSION.into();
        let bytes = serde_json::to_vec_pretty(&saved).context("the preferences could not be written down")?;
        crate::saving::write_whole(&self.file, &bytes).map_err(|error| Problem::file(&self.file, &error))?;
        kept.clone_from(&preferences);
        Ok(preferences)
    }

    fn lock(&self) -> MutexGuard<'_, Preferences> {
        // Replaced as a whole, when it is on disk.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a file does not say is as usual: an older program knew less.
fn read(file: &Path) -> anyhow::Result<Preferences> {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Preferences::default()),
        Err(error) => return Err(error.into()),
    };
    let found: serde_json::Map<String, Value> = serde_json::from_slice(&bytes)?;
    let version = found.get("version").and_then(Value::as_u64);
    anyhow::ensure!(version == Some(VERSION.into()), "they are of format {version:?}");
    let mut whole = serde_json::to_value(Preferences::default())?;
    for (name, value) in found {
        whole[name] = value;
    }
    let mut preferences: Preferences = serde_json::from_value(whole)?;
    preferences.zoom = preferences.zoom.clamp(80, 200);
    Ok(preferences)
}

/// Moves the file to a name that is not taken, and says which.
fn put_aside(file: &Path) -> Option<PathBuf> {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let named = |more: String| file.with_file_name(format!("preferences-unreadable-{now}{more}.json"));
    let aside = (2..100)
        .map(|number| format!("-{number}"))
        .fold(named(String::new()), |free, more| if free.exists() { named(more) } else { free });
    match std::fs::rename(file, &aside) {
        Ok(()) => Some(aside),
        Err(error) => {
            tracing::warn!(%error, "the unreadable preferences cannot be moved");
            Some(file.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Fault;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("preferences.json");
        (folder, file)
    }

    #[test]
    fn what_was_saved_is_there_after_a_restart() {
        let (_folder, file) = folder();
        let wanted = Preferences {
            theme: Theme::Dark,
            language: Language::De,
            zoom: 150,
            last_site: Some(SiteId("a".to_owned())),
            ..Preferences::default()
        };
        PreferencesBook::open(&file).save(wanted.clone()).unwrap();

        let book = PreferencesBook::open(&file);

        assert_eq!(book.get(), wanted);
        assert_eq!(book.set_aside, None);
    }

    #[test]
    fn a_broken_file_is_kept_aside_and_the_program_goes_on() {
        let (_folder, file) = folder();
        for broken in ["{ half a file", "[]", r#"{ "version": 1, "zoom": "large" }"#, r#"{ "version": 2 }"#] {
            std::fs::write(&file, broken).unwrap();

            let book = PreferencesBook::open(&file);

            assert_eq!(book.get(), Preferences::default(), "{broken}");
            let aside = book.set_aside.clone().unwrap();
            assert_eq!(std::fs::read_to_string(&aside).unwrap(), broken);
            book.save(Preferences::default()).unwrap();
        }
        let aside = std::fs::read_dir(file.parent().unwrap()).unwrap().count() - 1;
        assert_eq!(aside, 4, "each has a name of its own, also within a second");
    }

    #[test]
    fn what_a_file_does_not_say_is_as_usual() {
        let (_folder, file) = folder();
        std::fs::write(&file, r#"{ "version": 1, "theme": "dark", "zoom": 900, "unheardOf": 1 }"#).unwrap();

        let book = PreferencesBook::open(&file);

        assert_eq!(book.get(), Preferences { theme: Theme::Dark, zoom: 200, ..Preferences::default() });
        assert_eq!(book.set_aside, None);
    }

    #[test]
    fn a_proxy_that_is_none_is_refused_and_nothing_changes() {
        let (_folder, file) = folder();
        let book = PreferencesBook::open(&file);
        let route = SavedRoute::Proxy {
            address: "not an address".to_owned(),
            user: String::new(),
            exceptions: Vec::new(),
        };
        let connection = ProgramConnection { route, ca_certificate: String::new() };

        let refused = book.save(Preferences { connection, ..Preferences::default() });

        assert_eq!(refused.unwrap_err(), Problem::form("connection.route.address", Fault::NotAnAddress));
        assert_eq!(book.get(), Preferences::default());
        assert!(!file.exists());
    }
}
