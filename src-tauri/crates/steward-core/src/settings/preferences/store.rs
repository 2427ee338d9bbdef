//! Storage of the preferences in one JSON file.
//!
//! Only chosen settings are stored. An unreadable file is renamed and reported, and the defaults apply.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Choices, LogServer, Preferences, Setting};
use crate::files::JsonStore;
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::settings::policy::Policy;
use crate::sites::ConnectionForm;

/// Content of the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    #[serde(flatten)]
    chosen: Choices,
    last_site: Option<SiteId>,
}

/// Preferences of the user, with the policy of the organization.
pub struct PreferencesStore {
    kept: JsonStore<Kept>,
    /// Policy of the organization.
    pub policy: Policy,
}

impl PreferencesStore {
    /// Reads the file. The defaults apply if there is none, or none that can be read.
    #[must_use]
    pub fn open(file: &Path, policy: Policy) -> Self {
        Self { kept: JsonStore::open(file.to_owned()).noted(), policy }
    }

    /// Checks that the file can be read.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(crate) fn check(file: &Path) -> anyhow::Result<()> {
        crate::files::check::<Kept>(file)
    }

    /// Reads the file, which another process writes.
    pub fn open_read_only(file: &Path, policy: Policy) -> Self {
        Self { kept: JsonStore::open_read_only(file.to_owned()), policy }
    }

    /// Returns the preferences in effect without changing the file. The defaults apply if it cannot be read.
    #[must_use]
    pub fn look(file: &Path, policy: &Policy) -> Preferences {
        let kept = JsonStore::open_required(file.to_owned()).map(|kept: JsonStore<Kept>| kept.get());
        in_effect(policy, kept.unwrap_or_default())
    }

    /// Returns the preferences in effect.
    pub fn get(&self) -> Preferences {
        self.kept.read(|kept| self.that_hold(kept))
    }

    /// Stores the preferences that differ from those in effect. Settings locked by the organization are ignored.
    ///
    /// # Errors
    /// Those of [`save_since`](Self::save_since).
    pub fn save(&self, preferences: Preferences) -> Result<Preferences, Problem> {
        self.save_since(&self.get(), preferences)
    }

    /// Stores the preferences that differ from `before`. All others stay as they are in effect now: they might have
    /// been changed while the caller waited, for example for the keyring.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the proxy address or the CA certificate is invalid.
    /// - [`Problem::File`] if the CA file cannot be read, or the preferences cannot be written. The earlier ones then
    ///   remain in effect.
    pub fn save_since(&self, before: &Preferences, preferences: Preferences) -> Result<Preferences, Problem> {
        self.kept.try_change(|kept| {
            *kept = self.changed(kept, before, preferences)?;
            Ok(self.that_hold(kept))
        })
    }

    /// Returns the preferences that [`save`](Self::save) would put into effect, without storing them.
    ///
    /// # Errors
    /// - [`Problem::Form`] if the proxy address or the CA certificate is invalid.
    /// - [`Problem::File`] if the CA file cannot be read.
    pub fn draft(&self, preferences: Preferences) -> Result<Preferences, Problem> {
        let before = self.get();
        Ok(self.that_hold(&self.kept.read(|kept| self.changed(kept, &before, preferences))?))
    }

    /// Returns the settings that differ from `before` in `wanted`, and that the organization locks.
    pub(crate) fn refused(&self, before: &Preferences, wanted: &Preferences) -> Vec<Setting> {
        let locked = self.policy.locked.settings();
        let wanted = Choices::between(before, wanted).settings();
        wanted.into_iter().filter(|setting| locked.contains(setting)).collect()
    }

    /// Returns the log server in effect.
    pub fn log_server(&self) -> LogServer {
        self.kept.read(|kept| {
            let chosen = self.policy.locked.clone().over(&kept.chosen).over(&self.policy.defaults);
            chosen.log_server.unwrap_or_default()
        })
    }

    /// Stores another log server, which was checked. One that the organization locks stays in effect.
    ///
    /// # Errors
    /// [`Problem::File`] if the preferences cannot be written. The earlier one then remains in effect.
    pub(crate) fn save_log_server(&self, log_server: LogServer) -> Result<(), Problem> {
        self.kept.try_change(|kept| {
            kept.chosen.log_server = Some(log_server);
            Ok(())
        })
    }

    fn changed(&self, kept: &Kept, before: &Preferences, preferences: Preferences) -> Result<Kept, Problem> {
        let wanted = Choices::between(before, &preferences).beside(&self.policy.locked);
        let chosen = checked(wanted)?.over(&kept.chosen);
        let is_same_site = preferences.last_site == before.last_site;
        let last_site = if is_same_site { kept.last_site.clone() } else { preferences.last_site };
        Ok(Kept { chosen, last_site })
    }

    fn that_hold(&self, kept: &Kept) -> Preferences {
        in_effect(&self.policy, kept.clone())
    }
}

fn in_effect(policy: &Policy, Kept { chosen, last_site }: Kept) -> Preferences {
    policy.locked.clone().over(&chosen).over(&policy.defaults).completed(last_site)
}

/// Validates settings.
fn checked(mut choices: Choices) -> Result<Choices, Problem> {
    choices.zoom = choices.zoom.map(|zoom| zoom.clamp(80, 200));
    if let Some(route) = choices.route {
        let form = ConnectionForm { route, ..ConnectionForm::default() };
        choices.route = Some(form.checked_route()?);
    }
    if let Some(ca_certificate) = choices.ca_certificate {
        let form = ConnectionForm { ca_certificate, ..ConnectionForm::default() };
        let authority = form.checked_authority()?;
        choices.ca_certificate = Some(authority.map(|path| path.display().to_string()).unwrap_or_default());
    }
    Ok(choices)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::{Language, ProgramConnection, Theme};
    use super::*;
    use crate::model::problem::FieldError;
    use crate::sites::ConnectionRoute;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("preferences.json");
        (folder, file)
    }

    fn open(file: &Path) -> PreferencesStore {
        PreferencesStore::open(file, Policy::default())
    }

    fn proxy(address: &str) -> ConnectionRoute {
        ConnectionRoute::Proxy { address: address.to_owned(), user: String::new(), exceptions: Vec::new() }
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
        open(&file).save(wanted.clone()).unwrap();

        let book = open(&file);

        assert_eq!(book.get(), wanted);
    }

    #[test]
    fn a_change_that_waited_for_the_keyring_keeps_what_was_changed_meanwhile() {
        let (_folder, file) = folder();
        let book = open(&file);
        let before = book.get();
        let connection = ProgramConnection {
            route: proxy("http://proxy.example.org:3128/"),
            ca_certificate: String::new(),
        };
        let wanted = Preferences { connection: connection.clone(), ..before.clone() };

        let meanwhile =
            Preferences { theme: Theme::Dark, last_site: Some(SiteId("a".to_owned())), ..before.clone() };
        book.save(meanwhile.clone()).unwrap();
        let saved = book.save_since(&before, wanted).unwrap();

        assert_eq!(saved, Preferences { connection, ..meanwhile });
        assert_eq!(open(&file).get(), saved);
    }

    #[test]
    fn a_broken_file_is_kept_aside_and_the_program_goes_on() {
        let (_folder, file) = folder();
        for broken in [
            "{ half a file",
            "[]",
            r#"{"format":1,"content":{"zoom":"large"}}"#,
            r#"{"format":1,"content":{"lofServer":{"isEnabled":true}}}"#,
            r#"{"format":2}"#,
        ] {
            std::fs::write(&file, broken).unwrap();

            let book = open(&file);

            assert_eq!(book.get(), Preferences::default(), "{broken}");
            book.save(Preferences::default()).unwrap();
        }
        let kept = std::fs::read_dir(file.parent().unwrap()).unwrap().map(|kept| kept.unwrap().path());
        let aside: Vec<_> = kept.filter(|kept| kept.is_file() && *kept != file).collect();
        assert_eq!(aside.len(), 5, "each has a name of its own, also within a second");
        assert!(aside.iter().any(|aside| std::fs::read_to_string(aside).unwrap() == "{ half a file"));
    }

    #[test]
    fn a_broken_file_that_cannot_be_set_aside_is_not_replaced() {
        let (folder, _) = folder();
        // So long that no suffix can be added to the name.
        let file = folder.path().join(format!("{}.json", "p".repeat(230)));
        std::fs::write(&file, "{ half a file").unwrap();

        let book = open(&file);
        let rejected = book.save(Preferences { zoom: 150, ..Preferences::default() });

        assert!(matches!(rejected, Err(Problem::File { .. })), "{rejected:?}");
        assert_eq!(book.get(), Preferences::default());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ half a file");
    }

    #[test]
    fn what_a_file_does_not_say_is_as_usual() {
        let (_folder, file) = folder();
        std::fs::write(&file, r#"{"format":1,"content":{"theme":"dark","zoom":900}}"#).unwrap();

        let book = open(&file);

        assert_eq!(book.get(), Preferences { theme: Theme::Dark, zoom: 200, ..Preferences::default() });
        assert!(file.exists());
    }

    #[test]
    fn a_proxy_that_is_none_is_refused_and_nothing_changes() {
        let (_folder, file) = folder();
        let book = open(&file);
        let connection = ProgramConnection { route: proxy("not an address"), ca_certificate: String::new() };

        let rejected = book.save(Preferences { connection, ..Preferences::default() });

        assert_eq!(
            rejected.unwrap_err(),
            Problem::form("connection.route.address", FieldError::NotAnAddress)
        );
        assert_eq!(book.get(), Preferences::default());
        assert!(!file.exists());
    }

    #[test]
    fn the_organisations_default_holds_until_a_person_chooses_and_its_lock_holds_always() {
        let (_folder, file) = folder();
        let policy = Policy {
            defaults: Choices { theme: Some(Theme::Dark), zoom: Some(125), ..Choices::default() },
            locked: Choices { reminders: Some(false), ..Choices::default() },
            ..Policy::default()
        };
        let book = PreferencesStore::open(&file, policy.clone());
        let first = book.get();
        assert_eq!((first.theme, first.zoom, first.reminders), (Theme::Dark, 125, false));

        // The theme is the built-in default, but the user chose it.
        let saved = book.save(Preferences { theme: Theme::System, reminders: true, ..first }).unwrap();

        assert_eq!((saved.theme, saved.zoom, saved.reminders), (Theme::System, 125, false));
        assert_eq!(PreferencesStore::open(&file, policy).get(), saved);
        // Neither a lock that is lifted nor a default is stored.
        let alone = open(&file).get();
        assert_eq!((alone.theme, alone.zoom, alone.reminders), (Theme::System, 100, true));
    }

    #[test]
    fn a_choice_that_was_locked_over_comes_back_when_the_lock_is_lifted() {
        let (_folder, file) = folder();
        open(&file).save(Preferences { language: Language::Es, ..Preferences::default() }).unwrap();
        let locked = Choices { language: Some(Language::De), ..Choices::default() };
        let book = PreferencesStore::open(&file, Policy { locked, ..Policy::default() });
        assert_eq!(book.get().language, Language::De);
        book.save(Preferences { zoom: 110, ..book.get() }).unwrap();

        assert_eq!(open(&file).get().language, Language::Es);
    }

    #[test]
    fn a_locked_certificate_that_is_not_there_does_not_keep_a_person_from_their_own_settings() {
        let (_folder, file) = folder();
        let locked = Choices { ca_certificate: Some("/nowhere/ca.pem".to_owned()), ..Choices::default() };
        let book = PreferencesStore::open(&file, Policy { locked, ..Policy::default() });

        let saved = book.save(Preferences { zoom: 150, ..book.get() }).unwrap();

        assert_eq!((saved.zoom, saved.connection.ca_certificate.as_str()), (150, "/nowhere/ca.pem"));
    }
}
