//! How often a delivery is tried, and when a webhook is deactivated because its deliveries fail.

use crate::store::configuration;
use crate::store::queue::FAILURES_KEPT;
use crate::wire::Refusal;
use rusqlite::{Connection, Transaction, params};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// The name of the setting.
pub(crate) const SETTING: &str = "webhookSettings";
pub(crate) const ATTEMPTS: RangeInclusive<i64> = 1..=5;
pub(crate) const FAILURES: RangeInclusive<i64> = 1..=FAILURES_KEPT;
pub(crate) const DAYS: RangeInclusive<i64> = 1..=365;
const DAY: i64 = 24 * 60 * 60 * 1000;

/// The settings for all webhooks of all services. They are configuration: an export holds them.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Policy {
    /// Attempts for each payload, 1 to 5.
    pub(crate) attempts: i64,
    /// A webhook is deactivated when so many of its deliveries…
    pub(crate) failures: i64,
    /// …were given up in so many days.
    pub(crate) days: i64,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy { attempts: 3, failures: 5, days: 5 }
    }
}

impl Policy {
    pub(crate) fn read(server: &Connection) -> Result<Policy, Refusal> {
        let stored = configuration::setting(server, SETTING)?;
        Ok(stored.map(serde_json::from_value).transpose()?.unwrap_or_default())
    }

    pub(crate) fn keep(&self, tx: &Transaction) -> Result<(), Refusal> {
        tx.execute(
            "INSERT OR REPLACE INTO settings (name, value) VALUES (?1, ?2)",
            params![SETTING, serde_json::to_string(self)?],
        )?;
        Ok(())
    }

    pub(crate) fn is_within_limits(&self) -> bool {
        ATTEMPTS.contains(&self.attempts) && FAILURES.contains(&self.failures) && DAYS.contains(&self.days)
    }

    pub(super) fn window_ms(&self) -> i64 {
        self.days.saturating_mul(DAY)
    }
}
