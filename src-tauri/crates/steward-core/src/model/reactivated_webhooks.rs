//! Webhooks that were deactivated for the time of an import.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Millis;

/// Result for the webhooks that were deactivated for the time of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReactivatedWebhooks {
    /// Number of services whose webhooks were deactivated.
    pub services: u32,
    /// Number of webhooks that are active again.
    pub active: u32,
    /// Webhooks that no longer exist on the site.
    pub gone: Vec<NotReactivated>,
    /// Webhooks that could not be reactivated.
    pub failed: Vec<NotReactivated>,
    /// Webhooks that might be active: their reactivation received no response, or their states were not read
    /// afterwards.
    pub unknown: Vec<NotReactivated>,
    /// Reason why the deactivation log could not be read, so that none was reactivated; `null` if it was read.
    pub not_read: Option<String>,
    /// Time in which they were inactive. Payloads of that time are lost; `null` if the deactivation log was not read.
    pub inactive: Option<InactiveTime>,
}

/// Time in which webhooks were inactive for an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct InactiveTime {
    /// Time of the first deactivation.
    pub from: Millis,
    /// Time after the last reactivation.
    pub to: Millis,
}

impl ReactivatedWebhooks {
    /// Returns the number of webhooks that were deactivated, as far as it is known.
    pub(crate) const fn count(&self) -> usize {
        self.active as usize + self.gone.len() + self.failed.len() + self.unknown.len()
    }

    /// Returns whether every webhook is active again.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.gone.is_empty() && self.failed.is_empty() && self.unknown.is_empty() && self.not_read.is_none()
    }
}

/// Webhook that was active before an import, and is not known to be active after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotReactivated {
    /// Path of the service.
    pub service: String,
    /// Name of the webhook; empty for all webhooks of the service.
    pub webhook: String,
    /// Reason; empty if the webhook does not exist any more.
    pub message: String,
}
