//! To which time a site is recoverable. What [`judge`] returns depends on its arguments only.

#![deny(clippy::wildcard_enum_match_arm)]

use serde::Serialize;
use steward_client::Version;
use steward_client::listing::REPORTS_BACKUPS;
use steward_core::model::checked::{BackupKind, CheckedBackup, ExpiryFact, FileFound};
use steward_core::model::export_verification::Rehearsal;
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_plans::plan::PlanId;

/// Time to which a site can be restored, and what it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Recoverability {
    /// Verdict about the exports.
    pub to: RecoverableTo,
    /// Portal, and then the servers in their order.
    pub parts: Vec<RecoverablePart>,
    /// Backup of the data stores, which are not included in an export.
    pub data_stores: DataStores,
    /// Last rehearsal that imported an export of the site; `null` if there was none.
    pub rehearsed: Option<Rehearsal>,
}

impl Recoverability {
    /// Returns whether a part has a verified export of the version of the site.
    #[must_use]
    pub fn has_verified(&self) -> bool {
        self.parts.iter().any(|part| part.state == PartRecovery::Verified)
    }
}

/// Time to which a site can be restored from its exports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RecoverableTo {
    /// Each part has a verified export of the version of the site. The site can be restored to the time of the oldest
    /// one.
    Time {
        /// Time of the oldest of these exports.
        at: Millis,
        /// Earliest time by which a backup plan should have left a newer export of a part; `null` if no plan exports a
        /// part by schedule.
        expected_by: Option<Millis>,
    },
    /// It is not known whether each part has such an export.
    NotKnown,
    /// A part has no such export.
    No,
    /// The deployment type has no exports.
    NotOffered,
}

/// The newest export of a portal or server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RecoverablePart {
    /// Server; `null` for the portal.
    pub server: Option<ServerId>,
    /// Whether the part can be restored from it.
    pub state: PartRecovery,
    /// Time when the export began; `null` if there is no export.
    pub at: Option<Millis>,
    /// Version of the site at that time; empty if it is not known.
    pub version: String,
    /// Location of the export; `null` if it is not known.
    pub place: Option<CopyPlace>,
    /// Whether the export ended with warnings.
    pub has_warnings: bool,
}

/// Whether a portal or server can be restored from its newest verified export, or from the newest one if none was
/// verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PartRecovery {
    /// Every entry was verified, and the export has the version of the site.
    Verified,
    /// The file of the export was not verified on this computer.
    NotVerified,
    /// The version of the export or of the site is not known.
    VersionNotKnown,
    /// The export has another version than the site, and cannot be imported.
    OtherVersion {
        /// Version of the site.
        now: String,
    },
    /// The file of the export was not found on this computer.
    FileMissing {
        /// Time of the check.
        checked_at: Millis,
    },
    /// The file of the export was changed after it was verified.
    FileChanged {
        /// Time of the check.
        checked_at: Millis,
    },
    /// The folder of the file cannot be read, so it is not known whether the file still exists.
    FileNotKnown {
        /// Time of the check.
        checked_at: Millis,
    },
    /// Its URL leads to the same server as that of another one, whose content the export has.
    SameServer {
        /// The other server.
        other: ServerId,
    },
    /// A server did not return its machine, so it is not known whether its URL leads to the same server as an earlier
    /// one.
    MachineNotKnown,
    /// There is no export.
    Never,
}

/// Location of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CopyPlace {
    /// Kind of place.
    pub kind: CopyKind,
    /// Folder, or name of the bucket; empty for an upload.
    pub name: String,
    /// Backup plan that the folder belongs to; `null` for none.
    pub plan: Option<PlanId>,
    /// Name of that plan; empty for none.
    pub plan_name: String,
    /// Folder of the backup set in that folder; `null` if the file is in none.
    pub set: Option<String>,
}

/// Kind of location of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CopyKind {
    /// A folder of this computer. It might be on a network drive.
    Folder,
    /// A network share.
    Share,
    /// A bucket or blob container.
    Bucket,
    /// A folder of a machine of the site.
    Site,
    /// Among the uploads of a server.
    Upload,
}

/// Whether the data stores are in a backup of the vendor's backup utility.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DataStores {
    /// The portal reports a backup.
    Backup {
        /// The last backup that can be restored.
        backup: CheckedBackup,
        /// Time of the check.
        checked_at: Option<Millis>,
    },
    /// The site has no portal, and so no hosted layers.
    NoPortal,
    /// The site has no hosted layers.
    NothingHosted,
    /// Not known whether they are in a backup.
    NotKnown {
        /// Reason.
        why: WhyNotKnown,
    },
    /// The site has hosted layers, and the portal reports no backup: a user has to create one.
    Missing {
        /// Time of the check.
        checked_at: Option<Millis>,
    },
}

/// Reason why it is not known whether the data stores are in a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WhyNotKnown {
    /// The backups of the portal were never checked.
    NotChecked,
    /// Portals before version 11.0 do not report backups, and other deployment types do not report them in this way.
    NotOffered,
    /// The last check failed.
    Failed {
        /// Reason as text; may be empty.
        reason: String,
    },
    /// The portal reports no backup, and whether the site has hosted layers is not known.
    HostedNotKnown,
}

/// Facts that the verdict of a site depends on.
pub(super) struct SiteFacts<'f> {
    /// Whether the deployment type has exports.
    pub has_exports: bool,
    /// Facts of the portal and of the servers.
    pub parts: Vec<PartFacts>,
    /// Facts of the portal; `None` without one.
    pub portal: Option<PortalFacts<'f>>,
    /// Last rehearsal.
    pub rehearsed: Option<Rehearsal>,
}

/// Facts of a portal or server.
pub(super) struct PartFacts {
    /// Server; `None` for the portal.
    pub server: Option<ServerId>,
    /// Newest verified export.
    pub verified: Option<Export>,
    /// Newest export.
    pub last: Option<Export>,
    /// Version by the last check.
    pub version: Option<String>,
    /// Result of a check that did not find the file of the verified export, and its time.
    pub file: Option<(FileFound, Millis)>,
    /// Time until which a backup plan has a newer export.
    pub expected_by: Option<Millis>,
    /// An earlier server that its URL leads to as well; `None` if there is none.
    pub same_as: Option<ServerId>,
    /// Whether that is not known of an earlier one.
    pub might_be_same: bool,
}

/// An export.
#[derive(Clone)]
pub(super) struct Export {
    /// When it began.
    pub at: Millis,
    /// Version of the site; may be empty.
    pub version: String,
    /// Where it is.
    pub place: Option<CopyPlace>,
    /// Whether it ended with warnings.
    pub has_warnings: bool,
}

/// Facts of the data stores of a portal.
pub(super) struct PortalFacts<'f> {
    /// Version by the last check.
    pub version: Option<&'f str>,
    /// Backups that it reports.
    pub backups: Option<&'f ExpiryFact<CheckedBackup>>,
    /// Whether its servers have hosted layers; `None` if that is not known.
    pub has_hosted: Option<bool>,
}

/// Returns to which time a site is recoverable.
pub(super) fn judge(site: SiteFacts<'_>) -> Recoverability {
    let expected_by = site.parts.iter().filter_map(|part| part.expected_by).min();
    let parts: Vec<_> = site.parts.into_iter().map(part).collect();
    let to = match parts.iter().map(|part| rank(&part.state)).max() {
        _ if !site.has_exports => RecoverableTo::NotOffered,
        Some(Rank::Good) => match parts.iter().filter_map(|part| part.at).min() {
            Some(at) => RecoverableTo::Time { at, expected_by },
            None => RecoverableTo::No,
        },
        Some(Rank::NotKnown) => RecoverableTo::NotKnown,
        Some(Rank::Bad) | None => RecoverableTo::No,
    };
    let data_stores = site.portal.map_or(DataStores::NoPortal, data_stores);
    Recoverability { to, parts, data_stores, rehearsed: site.rehearsed }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Good,
    NotKnown,
    Bad,
}

fn rank(state: &PartRecovery) -> Rank {
    match state {
        PartRecovery::Verified => Rank::Good,
        PartRecovery::NotVerified
        | PartRecovery::VersionNotKnown
        | PartRecovery::SameServer { .. }
        | PartRecovery::MachineNotKnown
        | PartRecovery::FileNotKnown { .. } => Rank::NotKnown,
        PartRecovery::OtherVersion { .. }
        | PartRecovery::FileMissing { .. }
        | PartRecovery::FileChanged { .. }
        | PartRecovery::Never => Rank::Bad,
    }
}

impl RecoverablePart {
    /// Returns whether it is known that the part cannot be restored from its exports.
    pub(super) fn is_lost(&self) -> bool {
        rank(&self.state) == Rank::Bad
    }
}

fn part(facts: PartFacts) -> RecoverablePart {
    let PartFacts { server, verified, last, version: now, file, expected_by: _, same_as, might_be_same } =
        facts;
    let (state, export) = match (verified, last) {
        (Some(export), _) => (of_verified(&export, now, file), Some(export)),
        (None, Some(export)) => (PartRecovery::NotVerified, Some(export)),
        (None, None) => (PartRecovery::Never, None),
    };
    // An export that cannot be restored stays one, whichever server it is of.
    let state = match same_as {
        Some(other) if rank(&state) != Rank::Bad => PartRecovery::SameServer { other },
        None if might_be_same && rank(&state) == Rank::Good => PartRecovery::MachineNotKnown,
        _ => state,
    };
    let at = export.as_ref().map(|export| export.at);
    let has_warnings = export.as_ref().is_some_and(|export| export.has_warnings);
    let (version, place) = export.map(|export| (export.version, export.place)).unwrap_or_default();
    RecoverablePart { server, state, at, version, place, has_warnings }
}

fn of_verified(export: &Export, now: Option<String>, file: Option<(FileFound, Millis)>) -> PartRecovery {
    match file {
        Some((FileFound::Gone, checked_at)) => return PartRecovery::FileMissing { checked_at },
        Some((FileFound::Changed, checked_at)) => return PartRecovery::FileChanged { checked_at },
        Some((FileFound::There | FileFound::NotKnown, _)) | None => {}
    }
    let fits = match (Version::parse(&export.version), now.as_deref().and_then(Version::parse), now) {
        (Some(export), Some(site), Some(now)) if export != site => PartRecovery::OtherVersion { now },
        (Some(_), Some(_), _) => PartRecovery::Verified,
        (None, _, _) | (_, None, _) => PartRecovery::VersionNotKnown,
    };
    match file {
        Some((FileFound::NotKnown, checked_at)) if fits == PartRecovery::Verified => {
            PartRecovery::FileNotKnown { checked_at }
        }
        _ => fits,
    }
}

fn data_stores(portal: PortalFacts<'_>) -> DataStores {
    let not_known = |why| DataStores::NotKnown { why };
    if portal.has_hosted == Some(false) {
        return DataStores::NothingHosted;
    }
    let is_older = portal.version.and_then(Version::parse).is_some_and(|version| version < REPORTS_BACKUPS);
    let Some(facts) = portal.backups.filter(|_| !is_older) else {
        return not_known(if is_older { WhyNotKnown::NotOffered } else { WhyNotKnown::NotChecked });
    };
    let checked = &facts.checked;
    match (&checked.value, checked.failed_at) {
        (_, Some(_)) => not_known(WhyNotKnown::Failed { reason: facts.gap.clone().unwrap_or_default() }),
        (None, None) => not_known(WhyNotKnown::NotChecked),
        (Some(all), None) => match (last_usable(all), portal.has_hosted) {
            (Some(backup), _) => DataStores::Backup { backup, checked_at: checked.checked_at },
            (None, Some(_)) => DataStores::Missing { checked_at: checked.checked_at },
            (None, None) => not_known(WhyNotKnown::HostedNotKnown),
        },
    }
}

/// Returns the last backup that can be restored: an incremental one needs the full one before it.
fn last_usable(all: &[CheckedBackup]) -> Option<CheckedBackup> {
    let of = |kind| all.iter().filter(move |one| one.kind == kind).max_by_key(|one| one.at).copied();
    let full = of(BackupKind::Full);
    let incremental = of(BackupKind::Incremental).filter(|one| full.is_some_and(|full| full.at <= one.at));
    [full, of(BackupKind::BackupMode), incremental].into_iter().flatten().max_by_key(|one| one.at)
}

#[cfg(test)]
mod tests {
    use steward_core::model::checked::Checked;

    use super::*;

    fn export(at: i64, version: &str) -> Export {
        Export { at: Millis(at), version: version.to_owned(), place: None, has_warnings: false }
    }

    fn facts(verified: Option<Export>, last: Option<Export>) -> PartFacts {
        PartFacts {
            server: None,
            verified,
            last,
            version: Some("11.3".to_owned()),
            file: None,
            expected_by: None,
            same_as: None,
            might_be_same: false,
        }
    }

    fn site(parts: Vec<PartFacts>) -> SiteFacts<'static> {
        SiteFacts { has_exports: true, parts, portal: None, rehearsed: None }
    }

    #[test]
    fn a_site_is_recoverable_only_to_the_time_at_which_every_part_has_a_verified_export() {
        let good = |at| facts(Some(export(at, "11.3.0")), Some(export(at, "11.3.0")));
        let to = |parts| judge(site(parts)).to;
        let time = |at| RecoverableTo::Time { at: Millis(at), expected_by: None };
        assert_eq!(to(vec![good(30), good(10), good(20)]), time(10));
        // Verified once, and not verified since: the older one counts.
        assert_eq!(to(vec![facts(Some(export(5, "11.3")), Some(export(40, "11.3")))]), time(5));
        assert_eq!(to(vec![good(30), facts(None, Some(export(40, "11.3")))]), RecoverableTo::NotKnown);
        assert_eq!(to(vec![good(30), facts(None, None)]), RecoverableTo::No);
        assert_eq!(to(vec![good(30), PartFacts { version: None, ..good(30) }]), RecoverableTo::NotKnown);
        assert_eq!(to(vec![facts(Some(export(30, "")), None)]), RecoverableTo::NotKnown);
        assert_eq!(to(vec![facts(Some(export(30, "11.2")), None)]), RecoverableTo::No);
        let with = |found| PartFacts { file: Some((found, Millis(50))), ..good(30) };
        assert_eq!(to(vec![good(30), with(FileFound::Gone)]), RecoverableTo::No);
        assert_eq!(to(vec![good(30), with(FileFound::NotKnown)]), RecoverableTo::NotKnown);
        let same_as = Some(ServerId("hosting".to_owned()));
        assert_eq!(to(vec![good(30), PartFacts { same_as, ..good(30) }]), RecoverableTo::NotKnown);
        assert_eq!(to(Vec::new()), RecoverableTo::No);
        let kubernetes = SiteFacts { has_exports: false, ..site(vec![good(1)]) };
        assert_eq!(judge(kubernetes).to, RecoverableTo::NotOffered);
    }

    fn reported(backups: &[(BackupKind, i64)]) -> ExpiryFact<CheckedBackup> {
        let all = backups.iter().map(|(kind, at)| CheckedBackup { kind: *kind, at: Millis(*at) }).collect();
        let checked = Checked { value: Some(all), checked_at: Some(Millis(99)), failed_at: None };
        ExpiryFact { checked, gap: None }
    }

    fn of(
        version: Option<&str>,
        backups: Option<&ExpiryFact<CheckedBackup>>,
        has_hosted: Option<bool>,
    ) -> DataStores {
        data_stores(PortalFacts { version, backups, has_hosted })
    }

    #[test]
    fn data_stores_have_the_last_backup_that_can_be_restored() {
        use BackupKind::{BackupMode, Full, Incremental};
        for (backups, expected) in [
            (&[(Full, 10)][..], Some((Full, 10))),
            (&[(Full, 10), (Incremental, 20)], Some((Incremental, 20))),
            (&[(Full, 30), (Incremental, 20)], Some((Full, 30))),
            (&[(Incremental, 20)], None),
            (&[(Incremental, 20), (BackupMode, 5)], Some((BackupMode, 5))),
            (&[(Full, 10), (BackupMode, 40)], Some((BackupMode, 40))),
            (&[], None),
        ] {
            let found = of(Some("11.3"), Some(&reported(backups)), Some(true));
            let at = Some(Millis(99));
            let expected = match expected {
                Some((kind, time)) => {
                    DataStores::Backup { backup: CheckedBackup { kind, at: Millis(time) }, checked_at: at }
                }
                None => DataStores::Missing { checked_at: at },
            };
            assert_eq!(found, expected, "{backups:?}");
        }
    }

    #[test]
    fn what_is_not_read_of_the_data_stores_is_not_known_with_its_reason() {
        let full = reported(&[(BackupKind::Full, 10)]);
        let mut failed = full.clone();
        failed.failed("no".to_owned());
        let not_known = |why| DataStores::NotKnown { why };
        let reason = "no".to_owned();
        assert_eq!(of(None, None, Some(true)), not_known(WhyNotKnown::NotChecked));
        assert_eq!(of(None, Some(&ExpiryFact::default()), None), not_known(WhyNotKnown::NotChecked));
        assert_eq!(of(Some("10.9.1"), Some(&full), Some(true)), not_known(WhyNotKnown::NotOffered));
        assert_eq!(of(Some("11.0"), Some(&failed), Some(true)), not_known(WhyNotKnown::Failed { reason }));
        assert_eq!(of(None, Some(&reported(&[])), None), not_known(WhyNotKnown::HostedNotKnown));
        assert!(matches!(of(None, Some(&full), None), DataStores::Backup { .. }));
        assert_eq!(of(None, None, Some(false)), DataStores::NothingHosted);
        assert_eq!(judge(site(Vec::new())).data_stores, DataStores::NoPortal);
    }
}
