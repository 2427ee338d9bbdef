//! Snapshots that the audit trail has entries of, with their contents. They show whether the file of the snapshots was
//! changed.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use steward_changes::{KEPT, StoredSnapshot};
use steward_journal::trail::export::Entry;
use steward_journal::{Journal, JournalError};

use crate::files::data_folder::CHANGES;
use crate::history::record::History;
use crate::model::numbers::Millis;

/// Whether the contents of a snapshot are those that the audit trail has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    AsTaken,
    Changed,
    /// The trail has no entry of the snapshot: the app ended before it was written, or the trail is another one.
    NotRecorded,
}

/// The snapshots of which the audit trail has an entry.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    /// Snapshots by the identifiers of their sites.
    all: BTreeMap<String, Vec<Taken>>,
    /// Last time when the file of the snapshots could not be read: those taken before are known to be lost.
    unreadable_at: i64,
}

#[derive(Debug)]
struct Taken {
    at: i64,
    id: i64,
    sha256: String,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    at: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    site: String,
    snapshot: i64,
    sha256: String,
    operation: String,
    file: String,
}

impl Recorded {
    /// Reads what the audit trail has of snapshots; nothing if it cannot be read.
    pub(super) async fn read(history: &History) -> Self {
        let read = history.journal(Self::of_journal).await;
        read.unwrap_or_else(|problem| {
            tracing::warn!(?problem, "the entries of the snapshots are not read");
            Self::default()
        })
    }

    fn of_journal(journal: &Journal) -> Result<Self, JournalError> {
        let mut recorded = Self::default();
        journal.entries_about_snapshots()?.iter().for_each(|entry| recorded.add(entry));
        Ok(recorded)
    }

    fn add(&mut self, entry: &Entry) {
        let Ok(Envelope { at, kind }) = serde_json::from_str(&entry.envelope) else { return };
        let body = entry.body.as_deref().unwrap_or_default();
        let body: Body = serde_json::from_str(body).unwrap_or_default();
        let at = at.parse().map_or(0, jiff::Timestamp::as_millisecond);
        match kind {
            "snapshot.taken" => {
                let taken = Taken { at, id: body.snapshot, sha256: body.sha256 };
                self.all.entry(body.site).or_default().push(taken);
            }
            // The snapshots of a site are removed with it.
            "site.changed" if body.operation == "remove_site" => drop(self.all.remove(&body.site)),
            "file.unreadable" if body.file == CHANGES => self.unreadable_at = at,
            _ => {}
        }
    }

    /// Returns whether a snapshot of this number has these contents.
    pub(super) fn proof(&self, site: &str, id: i64, sha256: &str) -> Proof {
        let mut all = self.of(site).filter(|one| one.id == id).peekable();
        match all.peek().is_some() {
            false => Proof::NotRecorded,
            true if all.any(|one| one.sha256 == sha256) => Proof::AsTaken,
            true => Proof::Changed,
        }
    }

    /// Returns the times of the snapshots that should still be there, and are not, newest first.
    pub(super) fn missing(&self, site: &str, stored: &[StoredSnapshot], now: Millis) -> Vec<Millis> {
        let stored: BTreeSet<_> = stored.iter().map(|one| (one.id, one.sha256.as_str())).collect();
        let oldest = self.unreadable_at.max(now.0 - KEPT);
        let is_missing = |one: &&Taken| one.at > oldest && !stored.contains(&(one.id, one.sha256.as_str()));
        let mut missing: Vec<_> = self.of(site).filter(is_missing).map(|one| Millis(one.at)).collect();
        missing.reverse();
        missing
    }

    fn of(&self, site: &str) -> impl Iterator<Item = &Taken> {
        self.all.get(site).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use steward_changes::Cause;
    use steward_journal::trail::{Event, OfRecord};

    use super::*;

    fn taken(site: &str, snapshot: i64, sha256: &str) -> Event {
        let (site, sha256) = (site.to_owned(), sha256.to_owned());
        Event::SnapshotTaken { site, site_name: String::new(), snapshot, sha256 }
    }

    fn stored(id: i64, sha256: &str) -> StoredSnapshot {
        StoredSnapshot {
            id,
            at: 0,
            ended_at: 0,
            cause: Cause::Plan,
            sha256: sha256.to_owned(),
            failure: String::new(),
            gaps: Vec::new(),
            places: BTreeMap::new(),
        }
    }

    fn journal() -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
        (folder, journal)
    }

    #[test]
    fn a_snapshot_is_known_by_its_number_with_its_contents() {
        let (_folder, journal) = journal();
        journal.append_all(&[taken("a", 1, "aa"), taken("a", 2, "bb"), taken("b", 3, "aa")]).unwrap();
        let recorded = Recorded::of_journal(&journal).unwrap();
        for (site, id, sha256, expected) in [
            ("a", 1, "aa", Proof::AsTaken),
            ("a", 2, "bb", Proof::AsTaken),
            ("a", 2, "aa", Proof::Changed),
            ("a", 1, "cc", Proof::Changed),
            ("a", 3, "aa", Proof::NotRecorded),
            ("b", 3, "aa", Proof::AsTaken),
        ] {
            assert_eq!(recorded.proof(site, id, sha256), expected, "{site} {id} {sha256}");
        }
        // If a part of its write-ahead log is lost, the database assigns a number a second time.
        journal.append(&taken("a", 2, "cc")).unwrap();
        let recorded = Recorded::of_journal(&journal).unwrap();
        assert_eq!(recorded.proof("a", 2, "cc"), Proof::AsTaken);
        let missing = recorded.missing("a", &[stored(1, "aa"), stored(2, "cc")], Millis::now());
        assert_eq!(missing.len(), 1);
    }

    #[test]
    fn only_what_should_still_be_there_is_missing() {
        let (_folder, journal) = journal();
        journal.append_all(&[taken("a", 1, "aa"), taken("b", 2, "bb")]).unwrap();
        let recorded = Recorded::of_journal(&journal).unwrap();
        assert_eq!(recorded.missing("a", &[stored(1, "aa")], Millis::now()), []);
        assert_eq!(recorded.missing("a", &[], Millis::now()).len(), 1);
        assert_eq!(recorded.missing("a", &[], Millis(Millis::now().0 + KEPT + 1)), [], "it is too old");
        let removed =
            OfRecord { operation: "remove_site".to_owned(), site: "a".to_owned(), ..OfRecord::default() };
        journal.append(&Event::SiteChanged(removed)).unwrap();
        let recorded = Recorded::of_journal(&journal).unwrap();
        assert_eq!(recorded.missing("a", &[], Millis::now()), []);
        assert_eq!(recorded.missing("b", &[], Millis::now()).len(), 1);
        let (file, path) = (CHANGES.to_owned(), "/changes.db".to_owned());
        journal.append(&Event::FileUnreadable { file, path }).unwrap();
        assert_eq!(Recorded::of_journal(&journal).unwrap().missing("b", &[], Millis::now()), []);
    }
}
