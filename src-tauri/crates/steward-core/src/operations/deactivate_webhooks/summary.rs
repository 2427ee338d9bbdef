//! Summary of a deactivation in the history.

use steward_journal::{Outcome, StoredRecord};

use crate::history::parameters;
use crate::history::summary::Summary;

/// Returns the services whose webhooks were to be deactivated, and those whose webhooks were.
pub(super) fn summary(record: &StoredRecord) -> Option<Summary> {
    let services: Vec<String> =
        parameters::several(&record.intent.parameters, "service").map(str::to_owned).collect();
    let deactivated = match record.outcome {
        Outcome::Succeeded => Some(services.clone()),
        Outcome::Warnings | Outcome::Failed => {
            // A user who set the outcome to failed found that nothing was deactivated.
            let is_done = |service: &&String| {
                record.outcome == Outcome::Warnings && record.facts.deactivated.contains(service)
            };
            Some(services.iter().filter(is_done).cloned().collect())
        }
        Outcome::Sent | Outcome::Unknown | Outcome::NotSent => None,
    };
    Some(Summary::Deactivation { services, deactivated })
}
