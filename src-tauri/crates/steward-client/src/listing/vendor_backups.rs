//! Backups of the vendor's utility, as a portal reports them. They have the data stores, which no export has.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer};

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::version::Version;
use crate::wire::whole;

/// First version of a portal that reports them.
pub const REPORTS_BACKUPS: Version = Version::new(11, 0);

/// Time limit of the request, for which the check of a site waits.
const LONGEST: Duration = Duration::from_secs(15);

/// The clock of a portal can be ahead by less than this.
const AHEAD: Duration = Duration::from_secs(24 * 60 * 60);

/// Times below this are seconds: as milliseconds, they would be before 1973.
const LEAST_MILLISECONDS: i64 = 100_000_000_000;

/// When the vendor's utility last wrote a backup of each kind, in milliseconds since 1970; `None` if it never did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VendorBackups {
    /// Full backup.
    pub full: Option<i64>,
    /// Incremental backup, which has what changed since the last full one.
    pub incremental: Option<i64>,
    /// Backup in the mode of that name, which portals report since version 11.1.
    pub backup_mode: Option<i64>,
}

/// Returns the backups that a portal reports.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response has no time of a full backup, or one that is no time or in the future.
/// - A connection or session error of [`ClientError`].
pub async fn vendor_backups(portal: &Endpoint) -> Result<VendorBackups, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Info {
        #[serde(deserialize_with = "time")]
        full_backup_time_stamp: i64,
        #[serde(default, deserialize_with = "time")]
        incremental_backup_time_stamp: i64,
        #[serde(default, deserialize_with = "time")]
        backup_mode_time_stamp: i64,
    }
    let expected = "the times of the last backups";
    let info: Info = portal.get_slowly(&["portaladmin", "backupRestoreInfo"], expected, LONGEST).await?;
    let [full, incremental, backup_mode] =
        [info.full_backup_time_stamp, info.incremental_backup_time_stamp, info.backup_mode_time_stamp]
            .map(|at| if at < LEAST_MILLISECONDS { at.saturating_mul(1_000) } else { at })
            .map(|at| Some(at).filter(|at| *at > 0));
    let latest = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() + AHEAD;
    match full.max(incremental).max(backup_mode).and_then(|at| u64::try_from(at).ok()) {
        Some(at) if Duration::from_millis(at) > latest => {
            Err(ClientError::unreadable(expected, "the time of a backup is in the future"))
        }
        _ => Ok(VendorBackups { full, incremental, backup_mode }),
    }
}

/// Deserializes a time. Fails for any other value, which would otherwise count as a backup that was never written.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    whole(deserializer)?.ok_or_else(|| serde::de::Error::custom("a value is not a time"))
}
