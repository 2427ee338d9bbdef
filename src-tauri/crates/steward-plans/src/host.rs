//! What a night depends on besides the files of its computer: a clock, the site of a plan, and the receivers of its
//! alerts. Tests simulate them.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steward_core::model::ids::Target;
use steward_core::model::numbers::Millis;

use super::alerts::state::OpenAlert;
use super::attempt::Attempt;
use super::attempt_end::AttemptEnd;
use super::not_removed::WhyNotRemoved;
use super::plan::BackupPlan;
use super::store::PlanProgress;

/// A clock, the site of a plan, and the receivers of its alerts.
pub(crate) trait Host {
    /// Returns the current time.
    fn now(&self) -> Timestamp;
    /// Returns the time zone of the schedules.
    fn zone(&self) -> TimeZone;
    /// Waits before plans that reached no site are run again, and returns whether they may be.
    fn pause(&self, pause: Duration) -> impl Future<Output = bool> + Send;
    /// Returns whether no other run may begin.
    fn is_stopped(&self) -> bool;
    /// Runs a plan at its site, and records the run. Returns its end, and its identifier for heartbeats; `None` if the
    /// run is not recorded.
    fn run(
        &self,
        plan: &BackupPlan,
        attempt: Attempt,
    ) -> impl Future<Output = (AttemptEnd, Option<String>)> + Send;
    /// Sends the heartbeats of a plan whose run ended.
    fn beat(&self, plan: &BackupPlan, run: &str, end: &AttemptEnd) -> impl Future<Output = ()> + Send;
    /// Records the end of a run that its runner was killed in: when it began, and when its set was complete, if it was.
    fn record_cut_off(
        &self,
        plan: &BackupPlan,
        end: &AttemptEnd,
        times: (Millis, Option<Millis>),
    ) -> impl Future<Output = ()> + Send;
    /// Removes the sets of a plan that no rule keeps. Returns those that could not be removed; `None` if none was to
    /// be.
    fn remove_others(
        &self,
        plan: &BackupPlan,
    ) -> impl Future<Output = Option<Vec<(String, WhyNotRemoved)>>> + Send;
    /// Verifies the export of a component in a set again, which becomes its state.
    fn verify_again(&self, plan: &BackupPlan, set: &str, target: &Target) -> impl Future<Output = ()> + Send;
    /// Sends an alert about a plan, and returns whether all channels of the plan got it.
    fn send(
        &self,
        plan: &BackupPlan,
        progress: &PlanProgress,
        alert: &OpenAlert,
    ) -> impl Future<Output = bool> + Send;
}
