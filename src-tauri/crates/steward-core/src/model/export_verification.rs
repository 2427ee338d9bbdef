//! Verification of an export file on this computer, as shown in the window and stored in the history.

use serde::{Deserialize, Serialize};
use steward_journal::Outcome;

use crate::model::ids::{RecordId, SiteId};
use crate::model::numbers::{Bytes, Millis};

/// Result of reading an export file completely.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportVerification {
    /// Size of the file.
    pub size: Bytes,
    /// Number of entries in the directory of the archive; 0 if the file is not a complete archive.
    pub entries: u32,
    /// Number of entries whose checksums were not compared, because their compression or encryption is not supported.
    pub unverified_entries: u32,
    /// Whether the names of the entries are those of an export of this kind. An archive of other files is not verified.
    #[serde(default = "is_recognized")]
    pub is_recognized: bool,
    /// Reason why the file is not a complete archive; `null` if it is.
    pub fault: Option<ArchiveFault>,
    /// Usual size of earlier exports of the same portal or server; `null` if none was verified before.
    pub usual_size: Option<Bytes>,
    /// Time of the last change of the file when it was read; `None` if it is not known. For the history only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[specta(skip)]
    pub modified_at: Option<Millis>,
}

/// Largest difference between two modification times of an unchanged file, in milliseconds: file systems round times,
/// and a network share reports the time of its own clock only after a delay.
const SAME_TIME: u64 = 2_000;

/// Returns the value for verifications that an earlier version stored, which did not check names.
const fn is_recognized() -> bool {
    true
}

/// Factor by which a file must be smaller than usual to count as much smaller.
pub const MUCH_SMALLER: u64 = 10;

impl ExportVerification {
    /// Returns whether the file is an export, and every entry was compared with its checksum.
    pub const fn is_verified(&self) -> bool {
        self.fault.is_none() && self.is_recognized && self.unverified_entries == 0
    }

    /// Returns whether the file is not the export that was made: it has a fault, or is not recognized as an export.
    pub const fn is_faulty(&self) -> bool {
        self.fault.is_some() || !self.is_recognized
    }

    /// Returns whether the file is complete and undamaged, but not recognized as an export.
    pub const fn is_another_archive(&self) -> bool {
        self.fault.is_none() && !self.is_recognized && self.unverified_entries == 0
    }

    /// Returns whether a file with this size and this time of its last change is still the one that was read.
    pub fn is_of(&self, size: u64, modified_at: Option<Millis>) -> bool {
        is_same_file((self.size.0, self.modified_at), (size, modified_at))
    }

    /// Returns the usual size if the file is much smaller.
    pub fn usual_if_much_smaller(&self) -> Option<Bytes> {
        self.usual_size.filter(|usual| self.size.0.saturating_mul(MUCH_SMALLER) <= usual.0)
    }
}

/// Returns whether a file is still the one that it was, by its size and the time of its last change. Where a time is not known, the
/// size decides.
#[must_use]
pub fn is_same_file(then: (u64, Option<Millis>), now: (u64, Option<Millis>)) -> bool {
    let times = then.1.zip(now.1);
    then.0 == now.0 && times.is_none_or(|(then, now)| then.0.abs_diff(now.0) <= SAME_TIME)
}

/// Reason why a file is not a complete archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ArchiveFault {
    /// The file cannot be read.
    Unread,
    /// The file is empty.
    Empty,
    /// The file does not begin like an archive.
    NoArchive,
    /// The end of the file, or a part before it, is missing.
    Cut,
    /// The archive has no entries.
    NoEntries,
    /// The file on this computer differs from what was received.
    Changed,
    /// An entry cannot be read, does not match its size or checksum, or its description differs from that in the
    /// directory.
    Damaged,
    /// Entries share bytes, expand to more than any export does, or have names that lead out of the archive.
    Implausible,
    /// An earlier export has the same content, so the file does not have the current state of the site.
    Earlier,
}

/// Newest verified export of a portal or server, and a newer one that is only partly verified, from the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportState {
    /// Time when the newest export with only verified entries began; `null` if there is none.
    pub verified: Option<Millis>,
    /// Whether that export ended with warnings.
    pub has_warnings: bool,
    /// Newest complete export after that one that is not verified: entries could not be verified, or the file is not
    /// recognized as an export. `null` if there is none.
    pub partly_verified: Option<PartlyVerified>,
}

/// Complete export with entries that could not be verified, or that is not recognized as an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PartlyVerified {
    /// Time of the export.
    pub at: Millis,
    /// Number of entries that could not be verified.
    pub unverified_entries: u32,
    /// Whether the file is recognized as an export.
    pub is_recognized: bool,
}

/// Rehearsal of a restore on a site marked as test, which has ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Rehearsal {
    /// History entry of its receipt.
    pub record: RecordId,
    /// Time when it ended.
    pub at: Millis,
    /// Outcome: succeeded only if every part was back.
    pub outcome: Outcome,
    /// Number of parts of the set after whose import the test site was back.
    pub back: u32,
    /// Number of parts of the set.
    pub of: u32,
    /// Site that it was rehearsed on.
    pub site: SiteId,
    /// Name of that site.
    pub site_name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_of_a_file_is_known_also_when_it_is_read_from_the_history() {
        for (is_recognized, unverified_entries, expected) in [
            (true, 0, (true, false)),
            (true, 3, (false, false)),
            (false, 0, (false, true)),
            (false, 3, (false, false)),
        ] {
            let (size, entries) = (Bytes(1_000), 431);
            let verification = ExportVerification {
                size,
                entries,
                unverified_entries,
                is_recognized,
                fault: None,
                usual_size: None,
                modified_at: None,
            };

            let stored = serde_json::to_string(&verification).unwrap();
            let read: ExportVerification = serde_json::from_str(&stored).unwrap();

            assert_eq!((read.is_verified(), read.is_another_archive()), expected, "{read:?}");
        }
    }
}
