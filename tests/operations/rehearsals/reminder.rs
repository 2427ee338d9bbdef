//! The reminder of a plan that a rehearsal is due, of each part whose content is known.

use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_plans::plan::RehearseEvery;
use steward_plans::saved::SavedPlans;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::state::{NeedsYou, PlanState};
use steward_plans::store::PlanProgress;

use super::*;

impl Rehearsing {
    /// The part of which a monthly reminder of a plan of these parts says that its first rehearsal is due; `None` if of none.
    async fn due(&self, parts: &[&PlanPart]) -> Option<Option<ServerId>> {
        let parts = parts.iter().map(|part| (*part).clone()).collect();
        let times = vec![TimeOfDay { hour: 2, minute: 30 }];
        let schedule = Schedule { days: Day::ALL.to_vec(), times, skip_missed: false };
        let plan = BackupPlan {
            parts,
            schedule,
            rehearse_every: Some(RehearseEvery::Month),
            since: Millis(0),
            ..self.plan.clone()
        };
        // Its last run is not older than its schedule.
        let progress = PlanProgress { verified: Some(Millis::now()), ..PlanProgress::since(Millis::now()) };
        store::progress(&self.app.steward.data_folder).change(|state| {
            state.plans.insert(plan.id.clone(), progress);
        });
        store::plans(&self.app.steward.data_folder).change(|plans| *plans = vec![plan]);
        let plans = SavedPlans::open(&self.app.steward.data_folder);
        let listed = Box::pin(plans.list(&self.app.steward.context, &self.app.site)).await.unwrap();
        match &listed.plans[0].state {
            PlanState::NeedsYou { reason: NeedsYou::Rehearse { server, .. }, .. } => Some(server.clone()),
            _ => None,
        }
    }
}

#[tokio::test]
async fn a_plan_reminds_of_a_rehearsal_of_its_portal_too_until_the_portal_was_rehearsed() {
    let this = Rehearsing::new().await;
    let [portal, server] = &this.plan.parts[..] else { panic!() };
    let PlanPart::Portal { location, store, .. } = portal.clone() else { panic!() };
    let unseen = PlanPart::Portal { location, store, seen_at: None };
    let of_server = Some(this.app.server.server.clone());
    assert_eq!(this.due(&[portal]).await, Some(None));
    assert_eq!(this.due(&[portal, server]).await, Some(None));
    assert_eq!(this.due(&[&unseen, server]).await, of_server);
    assert_eq!(this.due(&[&unseen]).await, None, "no rehearsal could ever be known to be of its content");
    this.begin().await.unwrap();
    this.import_portal().await;
    this.app.steward.proofs.stop(&this.site);

    this.end().await.unwrap();

    assert_eq!(this.due(&[portal]).await, None);
    assert_eq!(this.due(&[portal, server]).await, of_server);
}
