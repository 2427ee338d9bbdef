//! Simulated faults of the practice site.
//!
//! [`FaultRule`] is the form of a fault, and [`add`] activates it.

pub use practice_site::InjectedFault;
use practice_site::{FaultRule as PracticeFaultRule, Operation as FaultedOperation};
use steward_core::history::guided_tour::{GuidedTour, GuidedTourStep};
use steward_core::model::operation::OperationKey;
use steward_core::model::problem::Problem;

use crate::practice::Practice;
use serde::{Deserialize, Serialize};

/// Target of a simulated fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(untagged)]
pub enum FaultTarget {
    /// An operation.
    Operation(OperationKey),
    /// Another request.
    Request(FaultedRequest),
}

/// A request that is not an operation, and that faults apply to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FaultedRequest {
    /// Download of a server upload.
    DownloadUpload,
    /// Upload in one request.
    UploadFile,
    /// Upload of a part.
    UploadPart,
    /// Sign-in page for the browser.
    BrowserSignIn,
    /// Creation of a token, with a password.
    CreateToken,
    /// Reading of the version of the portal.
    ReadVersion,
    /// Reading of licenses.
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

/// An active fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FaultRule {
    /// Kind of the fault.
    pub fault: InjectedFault,
    /// Target of the fault.
    pub target: FaultTarget,
    /// Number of requests that it affects (1 to 1,000).
    pub times: u32,
    /// Delay before the request is processed or its response is sent, in seconds (1 to 3,600). For a search index that
    /// is rebuilt, the time for 100 entries. Ignored for other faults.
    pub seconds: u32,
    /// Whether the request is processed before the fault, so that only its response is lost or late.
    pub after: bool,
    /// Whether the fault applies to the practice site that is marked as test; left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_test: bool,
}

/// Limit of the affected requests.
const MOST_TIMES: u32 = 1000;

/// Limit of the delay, in seconds.
const LONGEST: u32 = 3600;

impl FaultRule {
    /// Converts the rule for the practice site; `None` if it simulates no faults of the target.
    pub(crate) fn simulated(self) -> Option<PracticeFaultRule> {
        Some(PracticeFaultRule {
            operation: self.target.simulated()?,
            fault: self.fault,
            times: self.times.clamp(1, MOST_TIMES),
            seconds: self.seconds.clamp(1, LONGEST).into(),
            after: self.after,
        })
    }

    /// Converts a rule of a practice site; `None` if it was added by other means and cannot be shown.
    pub(crate) fn of(rule: PracticeFaultRule, on_test: bool) -> Option<Self> {
        Some(Self {
            fault: rule.fault,
            target: FaultTarget::of(rule.operation)?,
            times: rule.times,
            seconds: u32::try_from(rule.seconds).unwrap_or(LONGEST),
            after: rule.after,
            on_test,
        })
    }
}

impl FaultTarget {
    /// Returns the target by its name in the practice site, which is that of the operation; `None` if it cannot be
    /// shown.
    fn of(operation: FaultedOperation) -> Option<Self> {
        serde_json::from_value(serde_json::to_value(operation).ok()?).ok()
    }

    /// Returns the target of the practice site with the same name; `None` if it simulates no faults of it.
    fn simulated(self) -> Option<FaultedOperation> {
        serde_json::from_value(serde_json::to_value(self).ok()?).ok()
    }
}

/// Returns the active faults of both practice sites; none of one that is not running.
pub async fn active(practice: &Practice) -> Vec<FaultRule> {
    let mut active = Vec::new();
    for is_test in [false, true] {
        let rules = practice.with(is_test, practice_site::PracticeSite::faults).await.unwrap_or_default();
        active.extend(rules.into_iter().filter_map(|rule| FaultRule::of(rule, is_test)));
    }
    active
}

/// Removes the active faults of both practice sites.
pub(crate) async fn clear(practice: &Practice) {
    for is_test in [false, true] {
        practice.with(is_test, practice_site::PracticeSite::clear_faults).await;
    }
}

/// Adds a fault, and returns the active ones.
///
/// # Errors
/// [`Problem::Unexpected`] if the practice site is not running, or simulates no faults of the target.
pub async fn add(tour: &GuidedTour, practice: &Practice, rule: FaultRule) -> Result<Vec<FaultRule>, Problem> {
    let unexpected = |message: &str| Problem::Unexpected { message: message.to_owned() };
    let simulated =
        rule.simulated().ok_or_else(|| unexpected("the practice site does not simulate this fault"))?;
    let added = practice.with(rule.on_test, |site| site.add_fault(simulated)).await;
    added.ok_or_else(|| unexpected("the practice site is not running"))?;
    let active = active(practice).await;
    if active.iter().any(|one| one.fault == rule.fault && one.target == rule.target) {
        tour.saw(GuidedTourStep::AddFault);
    }
    Ok(active)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_every_operation_can_be_simulated() {
        for key in OperationKey::ALL {
            let target = FaultTarget::Operation(key);
            assert_eq!(target.simulated().and_then(FaultTarget::of), Some(target), "{}", key.name());
        }
        let transfer = FaultTarget::Request(FaultedRequest::UploadPart);
        assert_eq!(transfer.simulated().and_then(FaultTarget::of), Some(transfer));
    }
}
