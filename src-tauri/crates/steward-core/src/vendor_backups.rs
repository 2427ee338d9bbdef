//! Reads the backups of the vendor's utility that a portal reports. They have the data stores, which no export has.

use steward_client::listing::{self, REPORTS_BACKUPS, VendorBackups};

use crate::access::Access;
use crate::model::checked::{BackupKind, CheckedBackup};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::TargetSite;
use steward_client::Version;

/// Longest stored reason, in characters.
const LONGEST_REASON: usize = 300;

/// Reads the backups that a portal reports, and stores them. One of a version that reports none is not asked. What the portal does
/// not return is stored with the reason.
///
/// # Errors
/// Those of [`Access::portal`].
pub async fn check(access: &Access, portal: &TargetSite, version: Option<Version>) -> Result<(), Problem> {
    if version.is_some_and(|version| version < REPORTS_BACKUPS) {
        return Ok(());
    }
    let endpoint = access.portal(portal).await?;
    let read = listing::vendor_backups(&endpoint).await;
    access.note_checked(portal, |checks| match read {
        Ok(VendorBackups { full, incremental, backup_mode }) => {
            let backup = |kind, at: Option<i64>| at.map(|at| CheckedBackup { kind, at: Millis(at) });
            let all = [
                backup(BackupKind::Full, full),
                backup(BackupKind::Incremental, incremental),
                backup(BackupKind::BackupMode, backup_mode),
            ];
            checks.backups.returned(all.into_iter().flatten().collect(), None);
        }
        Err(error) => checks.backups.failed(error.to_string().chars().take(LONGEST_REASON).collect()),
    });
    Ok(())
}
