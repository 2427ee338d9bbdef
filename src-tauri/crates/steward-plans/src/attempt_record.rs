//! The record of a plan's run in the history, which names the records of its parts and has the duration of the run; the
//! two events of the run in the audit trail; and its two heartbeats.

use jiff::Timestamp;
use steward_client::Moment;
use steward_core::history::note::Note;
use steward_core::history::record::{Details, Ended, Record, intent_of, intent_on, write_late};
use steward_core::model::history_key::RUN_PLAN;
use steward_core::model::numbers::Millis;
use steward_core::settings::policy::PlansRule;
use steward_core::site_context::SiteContext;
use steward_journal::trail::Event;
use steward_journal::{Facts, Intent, Outcome, RunPart};

use super::alerts::send::RunBeat;
use super::alerts::settings::AlertChannels;
use super::attempt_end::AttemptEnd;
use super::events::{self, RunEvent};
use super::plan::BackupPlan;
use super::services::{Opened, RunnerFiles, Services};
use super::set::{SetPart, Verdict};

/// A run whose outcome is still to be written.
pub(crate) struct RunRecord {
    intent: Intent,
    started: Event,
    began: Moment,
    /// Identifier for heartbeats.
    id: String,
    /// Whether it was written that the run began.
    has_begun: bool,
    /// `None` if it could not be written when the run began: it is written with the outcome.
    record: Option<Record>,
}

impl RunRecord {
    /// Returns the record of a run that begins now. Nothing is written yet.
    pub(crate) fn new(context: &SiteContext, plan: &BackupPlan, scheduled: Timestamp) -> Self {
        let intent = intent(context, plan);
        let started = events::started(plan, scheduled, &context.access.sites);
        let id = uuid::Uuid::new_v4().to_string();
        Self { intent, started, began: Moment::now(), id, has_begun: false, record: None }
    }

    /// Records in the history and the audit trail that the run begins, and sends its heartbeats, unless that was done.
    /// Called before anything is sent for a part, so that the history has a run that is killed.
    pub(crate) async fn begin(&mut self, services: &Services, opened: &Opened, plan: &BackupPlan) {
        if self.has_begun {
            return;
        }
        self.write_begin(&opened.context).await;
        beat(services, opened, plan, RunBeat::Start, &self.id).await;
    }

    /// Writes that the run begins. A failure is only logged. Each part has a record of its own, which must be on disk
    /// before it is sent.
    async fn write_begin(&mut self, context: &SiteContext) {
        self.has_begun = true;
        context.history.append(self.started.clone()).await;
        let record = Record::intend(&context.history, self.intent.clone()).await;
        if let Err(problem) = &record {
            tracing::error!(?problem, "the run of a backup plan could not be recorded when it began");
        }
        self.record = record.ok();
    }

    /// Records the end of a run in which its runner was killed. Its history entry became *unknown* when the history was
    /// opened; if its set was complete before, the entry gets the outcome of the set. An end that the audit trail has
    /// is not added again: on a full disk, each start finds the same run. Returns whether it was added now.
    pub(crate) async fn tell_cut_off(
        context: &SiteContext,
        plan: &BackupPlan,
        end: &AttemptEnd,
        (began, ended): (Millis, Option<Millis>),
    ) -> bool {
        let history = &context.history;
        let told = events::last_of_run(history, plan, began).await;
        let is_news = !matches!(told, Some((RunEvent::Ended, _)));
        if told.is_none() {
            let began = began.timestamp();
            history.append(events::started(plan, began, &context.access.sites)).await;
        }
        if is_news {
            Self::tell_end(context, plan, end).await;
        }
        // A user might have renamed the plan since.
        let name_then = told.as_ref().map_or(&plan.name, |(_, name)| name);
        let is_of_plan = |intent: &Intent| {
            intent.parameters.iter().any(|(name, value)| name == "plan" && value == name_then)
        };
        let between = Ended::between(began, ended.unwrap_or(began));
        match Record::begun_since(history, &plan.site, RUN_PLAN, began, is_of_plan).await {
            Ok(Some((record, Outcome::Unknown))) if ended.is_some() => conclude(record, between, end).await,
            // The entry could not be written when the run began.
            Ok(None) if told.is_some() => {
                let intent = Intent { started_at: began.0, ..intent(context, plan) };
                let (outcome, note, details) = conclusion_of(end);
                write_late(history, intent, between, outcome, note, details).await;
            }
            Ok(_) => {}
            Err(problem) => tracing::error!(?problem, "the record of a run is not known"),
        }
        is_news
    }

    async fn tell_end(context: &SiteContext, plan: &BackupPlan, end: &AttemptEnd) {
        let event = events::ended(plan, end, &context.access.sites).await;
        context.history.append(event).await;
    }

    /// Writes the outcome, and that the run began unless that was written. Returns its identifier for heartbeats;
    /// `None` if the run is not recorded: a repetition that again sent nothing might happen each minute, for days.
    pub(crate) async fn end(
        mut self,
        context: &SiteContext,
        plan: &BackupPlan,
        end: &AttemptEnd,
    ) -> Option<String> {
        if !self.has_begun {
            if end.sent_nothing {
                return None;
            }
            self.write_begin(context).await;
        }
        Self::tell_end(context, plan, end).await;
        let Self { intent, began, id, record, .. } = self;
        let ended = Ended::since(began);
        match record {
            Some(record) => conclude(record, ended, end).await,
            None => {
                let (outcome, note, details) = conclusion_of(end);
                write_late(&context.history, intent, ended, outcome, note, details).await;
            }
        }
        Some(id)
    }
}

fn intent(context: &SiteContext, plan: &BackupPlan) -> Intent {
    let of_site = match context.access.sites.get(&plan.site) {
        Ok(site) => intent_on(&site, RUN_PLAN),
        Err(_) => Intent { site: plan.site.0.clone(), ..intent_of(RUN_PLAN) },
    };
    Intent { parameters: vec![("plan".to_owned(), plan.name.clone())], ..of_site }
}

async fn conclude(record: Record, ended: Ended, end: &AttemptEnd) {
    let (outcome, note, details) = conclusion_of(end);
    record.conclude_at(ended, outcome, note, details).await;
}

fn conclusion_of(end: &AttemptEnd) -> (Outcome, Note, Details) {
    let run_parts = end.parts.iter().map(run_part).collect();
    let details = Details { facts: Some(Facts { run_parts, ..Facts::default() }), ..Details::default() };
    (outcome_of(end), note_of(end), details)
}

/// Sends the heartbeats of a plan that has some.
pub(crate) async fn beat(services: &Services, opened: &Opened, plan: &BackupPlan, beat: RunBeat, run: &str) {
    // No channel is told of a run that the policy forbids: no user of this computer can change the policy.
    if plan.alerts.is_empty() || opened.preferences.policy.plans_rule() == PlansRule::Forbidden {
        return;
    }
    let RunnerFiles { data_folder, alerts, .. } = &services.files;
    opened.sender(&AlertChannels::read(data_folder)).beat(alerts, plan, beat, run).await;
}

fn run_part(part: &SetPart) -> RunPart {
    RunPart {
        name: part.name.clone(),
        is_as_expected: part.verdict() == Verdict::AsExpected,
        record: part.record.as_ref().map(|record| record.0.clone()),
        sha256: None,
    }
}

fn outcome_of(end: &AttemptEnd) -> Outcome {
    match end.verdict {
        // The exports are complete, but a site warned that something might be missing.
        Verdict::AsExpected if end.parts.iter().any(|part| part.warnings.is_some()) => Outcome::Warnings,
        Verdict::AsExpected => Outcome::Succeeded,
        // Some parts are verified, the others were skipped.
        Verdict::Skipped if end.parts.iter().any(|part| part.verdict() == Verdict::AsExpected) => {
            Outcome::Warnings
        }
        Verdict::Skipped => Outcome::NotSent,
        Verdict::Running | Verdict::Unknown => Outcome::Unknown,
        Verdict::Failed => Outcome::Failed,
    }
}

/// Returns the reason why there is no set, or those of the parts that failed; the folder of the set if there are none.
fn note_of(end: &AttemptEnd) -> Note {
    if !end.note.is_empty() {
        return Note::from(end.note.clone());
    }
    let reasons = end.parts.iter().filter_map(|part| {
        let (_, why) = part.state.failure()?;
        Some(Note::from(why.to_owned()).about(&part.name))
    });
    let note = reasons.collect::<Note>();
    match &end.folder {
        Some(folder) if note.is_empty() => Note::path(folder),
        _ => note,
    }
}
