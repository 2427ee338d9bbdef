//! What expires on a site, divided into what needs attention and what is only listed.

use steward_core::expiry::{self, WEEK};
use steward_core::history::invitations::SOON;
use steward_core::model::checked::ComponentChecks;
use steward_core::model::expiry::{Expiring, Expiry};
use steward_core::model::numbers::Millis;
use steward_core::sites::Site;
use steward_plans::expiries::needed_sessions;
use steward_plans::plan::BackupPlan;
use steward_plans::state::{NeedsYou, PlanState};

/// Returns what expires on a site soon, in the order in which it expires.
pub(super) fn of_site(
    site: &Site,
    checks: &[ComponentChecks],
    plans: &[(BackupPlan, PlanState)],
    now: Millis,
) -> Vec<Expiry> {
    expiry::of_site(site, checks, &needed_sessions(plans.iter().map(|(plan, _)| plan)), now.timestamp())
}

/// Returns whether something needs attention, and is therefore not in the list below.
pub(super) fn needs_attention(expiry: &Expiry, now: Millis) -> bool {
    match expiry.what {
        // Valid for three days: it is always near its end.
        Expiring::Invitation { .. } => expiry.at.0.saturating_sub(SOON) <= now.0,
        _ => expiry.days_left() <= WEEK,
    }
}

/// Returns those that are a concern of their own. Invitations are one of another kind, and so are sessions that the state of a plan
/// tells of.
pub(super) fn concerning(
    expiries: Vec<Expiry>,
    plans: &[(BackupPlan, PlanState)],
    now: Millis,
) -> Vec<Expiry> {
    let is_told = |name: &String| {
        plans.iter().any(|(plan, state)| {
            plan.name == *name
                && matches!(state, PlanState::NeedsYou { reason: NeedsYou::SessionEnds { .. }, .. })
        })
    };
    let near = expiries.into_iter().filter(|expiry| needs_attention(expiry, now));
    let own = near.filter(|expiry| match &expiry.what {
        Expiring::Invitation { .. } => false,
        Expiring::Session { plans, .. } => !plans.iter().any(is_told),
        _ => true,
    });
    own.collect()
}
