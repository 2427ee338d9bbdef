//! Alerts that were sent so far, in a file that only the runner writes.

use std::collections::HashMap;
use std::path::Path;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};
use steward_core::files::{self, JsonStore};
use steward_core::model::expiry::Expiry;
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::Millis;

use super::expiring::{self, ToldExpiries};
use super::fault::AlertFault;
use super::when::{AlertAbout, Told};
use crate::plan::{BackupPlan, ChannelId, PlanId};

/// Name of the file.
pub(crate) const FILE: &str = "plan-alerts.json";

/// Name of the file of a runner that was started while another one ran.
const BESIDE: &str = "plan-alerts-beside.json";

/// Time for which an alert that did not reach a channel is sent again, at each start of the runner.
const LATEST: SignedDuration = SignedDuration::from_hours(24);

/// Alerts so far.
pub struct AlertStore(JsonStore<AlertState>);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct AlertState {
    plans: HashMap<PlanId, PlanAlerts>,
    channels: HashMap<ChannelId, Delivery>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct PlanAlerts {
    told: Told,
    /// Alerts about what expires; only in the entry of a site for that.
    #[serde(default)]
    told_expiries: ToldExpiries,
    /// Day on which the night of the last alert that all is well ended; only in the entry for these alerts.
    #[serde(default)]
    told_night: Option<String>,
    open: Option<OpenAlert>,
    /// Identifier of the last alert that reached all its channels. The file of another runner might still have it open.
    #[serde(default)]
    closed: Option<String>,
}

/// An alert that has not reached all its channels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenAlert {
    /// Identifier, the same each time it is sent.
    pub id: String,
    /// What it is about.
    pub about: AlertAbout,
    /// When it was due.
    pub at: Millis,
    /// Channels that were tried: `None` if the channel got it, otherwise the reason why it did not.
    pub channels: HashMap<ChannelId, Option<AlertFault>>,
}

/// Last alert through a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Time when it was sent, or should have been.
    pub at: Millis,
    /// Reason why it was not sent; `null` if it was.
    pub fault: Option<AlertFault>,
}

/// Identifier of the entry about files that cannot be read. No plan has it: theirs are random.
#[must_use]
pub(crate) fn about_files() -> PlanId {
    PlanId("unreadable-files".to_owned())
}

/// Identifier of the entry about what expires on a site. No plan has it.
#[must_use]
pub(crate) fn about_expiries(site: &SiteId) -> PlanId {
    PlanId(format!("expires-{}", site.0))
}

/// Identifier of the entry about nights that went well. No plan has it.
#[must_use]
pub(crate) fn about_nights() -> PlanId {
    PlanId("all-well".to_owned())
}

/// Identifier of the entry about the changes of a site. No plan has it.
#[must_use]
pub(crate) fn about_changes(site: &SiteId) -> PlanId {
    PlanId(format!("changes-{}", site.0))
}

impl AlertStore {
    /// Opens the file of a data folder for the runner, and adds the alerts that a second runner sent while an earlier
    /// one was hanging.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        let store = Self(JsonStore::open(data_folder.join(FILE)).noted());
        let beside = data_folder.join(BESIDE);
        if beside.exists() {
            store.add(JsonStore::open(beside.clone()).get());
            if let Err(error) = std::fs::remove_file(&beside) {
                tracing::warn!(%error, "what was told beside an earlier runner is kept");
            }
        }
        store
    }

    /// Opens a file of its own for a runner that was started while another one runs, because each file has one writer.
    /// The alerts that the other one has sent are added.
    #[must_use]
    pub(crate) fn open_beside(data_folder: &Path) -> Self {
        let store = Self(JsonStore::open(data_folder.join(BESIDE)));
        store.add(JsonStore::open_read_only(data_folder.join(FILE)).get());
        store
    }

    fn add(&self, others: AlertState) {
        self.0.change(|state| {
            // A runner beside another one sends no alerts about what expires.
            for (id, PlanAlerts { told, open, .. }) in others.plans {
                let own = state.plans.entry(id).or_default();
                own.told.add(told);
                let is_closed = open.as_ref().is_some_and(|open| own.closed.as_ref() == Some(&open.id));
                own.open = own.open.take().or(open.filter(|_| !is_closed));
            }
        });
    }

    /// Checks that the file can be read.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(crate) fn check(file: &Path) -> anyhow::Result<()> {
        files::check::<AlertState>(file)
    }

    /// Returns the last alert by each channel, for the window.
    #[must_use]
    pub(super) fn deliveries(data_folder: &Path) -> HashMap<ChannelId, Delivery> {
        JsonStore::open_read_only(data_folder.join(FILE)).read(|state: &AlertState| state.channels.clone())
    }

    /// Forgets what was told about other plans than these, and about paused ones.
    pub(crate) fn forget_others(&self, plans: &[BackupPlan]) {
        let is_of_plan = |id: &PlanId| {
            let of_site =
                |plan: &BackupPlan| [about_expiries(&plan.site), about_changes(&plan.site)].contains(id);
            plans.iter().any(|plan| plan.is_enabled && (plan.id == *id || of_site(plan)))
        };
        let is_known = |id: &PlanId| *id == about_files() || *id == about_nights() || is_of_plan(id);
        self.0.change(|state| state.plans.retain(|id, _| is_known(id)));
    }

    /// Forgets what was told about a plan.
    pub(crate) fn forget(&self, plan: &PlanId) {
        self.0.change(|state| drop(state.plans.remove(plan)));
    }

    /// Forgets what was told about files that cannot be read: there are none any more.
    pub(crate) fn forget_files(&self) {
        self.forget(&about_files());
    }

    /// Returns the alert to send now: the one that `decide` returns, or an earlier one that did not reach all its
    /// channels. It is on the disk before it is sent: a runner that is killed sends it again, and does not forget it.
    pub(crate) fn open_after(
        &self,
        plan: &PlanId,
        now: Timestamp,
        decide: impl FnOnce(&mut Told) -> Option<AlertAbout>,
    ) -> Option<OpenAlert> {
        self.open_when(plan, now, |alerts| decide(&mut alerts.told))
    }

    /// Returns the alert to send now about what expires on a site; see [`open_after`](Self::open_after).
    pub(crate) fn open_expiring(
        &self,
        site: &SiteId,
        now: Timestamp,
        expiries: &[Expiry],
    ) -> Option<OpenAlert> {
        self.open_when(&about_expiries(site), now, |alerts| {
            // Nothing expires any more: an earlier alert that did not reach all its channels would be empty.
            if expiries.is_empty() {
                alerts.open = None;
            }
            expiring::decide(&mut alerts.told_expiries, expiries, now).then_some(AlertAbout::Expires)
        })
    }

    /// Returns whether a night that went well was not told yet, or there is a message about one that did not reach all
    /// its channels.
    pub(crate) fn may_tell_night(&self, night: Option<Date>, now: Timestamp) -> bool {
        self.0.read(|state| {
            let known = state.plans.get(&about_nights());
            let told = known.and_then(|known| known.told_night.as_deref());
            known.is_some_and(|known| known.open.is_some())
                || night.is_some_and(|night| is_later(night, told, now))
        })
    }

    /// Returns the message about a night that went well: a new one, or the one that did not reach all its channels. If
    /// `night` is `None`, something is not well any more, and the earlier message is dropped.
    pub(crate) fn open_night(&self, night: Option<Date>, now: Timestamp) -> Option<OpenAlert> {
        self.open_when(&about_nights(), now, |alerts| {
            let Some(night) = night else {
                alerts.open = None;
                return None;
            };
            let is_news = is_later(night, alerts.told_night.as_deref(), now);
            if is_news {
                alerts.told_night = Some(night.to_string());
            }
            is_news.then_some(AlertAbout::AllWell)
        })
    }

    /// Returns whether an alert did not reach all its channels.
    pub(crate) fn has_open(&self, about: &PlanId) -> bool {
        self.0.read(|state| state.plans.get(about).is_some_and(|known| known.open.is_some()))
    }

    /// Returns the alert about changes of a site: a new one after a snapshot, or the one that did not reach all its
    /// channels. Without changes, the earlier one is dropped, because it would be empty.
    pub(crate) fn open_changes(
        &self,
        site: &SiteId,
        now: Timestamp,
        is_news: bool,
        has_changes: bool,
    ) -> Option<OpenAlert> {
        self.open_when(&about_changes(site), now, |alerts| {
            if !has_changes {
                alerts.open = None;
            }
            (is_news && has_changes).then_some(AlertAbout::Changed)
        })
    }

    fn open_when(
        &self,
        plan: &PlanId,
        now: Timestamp,
        decide: impl FnOnce(&mut PlanAlerts) -> Option<AlertAbout>,
    ) -> Option<OpenAlert> {
        let mut open = None;
        self.0.change(|state| {
            let known = state.plans.contains_key(plan);
            let of_plan = state.plans.entry(plan.clone()).or_default();
            let id = || uuid::Uuid::new_v4().to_string();
            match decide(of_plan) {
                Some(about) => {
                    let at = Millis::from(now);
                    of_plan.open = Some(OpenAlert { id: id(), about, at, channels: HashMap::new() });
                }
                None => {
                    of_plan.open.take_if(|open| now.duration_since(open.at.timestamp()) > LATEST);
                }
            }
            open.clone_from(&of_plan.open);
            if !known && *of_plan == PlanAlerts::default() {
                state.plans.remove(plan);
            }
        });
        open
    }

    /// Notes how an alert ended at a channel.
    pub(crate) fn note(&self, plan: &PlanId, channel: &ChannelId, fault: Option<AlertFault>) {
        self.0.change(|state| {
            let open = state.plans.get_mut(plan).and_then(|of_plan| of_plan.open.as_mut());
            if let Some(open) = open {
                open.channels.insert(channel.clone(), fault.clone());
            }
            state.channels.insert(channel.clone(), Delivery { at: Millis::now(), fault });
        });
    }

    /// Notes how the last heartbeat of a channel ended.
    pub(super) fn note_last(&self, channel: &ChannelId, fault: Option<AlertFault>) {
        let delivery = Delivery { at: Millis::now(), fault };
        self.0.change(|state| drop(state.channels.insert(channel.clone(), delivery)));
    }

    /// Notes that an alert reached all its channels.
    pub(crate) fn close(&self, plan: &PlanId, alert: &OpenAlert) {
        self.0.change(|state| {
            if let Some(of_plan) = state.plans.get_mut(plan) {
                of_plan.open.take_if(|open| open.id == alert.id);
                of_plan.closed = Some(alert.id.clone());
            }
        });
    }
}

/// Returns whether a night is later than the one that was told last. An earlier one can follow if a plan was paused or
/// the time zone changed. A told night in the future was told by a clock that was ahead, and is ignored.
fn is_later(night: Date, told: Option<&str>, now: Timestamp) -> bool {
    // Two days from now: a night ends on the next day, and another time zone can add a day.
    let last = now.to_zoned(TimeZone::UTC).date().saturating_add(2.days());
    let told = told.and_then(|told| told.parse::<Date>().ok()).filter(|told| *told <= last);
    told.is_none_or(|told| told < night)
}

#[cfg(test)]
mod tests {
    use super::super::when::Trouble;
    use super::*;

    #[test]
    fn an_alert_that_was_sent_beside_a_runner_is_not_sent_again_by_the_next_start_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let (plan, now) = (PlanId("nightly".to_owned()), Timestamp::now());
        let failed = |_: &mut Told| Some(AlertAbout::Trouble(Trouble::Failed));
        let open = AlertStore::open(folder.path()).open_after(&plan, now, failed).unwrap();

        let beside = AlertStore::open_beside(folder.path());
        assert_eq!(beside.open_after(&plan, now, |_| None), Some(open.clone()), "it did not arrive yet");
        beside.close(&plan, &open);

        assert_eq!(AlertStore::open_beside(folder.path()).open_after(&plan, now, |_| None), None);
    }
}
