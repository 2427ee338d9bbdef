//! Rules for simulated faults, with the number of remaining uses.

use serde::{Deserialize, Serialize};
use std::sync::{Mutex, PoisonError};

/// Operations and file transfers that faults apply to. Names are the operation keys of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Operation 1: portal export.
    ExportPortal,
    /// Portal import, which restores an export of operation 1.
    ImportPortal,
    /// Operation 2: server export.
    ExportServer,
    /// Operation 3: server import.
    ImportServer,
    /// Operation 4: webhook deactivation.
    DeactivateWebhooks,
    /// Operation 5: data store item search.
    FindItems,
    /// Operation 6: participant contact update.
    UpdateParticipant,
    /// Operation 7: invitation refresh.
    RefreshInvitation,
    /// Download of a server upload.
    DownloadUpload,
    /// Upload in one request.
    UploadFile,
    /// Upload of one part.
    UploadPart,
    /// Commit of an upload in parts.
    CommitUpload,
    /// Sign-in page for the browser.
    BrowserSignIn,
    /// Creation of a token, with a password.
    CreateToken,
    /// Reading of the portal itself, with its version.
    ReadVersion,
    /// Reading of the licenses of a server or of the portal.
    ReadLicenses,
    /// Reading of the certificate of a machine or of the portal.
    ReadCertificates,
    /// Status of the search index.
    ReadIndex,
    /// Validation of the federated servers.
    ValidateServers,
    /// Reading of the backups of the vendor's utility.
    ReadBackups,
}

/// Simulated fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum InjectedFault {
    /// The destination folder of an export is not writable.
    UnwritableFolder,
    /// One more service does not start after an import.
    ServiceWillNotStart,
    /// The operation starts after a delay.
    Delay,
    /// The token is rejected as expired.
    ExpiredToken,
    /// The response is an HTML page instead of JSON.
    Html,
    /// The response is truncated.
    Truncated,
    /// The connection is reset.
    Reset,
    /// The response is a proxy's error page with status 502.
    BadGateway,
    /// The redirect URL of the app is not registered at the portal.
    UnregisteredRedirect,
    /// The token is bound to the URL of another web app.
    BoundToken,
    /// The licenses expire in five days.
    LicenseExpiresSoon,
    /// The site returns another certificate of a machine or of the portal than the one that it presents. It expires in
    /// 20 days.
    OtherCertificate,
    /// After a portal import, the search index is rebuilt slowly: 100 entries in `seconds`.
    IndexLags,
    /// A federated server is not valid.
    InvalidServer,
    /// After a portal import, the item of a service is missing. After a server import, a service that has an item is
    /// missing.
    Orphan,
    /// A folder that the imported configuration names does not exist.
    AbsentFolder,
    /// The portal returns the next version as its own.
    OtherVersion,
    /// The request is rejected because the account lacks a privilege.
    Refused,
}

impl InjectedFault {
    /// Returns whether the fault can apply to this operation.
    #[must_use]
    pub fn fits(self, operation: Operation) -> bool {
        match self {
            InjectedFault::UnwritableFolder => {
                matches!(operation, Operation::ExportPortal | Operation::ExportServer)
            }
            InjectedFault::ServiceWillNotStart | InjectedFault::AbsentFolder => {
                operation == Operation::ImportServer
            }
            InjectedFault::OtherVersion => operation == Operation::ReadVersion,
            InjectedFault::UnregisteredRedirect => operation == Operation::BrowserSignIn,
            InjectedFault::BoundToken => operation == Operation::CreateToken,
            InjectedFault::LicenseExpiresSoon => operation == Operation::ReadLicenses,
            InjectedFault::OtherCertificate => operation == Operation::ReadCertificates,
            InjectedFault::IndexLags => operation == Operation::ImportPortal,
            InjectedFault::InvalidServer => operation == Operation::ValidateServers,
            InjectedFault::Refused => operation == Operation::ReadBackups,
            InjectedFault::Orphan => {
                matches!(operation, Operation::ImportPortal | Operation::ImportServer)
            }
            // Without a token, none expires.
            InjectedFault::ExpiredToken => {
                !matches!(operation, Operation::BrowserSignIn | Operation::CreateToken)
            }
            _ => true,
        }
    }
}

impl InjectedFault {
    /// Returns whether the fault is one of what an operation does, and not of its response.
    fn is_of_an_effect(self) -> bool {
        matches!(
            self,
            InjectedFault::ServiceWillNotStart
                | InjectedFault::AbsentFolder
                | InjectedFault::IndexLags
                | InjectedFault::Orphan
        )
    }

    /// Returns whether the operation can be performed before the fault. A site checks the token first, and a client
    /// sends a request again whose token was rejected.
    #[must_use]
    pub fn can_follow_the_operation(self) -> bool {
        self != InjectedFault::ExpiredToken
    }
}

/// Fault that applies to the next requests of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FaultRule {
    /// Affected operation.
    pub operation: Operation,
    /// Fault to apply.
    pub fault: InjectedFault,
    /// Number of requests that are still affected; at least 1.
    pub times: u32,
    /// Delay before the operation, or before its response, in seconds (1 to 3,600); of an index that lags, the time for 100
    /// entries. Ignored for other faults.
    pub seconds: u64,
    /// Whether the operation is performed before the fault, so that only the response is lost or late.
    pub after: bool,
}

/// Active rules, in the order in which they were added.
#[derive(Default)]
pub(crate) struct FaultRules(Mutex<Vec<FaultRule>>);

impl FaultRules {
    pub(crate) fn add(&self, rule: FaultRule) {
        self.change(|rules| rules.push(rule));
    }

    pub(crate) fn all(&self) -> Vec<FaultRule> {
        self.change(|rules| rules.clone())
    }

    pub(crate) fn clear(&self) {
        self.change(Vec::clear);
    }

    /// Takes the next rule for a request of this operation and counts its use. A check has no effect: it uses up no fault of one.
    pub(super) fn next(&self, operation: Operation, is_check: bool) -> Option<FaultRule> {
        self.change(|rules| {
            let index = rules.iter().position(|rule| {
                rule.operation == operation && !(is_check && rule.fault.is_of_an_effect())
            })?;
            let rule = rules[index];
            rules[index].times -= 1;
            if rules[index].times == 0 {
                rules.remove(index);
            }
            Some(rule)
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<FaultRule>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
