//! Retries of deliveries, and deactivation of webhooks whose deliveries fail.

use crate::clock::DAY;
use crate::store::configuration;
use crate::store::queue::FAILURES_KEPT;
use crate::wire::ApiError;
use rusqlite::{Connection, Transaction};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Name of the setting in the server configuration.
pub(crate) const SETTING: &str = "webhookSettings";
pub(crate) const ATTEMPTS: RangeInclusive<i64> = 1..=5;
pub(crate) const FAILURES: RangeInclusive<i64> = 1..=FAILURES_KEPT;
pub(crate) const DAYS: RangeInclusive<i64> = 1..=365;

/// Settings for all webhooks of all services. Part of the configuration, so exports contain them.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Policy {
    /// Attempts per payload, 1 to 5.
    pub(crate) attempts: i64,
    /// Number of failed deliveries within `days` after which a webhook is deactivated.
    pub(crate) failures: i64,
    /// Period in which failed deliveries are counted, in days.
    pub(crate) days: i64,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { attempts: 3, failures: 5, days: 5 }
    }
}

impl Policy {
    /// Returns the stored settings, or the defaults.
    pub(crate) fn read(server: &Connection) -> Result<Policy, ApiError> {
        let stored = configuration::setting(server, SETTING)?;
        Ok(stored.map(serde_json::from_value).transpose()?.unwrap_or_default())
    }

    /// Stores the settings.
    pub(crate) fn keep(&self, tx: &Transaction) -> Result<(), ApiError> {
        configuration::set(tx, SETTING, &serde_json::to_value(self)?)
    }

    pub(crate) fn is_within_limits(&self) -> bool {
        ATTEMPTS.contains(&self.attempts) && FAILURES.contains(&self.failures) && DAYS.contains(&self.days)
    }

    pub(super) fn window_ms(&self) -> i64 {
        self.days.saturating_mul(DAY)
    }
}
