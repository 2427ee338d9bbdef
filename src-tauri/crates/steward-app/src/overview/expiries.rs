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
pub(super) fn concerning<'e>(
    expiries: &'e [Expiry],
    plans: &[(BackupPlan, PlanState)],
    now: Millis,
) -> impl Iterator<Item = &'e Expiry> {
    // A plan tells of the session that ends first.
    let is_told = move |name: &String, at: Millis| {
        plans.iter().any(|(plan, state)| {
            plan.name == *name
                && matches!(state, PlanState::NeedsYou { reason: NeedsYou::SessionEnds { end }, .. } if end.ends == at)
        })
    };
    let near = expiries.iter().filter(move |expiry| needs_attention(expiry, now));
    near.filter(move |expiry| match &expiry.what {
        Expiring::Invitation { .. } => false,
        Expiring::Session { plans, .. } => !plans.iter().any(|name| is_told(name, expiry.at)),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use steward_core::model::ids::{ServerId, SiteId};
    use steward_plans::acceptance_line::SessionEnd;
    use steward_plans::plan::PlanId;
    use steward_plans::retention::KeepRules;
    use steward_plans::schedule::Schedule;

    use super::*;

    fn session(server: &str, at: Millis) -> Expiry {
        Expiry {
            site: SiteId("city".to_owned()),
            server: Some(ServerId(server.to_owned())),
            what: Expiring::Session { username: "ops".to_owned(), plans: vec!["Every night".to_owned()] },
            at,
            day: String::new(),
            zone: None,
            plan_for: None,
            days: 3,
            is_over: false,
            checked_at: None,
        }
    }

    #[test]
    fn of_two_sessions_of_a_plan_the_one_that_its_state_does_not_name_is_a_concern_of_its_own() {
        let plan = BackupPlan {
            id: PlanId("nightly".to_owned()),
            site: SiteId("city".to_owned()),
            name: "Every night".to_owned(),
            is_enabled: true,
            since: Millis(0),
            enabled_since: Millis(0),
            parts: Vec::new(),
            schedule: Schedule { days: Vec::new(), times: Vec::new(), skip_missed: false },
            folder: "/backups".into(),
            delete_stored: false,
            keep: KeepRules::default(),
            rehearse_every: None,
            tells_changes: false,
            alerts: Vec::new(),
        };
        let end = SessionEnd { server: Some(ServerId("first".to_owned())), ends: Millis(1_000) };
        let state = PlanState::NeedsYou { since: Millis(0), reason: NeedsYou::SessionEnds { end } };
        let expiries = vec![session("first", Millis(1_000)), session("second", Millis(2_000))];

        let plans = [(plan, state)];
        let own: Vec<_> = concerning(&expiries, &plans, Millis(0)).cloned().collect();

        assert_eq!(own, expiries[1..]);
    }
}
