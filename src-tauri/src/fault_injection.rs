//! Simulated faults of the practice site.
//!
//! [`FaultRule`] is the form of a fault, and [`add`] activates it.

use practice_site::{
    FaultRule as PracticeFaultRule, InjectedFault as Injected, Operation as FaultedOperation,
};
use steward_core::history::guided_tour::{GuidedTour, GuidedTourStep};
use steward_core::model::problem::Problem;

use crate::practice::Practice;
use serde::{Deserialize, Serialize};

/// Kind of a simulated fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum InjectedFault {
    /// The folder of an export cannot be written.
    UnwritableFolder,
    /// One more service does not start after an import.
    ServiceWillNotStart,
    /// The response is delayed.
    Delay,
    /// The token is rejected as expired.
    ExpiredToken,
    /// The response is an HTML page.
    Html,
    /// The response is truncated.
    Truncated,
    /// The connection is reset.
    Reset,
    /// The response is a proxy's page with HTTP status 502.
    BadGateway,
    /// The redirect URL of the app is not registered at the portal.
    UnregisteredRedirect,
    /// The token is bound to the URL of another web app.
    BoundToken,
}

/// Target of a simulated fault: an operation, or a file transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FaultTarget {
    /// Portal export.
    ExportPortal,
    /// Server export.
    ExportServer,
    /// Server import.
    ImportServer,
    /// Webhook deactivation.
    DeactivateWebhooks,
    /// Data store item search.
    FindItems,
    /// Participant contact update.
    UpdateParticipant,
    /// Invitation refresh.
    RefreshInvitation,
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
    /// Delay before the response, in seconds (1 to 3,600). Ignored for other faults.
    pub seconds: u32,
    /// Whether the request is processed before the response is dropped.
    pub after: bool,
}

/// Limit of the affected requests.
const MOST_TIMES: u32 = 1000;

/// Limit of the delay, in seconds.
const LONGEST: u32 = 3600;

impl FaultRule {
    /// Converts the rule for the practice site.
    pub(crate) fn simulated(self) -> PracticeFaultRule {
        PracticeFaultRule {
            operation: self.target.befallen(),
            fault: self.fault.simulated(),
            times: self.times.clamp(1, MOST_TIMES),
            seconds: self.seconds.clamp(1, LONGEST).into(),
            after: self.after,
        }
    }

    /// Converts a rule of the practice site; `None` if it was added by other means and cannot be shown.
    pub(crate) fn of(rule: PracticeFaultRule) -> Option<Self> {
        Some(Self {
            fault: InjectedFault::ALL.into_iter().find(|fault| fault.simulated() == rule.fault)?,
            target: FaultTarget::ALL.into_iter().find(|target| target.befallen() == rule.operation)?,
            times: rule.times,
            seconds: u32::try_from(rule.seconds).unwrap_or(LONGEST),
            after: rule.after,
        })
    }
}

impl InjectedFault {
    const ALL: [Self; 10] = [
        Self::UnwritableFolder,
        Self::ServiceWillNotStart,
        Self::Delay,
        Self::ExpiredToken,
        Self::Html,
        Self::Truncated,
        Self::Reset,
        Self::BadGateway,
        Self::UnregisteredRedirect,
        Self::BoundToken,
    ];

    const fn simulated(self) -> Injected {
        match self {
            Self::UnwritableFolder => Injected::UnwritableFolder,
            Self::ServiceWillNotStart => Injected::ServiceWillNotStart,
            Self::Delay => Injected::Delay,
            Self::ExpiredToken => Injected::ExpiredToken,
            Self::Html => Injected::Html,
            Self::Truncated => Injected::Truncated,
            Self::Reset => Injected::Reset,
            Self::BadGateway => Injected::BadGateway,
            Self::UnregisteredRedirect => Injected::UnregisteredRedirect,
            Self::BoundToken => Injected::BoundToken,
        }
    }
}

impl FaultTarget {
    const ALL: [Self; 12] = [
        Self::ExportPortal,
        Self::ExportServer,
        Self::ImportServer,
        Self::DeactivateWebhooks,
        Self::FindItems,
        Self::UpdateParticipant,
        Self::RefreshInvitation,
        Self::DownloadUpload,
        Self::UploadFile,
        Self::UploadPart,
        Self::BrowserSignIn,
        Self::CreateToken,
    ];

    const fn befallen(self) -> FaultedOperation {
        match self {
            Self::ExportPortal => FaultedOperation::ExportPortal,
            Self::ExportServer => FaultedOperation::ExportServer,
            Self::ImportServer => FaultedOperation::ImportServer,
            Self::DeactivateWebhooks => FaultedOperation::DeactivateWebhooks,
            Self::FindItems => FaultedOperation::FindItems,
            Self::UpdateParticipant => FaultedOperation::UpdateParticipant,
            Self::RefreshInvitation => FaultedOperation::RefreshInvitation,
            Self::DownloadUpload => FaultedOperation::DownloadUpload,
            Self::UploadFile => FaultedOperation::UploadFile,
            Self::UploadPart => FaultedOperation::UploadPart,
            Self::BrowserSignIn => FaultedOperation::BrowserSignIn,
            Self::CreateToken => FaultedOperation::CreateToken,
        }
    }
}

/// Returns the active faults; none if the practice site is not running.
pub async fn active(practice: &Practice) -> Vec<FaultRule> {
    let rules = practice.with(practice_site::PracticeSite::faults).await.unwrap_or_default();
    rules.into_iter().filter_map(FaultRule::of).collect()
}

/// Adds a fault, and returns the active ones.
///
/// # Errors
/// [`Problem::Unexpected`] if the practice site is not running.
pub async fn add(tour: &GuidedTour, practice: &Practice, rule: FaultRule) -> Result<Vec<FaultRule>, Problem> {
    let told = practice.with(|site| site.add_fault(rule.simulated())).await;
    told.ok_or_else(|| Problem::Unexpected { message: "the practice site is not running".to_owned() })?;
    let active = active(practice).await;
    if active.iter().any(|one| one.fault == rule.fault && one.target == rule.target) {
        tour.saw(GuidedTourStep::AddFault);
    }
    Ok(active)
}
