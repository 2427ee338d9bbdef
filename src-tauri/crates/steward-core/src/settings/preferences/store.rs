//! What a person chose, in one small file, written whole. A file that cannot be read costs the preferences and nothing
//! else, so it is kept aside, said, and the program goes on with the usual ones.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use super::{Choices, Preferences, ProgramConnection};
use crate::model::ids::SiteId;
use crate::model::problem::Problem;
use crate::settings::policy::Policy;
use crate::sites::ConnectionForm;

/// The version that this program writes.
const VERSION: u32 = 2;

/// What is in the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    #[serde(flatten)]
    chosen: Choices,
    #[serde(default)]
    last_site: Option<SiteId>,
}

/// The preferences of this person, their file, and what stands above and below them.
pub struct PreferencesBook {
    file: PathBuf,
    kept: Mutex<Kept>,
    /// What the organisation decides.
    pub policy: Policy,
    /// Where the file of before was put, when it could not be read.
    pub set_aside: Option<PathBuf>,
}

impl PreferencesBook {
    /// Reads what was chosen; nothing when there is no file, or none that can be read.
    #[must_use]
    pub fn open(file: &Path, policy: Policy) -> Self {
        let (kept, set_aside) = match read(file) {
            Ok(kept) => (kept, None),
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "the preferences cannot be read");
                (Kept::default(), put_aside(file))
            }
        };
        Self { file: file.to_owned(), kept: Mutex::new(kept), policy, set_aside }
    }

    /// All of them, as they hold.
    pub fn get(&self) -> Preferences {
        self.that_hold(&self.lock())
    }

    /// Keeps what differs from before as this person's choice. What the organisation locked stays as it is.
    ///
    /// # Errors
    /// When one of them is none, or the file cannot be written: then the ones of before stay.
    pub fn save(&self, preferences: Preferences) -> Result<Preferences, Problem> {
        let mut kept = self.lock();
        let now = self.changed(&kept, preferences)?;
        write(&self.file, &now)?;
        *kept = now;
        Ok(self.that_hold(&kept))
    }

    /// What saving would make of them. Nothing changes.
    ///
    /// # Errors
    /// When one of them is none.
    pub fn draft(&self, preferences: Preferences) -> Result<Preferences, Problem> {
        Ok(self.that_hold(&self.changed(&self.lock(), preferences)?))
    }

    fn changed(&self, kept: &Kept, preferences: Preferences) -> Result<Kept, Problem> {
        let before = self.that_hold(kept);
        let wanted = Choices::between(&before, &preferences).beside(&self.policy.locked);
        let chosen = checked(wanted)?.over(&kept.chosen);
        Ok(Kept { chosen, last_site: preferences.last_site })
    }

    fn that_hold(&self, kept: &Kept) -> Preferences {
        let Kept { chosen, last_site } = kept.clone();
        self.policy.locked.clone().over(&chosen).over(&self.policy.defaults).completed(last_site)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        // Replaced as a whole, when it is on disk.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same with everything in order.
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

fn read(file: &Path) -> anyhow::Result<Kept> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Kept::default()),
        Err(error) => return Err(error.into()),
    };
    let Versioned { version } = serde_json::from_slice(&bytes)?;
    match version {
        VERSION => Ok(serde_json::from_slice(&bytes)?),
        1 => {
            let kept = of_version_1(&bytes)?;
            let copy = file.with_file_name("preferences-v1.json");
            if !copy.exists() {
                crate::files::write_whole(&copy, &bytes)
                    .with_context(|| format!("the copy {} cannot be written", copy.display()))?;
            }
            Ok(kept)
        }
        newer => anyhow::bail!("they are of format {newer}"),
    }
}

/// The first format held every setting, chosen or not: what is as usual was left so.
fn of_version_1(bytes: &[u8]) -> serde_json::Result<Kept> {
    #[derive(Deserialize)]
    struct Version1 {
        #[serde(flatten)]
        chosen: Choices,
        connection: Option<ProgramConnection>,
        #[serde(rename = "lastSite")]
        last_site: Option<SiteId>,
    }
    let Version1 { chosen, connection, last_site } = serde_json::from_slice(bytes)?;
    let mut all = chosen.completed(None);
    all.connection = connection.unwrap_or(all.connection);
    Ok(Kept { chosen: Choices::between(&Preferences::default(), &all), last_site })
}

fn write(file: &Path, kept: &Kept) -> Result<(), Problem> {
    let not_written = "the preferences could not be written down";
    let mut saved = serde_json::to_value(kept).context(not_written)?;
    saved["version"] = VERSION.into();
    let bytes = serde_json::to_vec_pretty(&saved).context(not_written)?;
    crate::files::write_whole(file, &bytes).map_err(|error| Problem::file(file, &error))
}

/// Moves the file to a name that is not taken, and says which.
fn put_aside(file: &Path) -> Option<PathBuf> {
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ");
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
    use super::super::{Language, Theme};
    use super::*;
    use crate::model::problem::Fault;
    use crate::sites::SavedRoute;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("preferences.json");
        (folder, file)
    }

    fn open(file: &Path) -> PreferencesBook {
        PreferencesBook::open(file, Policy::default())
    }

    fn proxy(address: &str) -> SavedRoute {
        SavedRoute::Proxy { address: address.to_owned(), user: String::new(), exceptions: Vec::new() }
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
        assert_eq!(book.set_aside, None);
    }

    #[test]
    fn a_broken_file_is_kept_aside_and_the_program_goes_on() {
        let (_folder, file) = folder();
        for broken in ["{ half a file", "[]", r#"{ "version": 2, "zoom": "large" }"#, r#"{ "version": 3 }"#] {
            std::fs::write(&file, broken).unwrap();

            let book = open(&file);

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
        std::fs::write(&file, r#"{ "version": 2, "theme": "dark", "zoom": 900, "unheardOf": 1 }"#).unwrap();

        let book = open(&file);

        assert_eq!(book.get(), Preferences { theme: Theme::Dark, zoom: 200, ..Preferences::default() });
        assert_eq!(book.set_aside, None);
    }

    #[test]
    fn a_proxy_that_is_none_is_refused_and_nothing_changes() {
        let (_folder, file) = folder();
        let book = open(&file);
        let connection = ProgramConnection { route: proxy("not an address"), ca_certificate: String::new() };

        let refused = book.save(Preferences { connection, ..Preferences::default() });

        assert_eq!(refused.unwrap_err(), Problem::form("connection.route.address", Fault::NotAnAddress));
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
        let book = PreferencesBook::open(&file, policy.clone());
        let first = book.get();
        assert_eq!((first.theme, first.zoom, first.reminders), (Theme::Dark, 125, false));

        // As usual, but chosen.
        let saved = book.save(Preferences { theme: Theme::System, reminders: true, ..first }).unwrap();

        assert_eq!((saved.theme, saved.zoom, saved.reminders), (Theme::System, 125, false));
        assert_eq!(PreferencesBook::open(&file, policy).get(), saved);
        // A lock that is lifted leaves nothing behind, and neither does a default.
        let alone = open(&file).get();
        assert_eq!((alone.theme, alone.zoom, alone.reminders), (Theme::System, 100, true));
    }

    #[test]
    fn a_choice_that_was_locked_over_comes_back_when_the_lock_is_lifted() {
        let (_folder, file) = folder();
        open(&file).save(Preferences { language: Language::Es, ..Preferences::default() }).unwrap();
        let locked = Choices { language: Some(Language::De), ..Choices::default() };
        let book = PreferencesBook::open(&file, Policy { locked, ..Policy::default() });
        assert_eq!(book.get().language, Language::De);
        book.save(Preferences { zoom: 110, ..book.get() }).unwrap();

        assert_eq!(open(&file).get().language, Language::Es);
    }

    #[test]
    fn a_locked_certificate_that_is_not_there_does_not_keep_a_person_from_their_own_settings() {
        let (_folder, file) = folder();
        let locked = Choices { ca_certificate: Some("/nowhere/ca.pem".to_owned()), ..Choices::default() };
        let book = PreferencesBook::open(&file, Policy { locked, ..Policy::default() });

        let saved = book.save(Preferences { zoom: 150, ..book.get() }).unwrap();

        assert_eq!((saved.zoom, saved.connection.ca_certificate.as_str()), (150, "/nowhere/ca.pem"));
    }

    #[test]
    fn a_file_of_the_first_format_keeps_what_was_changed_and_leaves_the_rest_to_the_organisation() {
        let (folder, file) = folder();
        let before = r#"{ "theme": "dark", "language": "system", "zoom": 100, "notifications": true,
            "reminders": true, "connection": { "route": { "kind": "direct" }, "caCertificate": "" },
            "lastSite": "a", "version": 1 }"#;
        std::fs::write(&file, before).unwrap();
        let defaults = Choices {
            theme: Some(Theme::Light),
            language: Some(Language::De),
            route: Some(proxy("http://proxy.example.org:3128/")),
            ..Choices::default()
        };

        let book = PreferencesBook::open(&file, Policy { defaults, ..Policy::default() });

        let held = book.get();
        assert_eq!((held.theme, held.language), (Theme::Dark, Language::De));
        assert_eq!(held.connection.route, SavedRoute::Direct);
        assert_eq!(held.last_site, Some(SiteId("a".to_owned())));
        let copy = std::fs::read_to_string(folder.path().join("preferences-v1.json")).unwrap();
        assert_eq!(copy, before);
    }
}
