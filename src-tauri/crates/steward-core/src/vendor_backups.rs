//! Reads which server of a portal is the hosting server, and which backups of the vendor's utility the portal reports.
//! Those backups contain the data stores; exports do not.

use steward_client::discovery::{self, ListedServer};
use steward_client::listing::{self, REPORTS_BACKUPS, VendorBackups};

use crate::access::Access;
use crate::model::checked::{BackupKind, CheckedBackup};
use crate::model::ids::ServerId;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::{SavedServer, TargetSite};
use steward_client::Version;

/// Longest stored reason, in characters.
const LONGEST_REASON: usize = 300;

/// Reads the hosting server and the backups that a portal reports, and stores them. Backups are not requested from a
/// version that reports none. If they cannot be read, the reason is stored.
///
/// # Errors
/// Those of [`Access::portal`].
pub async fn check(access: &Access, portal: &TargetSite, version: Option<Version>) -> Result<(), Problem> {
    let endpoint = access.portal(portal).await?;
    let listed = discovery::listed_servers(&endpoint).await;
    access.note_checked(portal, |checks| match listed {
        Ok(listed) => {
            let hosting = listed.iter().filter(|one| one.is_hosting).map(|one| saved(portal, one));
            checks.hosting.returned(Some(hosting.collect()));
        }
        Err(_) => checks.hosting.failed(),
    });
    if version.is_some_and(|version| version < REPORTS_BACKUPS) {
        return Ok(());
    }
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

/// Returns the saved server that the portal lists; `None` if it is not saved.
fn saved(portal: &TargetSite, listed: &ListedServer) -> Option<ServerId> {
    let is_it = |server: &&SavedServer| server.addresses().any(|own| listed.is_at(own));
    portal.servers.iter().find(is_it).map(|server| server.id.clone())
}
