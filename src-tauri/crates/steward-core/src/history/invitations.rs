//! When a refreshed invitation expires, by its record.

use steward_journal::{Filter, Outcome, StoredRecord};

use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;

const HOUR: i64 = 60 * 60 * 1000;

/// Validity of an invitation after a refresh, in milliseconds: 72 hours, by the specification. Counted from the response by the
/// local clock.
pub(crate) const VALID_FOR: i64 = 72 * HOUR;

/// Longest validity that is expected, in milliseconds: a portal can return another one than 72 hours.
const LONGEST: i64 = 31 * 24 * HOUR;

/// Time before the expiration when an invitation needs attention, in milliseconds.
pub const SOON: i64 = 24 * HOUR;

/// Returns the filter for the records of the refreshes whose invitations might still be valid.
#[must_use]
pub fn refreshes(now: Millis) -> Filter {
    Filter {
        operation: Some(OperationKey::RefreshInvitation.name().to_owned()),
        outcomes: vec![Outcome::Succeeded, Outcome::Warnings],
        from: Some(now.0 - LONGEST),
        ..Filter::default()
    }
}

/// Returns when the invitation of a refresh expires by the clock of this computer: as the portal returned it, or 72 hours after the
/// response. `None` if the refresh has not ended.
#[must_use]
pub fn expires_at(refresh: &StoredRecord) -> Option<Millis> {
    let by_default = refresh.ended_at.map(|ended| ended.saturating_add(VALID_FOR));
    let returned = refresh.facts.expires_here_at.or(refresh.facts.expires_at);
    returned.or(by_default).map(Millis)
}
