//! The reminder of a plan that a rehearsal is due, of each part whose content is known.

use jiff::{Timestamp, ToSpan as _};
use steward_core::model::ids::ServerId;
use steward_core::model::numbers::Millis;
use steward_plans::saved::SavedPlans;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::state::{NeedsYou, PlanState};

use super::*;

impl Rehearsing {
    /// The part of which a plan of these parts says that a rehearsal is due if the last one was yesterday; `None` if of none.
    async fn due(&self, parts: &[&PlanPart]) -> Option<Option<ServerId>> {
        let parts = parts.iter().map(|part| (*part).clone()).collect();
        // Of two days, without a run that was due in them.
        let now = Timestamp::now();
        let since = Millis::from(now - 48.hours());
        let today = now.to_zoned(jiff::tz::TimeZone::system()).weekday().to_monday_zero_offset();
        let day = usize::try_from(today + 3).unwrap() % 7;
        let times = vec![TimeOfDay { hour: 2, minute: 30 }];
        let schedule = Schedule { days: vec![Day::ALL[day]], times, skip_missed: false };
        let plan = BackupPlan { parts, schedule, rehearse_days: Some(1), since, ..self.plan.clone() };
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
