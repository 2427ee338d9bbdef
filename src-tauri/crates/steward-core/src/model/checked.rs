//! What a portal or server returned when it was checked last, with the time of the check.

use serde::{Deserialize, Serialize};

use crate::model::ids::{ServerId, Target};
use crate::model::numbers::Millis;
use crate::model::service_check::ServiceCheck;

/// A fact, as of its last check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Checked<T> {
    /// Fact; `null` if it was never checked, or the check returned none.
    pub value: Option<T>,
    /// Time of the check; `null` if it was never checked.
    pub checked_at: Option<Millis>,
    /// Time of a later check that failed, or of the last check if it returned only a part; `null` if the last check was
    /// complete.
    pub failed_at: Option<Millis>,
}

impl<T> Default for Checked<T> {
    fn default() -> Self {
        Self { value: None, checked_at: None, failed_at: None }
    }
}

impl<T> Checked<T> {
    /// Stores what a check returned.
    pub fn returned(&mut self, value: Option<T>) {
        *self = Self { value, checked_at: Some(Millis::now()), failed_at: None };
    }

    /// Returns the last fact, unless a later check failed.
    pub fn last(&self) -> Option<&T> {
        self.value.as_ref().filter(|_| self.failed_at.is_none())
    }

    /// Returns whether the last check returned it, or that there is none.
    pub const fn is_known(&self) -> bool {
        self.checked_at.is_some() && self.failed_at.is_none()
    }

    /// Notes a check that failed, or that returned a part only. The fact stays.
    pub fn failed(&mut self) {
        self.failed_at = Some(Millis::now());
    }
}

/// Facts of a portal or server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentChecks {
    /// Portal or server.
    pub target: Target,
    /// URL of the component. Facts that were stored for another URL are not shown.
    pub address: String,
    /// Version.
    #[serde(default)]
    pub version: Checked<String>,
    /// Session.
    #[serde(default)]
    pub session: Checked<CheckedSession>,
    /// States of the services of a server.
    #[serde(default)]
    pub services: Checked<ServiceCheck>,
    /// Time when its certificate expires; no value without encryption.
    #[serde(default)]
    pub certificate: Checked<Millis>,
    /// Invitations of a portal.
    #[serde(default)]
    pub invitations: Checked<Vec<CheckedInvitation>>,
    /// Why the last check did not return all of them, if it did not; empty if the portal was not reached.
    #[serde(default)]
    pub invitations_gap: String,
    /// Open entries of the deactivation log with webhooks that are active on the server.
    #[serde(default)]
    pub reactivated: Checked<Vec<ActiveAgain>>,
    /// What expires, besides its certificate and invitations.
    #[serde(default)]
    pub expiries: CheckedExpiries,
    /// Services of a server with hosted layers; 0 only if all were listed.
    #[serde(default)]
    pub hosted: Checked<u32>,
    /// Backups of the vendor's utility, as a portal reports them.
    #[serde(default)]
    pub backups: ExpiryFact<CheckedBackup>,
    /// Hosting servers in the list of a portal; `None` for one that is not saved.
    #[serde(default)]
    pub hosting: Checked<Vec<Option<ServerId>>>,
    /// Files of verified exports on this computer, the newest first, up to the first one that was found.
    #[serde(default)]
    pub export_files: Checked<Vec<CheckedFile>>,
    /// Administration URL of the first machine of one of several servers; no value if the server returns none.
    #[serde(default)]
    pub machine: Checked<String>,
}

/// Returns for each server the index of an earlier one with the same machine, which is the same server at another URL.
/// `machines` are the administration URLs of the machines. `None` if there is no earlier one, or the machine is not
/// known.
#[must_use]
pub fn same_server(machines: &[Option<&str>]) -> Vec<Option<usize>> {
    let earlier = |(at, machine): (usize, &Option<&str>)| {
        let machine = (*machine)?;
        machines[..at].iter().position(|other| *other == Some(machine))
    };
    machines.iter().enumerate().map(earlier).collect()
}

impl ComponentChecks {
    /// Returns whether a complete check later than `since` shows that an invitation needs no refresh: it was accepted or deleted.
    pub(crate) fn lacks_invitation(
        &self,
        collaboration: &str,
        invitation: &str,
        since: Option<Millis>,
    ) -> bool {
        let is_it = |one: &CheckedInvitation| {
            one.collaboration_id == collaboration && one.invitation_id == invitation
        };
        self.invitations.checked_at > since
            && self.invitations.last().is_some_and(|listed| !listed.iter().any(is_it))
    }
}

/// Webhooks of an open entry of the deactivation log that are active on the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActiveAgain {
    /// Identifier of the entry.
    pub entry: String,
    /// Webhooks of the entry that are active; if its webhooks are not known, all active ones of the service.
    pub webhooks: Vec<LoggedWebhook>,
}

/// A webhook of the deactivation log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LoggedWebhook {
    /// Identifier, unique within the service.
    pub id: String,
    /// Name.
    pub name: String,
}

/// Whether a user was signed in at a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckedSession {
    /// Name of the user; `null` if no user was signed in.
    pub username: Option<String>,
    /// Time when the token expires; `null` if it is not known.
    pub expires_at: Option<Millis>,
    /// Time of the first of the latest consecutive checks with the same user, or without a user.
    pub since: Millis,
}

/// An invitation to a collaboration that the portal hosts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedInvitation {
    /// Identifier of the collaboration.
    pub collaboration_id: String,
    /// Name of the collaboration.
    pub collaboration: String,
    /// Identifier of the invitation.
    pub invitation_id: String,
    /// URL of the invited portal.
    pub guest: String,
    /// Time of expiration, by the clock of this computer.
    pub expires_at: Millis,
}

/// What expires at a component, by its last check.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckedExpiries {
    /// Time zone of a server, for example `Europe/Berlin`; `None` if it returned none.
    pub time_zone: Option<String>,
    /// Its licenses.
    pub licenses: ExpiryFact<CheckedLicense>,
    /// Certificates that its web servers use behind the web adaptor.
    pub machine_certificates: ExpiryFact<CheckedCertificate>,
    /// Certificate that is presented at the URL for clients, if the app connects to another one.
    pub services_url: ExpiryFact<CheckedPresented>,
    /// Certificates of this computer for the connection to the site, at the first component only.
    pub own_certificates: ExpiryFact<OwnCertificate>,
    /// End of the session; `None` if it is not known, or a stored password signs in.
    pub session: Option<CheckedSessionEnd>,
}

/// Facts of one kind, and what the last check did not return of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExpiryFact<T> {
    /// The facts.
    pub checked: Checked<Vec<T>>,
    /// Why the last check did not return all of them; `None` if it did.
    pub gap: Option<String>,
}

impl<T> Default for ExpiryFact<T> {
    fn default() -> Self {
        Self { checked: Checked::default(), gap: None }
    }
}

impl<T> ExpiryFact<T> {
    /// Stores what a check returned.
    pub fn returned(&mut self, found: Vec<T>, gap: Option<String>) {
        self.checked.returned(Some(found));
        self.gap = gap;
    }

    /// Notes a check that failed. Earlier facts stay.
    pub fn failed(&mut self, reason: String) {
        self.checked.failed();
        self.gap = Some(reason);
    }
}

/// A backup that was created with the vendor's backup utility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct CheckedBackup {
    /// Kind of the backup.
    pub kind: BackupKind,
    /// Time when it was written.
    pub at: Millis,
}

/// Kind of a backup of the vendor's backup utility.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum BackupKind {
    /// Full backup.
    Full,
    /// Incremental backup. It can only be restored together with the full backup before it.
    Incremental,
    /// Backup in the utility's backup mode.
    BackupMode,
}

/// A file of this computer that was looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedFile {
    /// Its path.
    pub path: String,
    /// What was found.
    pub found: FileFound,
}

/// Whether a file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileFound {
    /// The file was there, or was not looked for yet.
    There,
    /// The file was not in its folder.
    Gone,
    /// The file was changed since it was verified: it has another size, or another time of its last change.
    Changed,
    /// Not known: its folder cannot be read, for example because a drive is not connected.
    NotKnown,
}

impl Checked<Vec<CheckedFile>> {
    /// Returns what the last check found of a file that was written at a time.
    pub fn file(&self, path: &str, written_at: Millis) -> FileFound {
        let looked_at = self.value.as_deref().filter(|_| self.checked_at >= Some(written_at));
        match looked_at.and_then(|files| files.iter().find(|file| file.path == path)) {
            Some(file) => file.found,
            // The check stops at the first file that it finds, and after a number of missing ones. If it found none,
            // nothing is known of further files.
            None if looked_at.is_some_and(|files| {
                !files.is_empty() && files.iter().all(|file| file.found != FileFound::There)
            }) =>
            {
                FileFound::NotKnown
            }
            None => FileFound::There,
        }
    }
}

/// A license that expires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedLicense {
    /// List of the response that has it; empty if an earlier version of this app read it.
    #[serde(default)]
    pub list: String,
    /// Name, as the site spells it; may be empty.
    pub name: String,
    /// When it expires.
    pub expires_at: Millis,
}

/// The certificate that a web server uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedCertificate {
    /// Its machine; empty for a portal.
    pub machine: String,
    /// Its name in the store of the machine.
    pub alias: String,
    /// When it expires.
    pub expires_at: Millis,
    /// Whether that is exact. Older versions return a text whose time zone is not known.
    pub is_exact: bool,
    /// Certificate that the administration port presents; `None` if the URL of that port is not known.
    #[serde(default)]
    pub presented: Option<CheckedPresented>,
}

/// A certificate that is presented to those who connect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedPresented {
    /// Host and port, for example `gis1.example.org:6443`.
    pub host: String,
    /// When it expires; `None` if the port was not reached.
    pub expires_at: Option<Millis>,
    /// Why the port was not reached; empty if it was.
    pub reason: String,
}

/// A certificate of this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OwnCertificate {
    /// Whether it is the client certificate; otherwise, a certificate authority.
    pub is_client: bool,
    /// Distinguished name of the subject.
    pub subject: String,
    /// When it expires.
    pub expires_at: Millis,
}

/// When a user has to sign in again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedSessionEnd {
    /// When the session ends.
    pub at: Millis,
    /// First check with this end.
    pub seen_at: Millis,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_servers_are_one_only_if_the_machine_of_both_is_known() {
        let machines = [None, Some("a:6443"), Some("b:6443"), None, Some("a:6443"), Some("a:6443")];
        assert_eq!(same_server(&machines), [None, None, None, None, Some(1), Some(1)]);
    }
}
