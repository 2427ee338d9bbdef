//! Mishaps of the practice site, as a person orders them.

use practice_site::{Mishap as Ordered, Operation as Befallen, Order};
use steward_core::history::guided_tour::LapStep;
use steward_core::host::Host;
use steward_core::model::problem::Problem;

use crate::practice::Practice;
use serde::{Deserialize, Serialize};

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Mishap {
    /// The folder of an export cannot be written.
    UnwritableFolder,
    /// One more service does not start after an import.
    ServiceWillNotStart,
    /// The answer comes late.
    Delay,
    /// The token is refused as if it had expired.
    ExpiredToken,
    /// A page instead of JSON.
    Html,
    /// The answer is cut off in the middle.
    Truncated,
    /// The connection is reset.
    Reset,
    /// A proxy's page with HTTP status 502.
    BadGateway,
}

/// To what it happens: an operation, or a file on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum MishapTarget {
    /// The first of the seven.
    ExportPortal,
    /// The second.
    ExportServer,
    /// The third.
    ImportServer,
    /// The fourth.
    DeactivateWebhooks,
    /// The fifth.
    FindItems,
    /// The sixth.
    UpdateParticipant,
    /// The seventh.
    RefreshInvitation,
    /// A stored export that is downloaded.
    DownloadUpload,
    /// A file that is uploaded in one request.
    UploadFile,
    /// A part of a file that is uploaded.
    UploadPart,
}

/// A mishap that is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MishapOrder {
    /// What.
    pub mishap: Mishap,
    /// To what.
    pub target: MishapTarget,
    /// How many of the next requests it befalls.
    pub times: u32,
    /// Of a delay: how long.
    pub seconds: u32,
    /// Whether the site does what it was asked for all the same, and only the answer is lost.
    pub after: bool,
}

/// The most that is ordered at once.
const MOST_TIMES: u32 = 1000;

/// The longest delay in seconds.
const LONGEST: u32 = 3600;

impl MishapOrder {
    /// As the practice site understands it.
    pub(crate) fn ordered(self) -> Order {
        Order {
            operation: self.target.befallen(),
            mishap: self.mishap.ordered(),
            times: self.times.clamp(1, MOST_TIMES),
            seconds: self.seconds.clamp(1, LONGEST).into(),
            after: self.after,
        }
    }

    /// What of an order this program can show. Others may have ordered what it cannot.
    pub(crate) fn of(order: Order) -> Option<Self> {
        Some(Self {
            mishap: Mishap::ALL.into_iter().find(|mishap| mishap.ordered() == order.mishap)?,
            target: MishapTarget::ALL.into_iter().find(|target| target.befallen() == order.operation)?,
            times: order.times,
            seconds: u32::try_from(order.seconds).unwrap_or(LONGEST),
            after: order.after,
        })
    }
}

impl Mishap {
    const ALL: [Self; 8] = [
        Self::UnwritableFolder,
        Self::ServiceWillNotStart,
        Self::Delay,
        Self::ExpiredToken,
        Self::Html,
        Self::Truncated,
        Self::Reset,
        Self::BadGateway,
    ];

    const fn ordered(self) -> Ordered {
        match self {
            Self::UnwritableFolder => Ordered::UnwritableFolder,
            Self::ServiceWillNotStart => Ordered::ServiceWillNotStart,
            Self::Delay => Ordered::Delay,
            Self::ExpiredToken => Ordered::ExpiredToken,
            Self::Html => Ordered::Html,
            Self::Truncated => Ordered::Truncated,
            Self::Reset => Ordered::Reset,
            Self::BadGateway => Ordered::BadGateway,
        }
    }
}

impl MishapTarget {
    const ALL: [Self; 10] = [
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
    ];

    const fn befallen(self) -> Befallen {
        match self {
            Self::ExportPortal => Befallen::ExportPortal,
            Self::ExportServer => Befallen::ExportServer,
            Self::ImportServer => Befallen::ImportServer,
            Self::DeactivateWebhooks => Befallen::DeactivateWebhooks,
            Self::FindItems => Befallen::FindItems,
            Self::UpdateParticipant => Befallen::UpdateParticipant,
            Self::RefreshInvitation => Befallen::RefreshInvitation,
            Self::DownloadUpload => Befallen::DownloadUpload,
            Self::UploadFile => Befallen::UploadFile,
            Self::UploadPart => Befallen::UploadPart,
        }
    }
}
/// What is ordered; nothing on a site that does not run.
pub async fn ordered(practice: &Practice) -> Vec<MishapOrder> {
    let orders = practice.with(practice_site::PracticeSite::mishaps).await.unwrap_or_default();
    orders.into_iter().filter_map(MishapOrder::of).collect()
}

/// Orders one, and says what is ordered now.
pub async fn order_one(
    host: &Host,
    practice: &Practice,
    order: MishapOrder,
) -> Result<Vec<MishapOrder>, Problem> {
    let told = practice.with(|site| site.order_mishap(order.ordered())).await;
    told.ok_or_else(|| Problem::Unexpected { message: "the practice site is not running".to_owned() })?;
    if order.mishap == Mishap::ServiceWillNotStart {
        host.lap.saw(LapStep::OrderMishap);
    }
    Ok(ordered(practice).await)
}
