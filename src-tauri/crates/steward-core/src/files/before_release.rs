//! Data of versions before the first release, whose formats this version does not read.
//!
//! [`set_aside`] moves it as a whole. Such a journal has no mark of this program, and such a file of sites has a field
//! `version` instead of `format` (`docs/adr/0037`).

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;
use steward_journal::Journal;

use super::data_folder::{self, JOURNAL, SITES};
use super::json_store::LARGEST;
use super::known_files;

/// Names that are moved. The two that show the version come last: if the process ends in between, the next start moves
/// the rest.
const NAMES: [&str; 17] = [
    "copies",
    known_files::FOLDER,
    "preferences.json",
    "window.json",
    "uploads.json",
    "item-filters.json",
    "item-validations.json",
    "guided-tour.json",
    "announced-reminders.json",
    "checked-facts.json",
    "unsaved-invitations",
    "practice",
    "practice-exports",
    "journal.db-wal",
    "journal.db-shm",
    JOURNAL,
    SITES,
];

/// Moves data of a version before the first release to `before-release-<time>` in the data folder, and returns the new
/// folder; `None` if there is no such data.
pub(crate) fn set_aside(data_folder: &Path) -> anyhow::Result<Option<PathBuf>> {
    // If one of the two files is of a release, the other one is damaged, not old.
    let journal = data_folder.join(JOURNAL);
    let is_before = match is_of_before(&data_folder.join(SITES)) {
        Some(is_before) => is_before && !Journal::is_of_release(&journal),
        None => Journal::is_before_release(&journal),
    };
    if !is_before {
        return Ok(None);
    }
    let now = jiff::Timestamp::now().strftime("%Y-%m-%dT%H-%M-%SZ");
    let aside = data_folder.join(format!("before-release-{now}"));
    let mut names = NAMES.into_iter().filter(|name| data_folder.join(name).exists());
    let moved = data_folder::create_private(&aside)
        .and_then(|()| names.try_for_each(|name| std::fs::rename(data_folder.join(name), aside.join(name))));
    moved.with_context(|| {
        format!("data of a version before the first release cannot be moved to {}", aside.display())
    })?;
    tracing::warn!(folder = %aside.display(), "data of a version before the first release was set aside");
    Ok(Some(aside))
}

/// Returns whether a JSON file has a version instead of a format; `None` if it has neither, or cannot be read.
fn is_of_before(file: &Path) -> Option<bool> {
    let content: Value =
        serde_json::from_slice(&super::as_utf8(&super::read_whole(file, LARGEST).ok()?)).ok()?;
    match content.get("format") {
        Some(_) => Some(false),
        None => content["version"].is_u64().then_some(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_that_look_as_before_beside_a_history_of_a_release_are_damaged_and_stay() {
        let data = tempfile::tempdir().unwrap();
        drop(Journal::open(&data.path().join(JOURNAL)).unwrap());
        std::fs::write(data.path().join(SITES), r#"{ "version": 3 }"#).unwrap();

        assert_eq!(set_aside(data.path()).unwrap(), None);
        assert!(data.path().join(SITES).exists());
    }

    #[test]
    fn sites_of_before_the_release_are_set_aside_with_all_that_is_beside_them() {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("sites.json"), r#"{ "version": 3, "sites": [] }"#).unwrap();
        std::fs::create_dir(data.path().join("practice")).unwrap();
        for kept in ["practice/portal.db", "window.json", "policy-before.json", "in-use.lock"] {
            std::fs::write(data.path().join(kept), kept).unwrap();
        }

        let aside = set_aside(data.path()).unwrap().unwrap();

        assert_eq!(aside.parent(), Some(data.path()));
        for moved in ["sites.json", "practice/portal.db", "window.json"] {
            assert!(aside.join(moved).exists() && !data.path().join(moved).exists(), "{moved}");
        }
        for stays in ["policy-before.json", "in-use.lock"] {
            assert!(data.path().join(stays).exists(), "{stays}");
        }
        assert_eq!(set_aside(data.path()).unwrap(), None, "once");
    }

    #[test]
    fn files_of_a_newer_format_and_damaged_ones_stay_where_they_are() {
        for content in [r#"{ "format": 2, "version": 1 }"#, r#"{ "version": 3, "sit"#, "[]", ""] {
            let data = tempfile::tempdir().unwrap();
            std::fs::write(data.path().join("sites.json"), content).unwrap();
            std::fs::write(data.path().join("journal.db"), "no database").unwrap();

            assert_eq!(set_aside(data.path()).unwrap(), None, "{content}");
            assert_eq!(std::fs::read_to_string(data.path().join("sites.json")).unwrap(), content);
        }
    }
}
