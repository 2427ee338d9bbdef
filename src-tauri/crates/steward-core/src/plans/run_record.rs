//! The record of a plan's run in the history. It names the records of its parts, and has the duration of the run.

use steward_client::Moment;
use steward_journal::{Facts, Intent, Outcome, RunPart};

use super::plan::BackupPlan;
use super::runner::RunEnd;
use super::set::{PartState, SetPart, Verdict};
use crate::history::note::Note;
use crate::history::record::{Details, Ended, Record, intent_of, intent_on, write_late};
use crate::model::history_key::RUN_PLAN;
use crate::site_context::SiteContext;

/// A run whose outcome is still to be written.
pub(crate) struct RunRecord {
    intent: Intent,
    began: Moment,
    /// `None` if it is written with the outcome.
    record: Option<Record>,
    is_repetition: bool,
}

impl RunRecord {
    /// Writes that a run begins. That of a repetition, after a run that reached no site, is written with its outcome: a
    /// computer without a network repeats it for days.
    ///
    /// A failure is only logged. Each part has a record of its own, which must be on disk before it is sent.
    pub(crate) async fn begin(context: &SiteContext, plan: &BackupPlan, is_repetition: bool) -> Self {
        let began = Moment::now();
        let of_site = match context.access.sites.get(&plan.site) {
            Ok(site) => intent_on(&site, RUN_PLAN),
            Err(_) => Intent { site: plan.site.0.clone(), ..intent_of(RUN_PLAN) },
        };
        let intent = Intent { parameters: vec![("plan".to_owned(), plan.name.clone())], ..of_site };
        let record = match is_repetition {
            true => None,
            false => match Record::intend(&context.history, intent.clone()).await {
                Ok(record) => Some(record),
                Err(problem) => {
                    tracing::error!(?problem, "the run of a backup plan could not be recorded when it began");
                    None
                }
            },
        };
        Self { intent, began, record, is_repetition }
    }

    /// Writes the outcome. A repetition that reached no site either leaves no record.
    pub(crate) async fn end(self, context: &SiteContext, end: &RunEnd) {
        let Self { intent, began, record, is_repetition } = self;
        let run_parts = end.parts.iter().map(run_part).collect();
        let details = Details { facts: Some(Facts { run_parts, ..Facts::default() }), ..Details::default() };
        let (ended, outcome, note) = (Ended::since(began), outcome_of(end), note_of(end));
        match record {
            Some(record) => drop(record.conclude_at(ended, outcome, note, details).await),
            None if is_repetition && end.sent_nothing => {}
            None => write_late(&context.history, intent, ended, outcome, note, details).await,
        }
    }
}

fn run_part(part: &SetPart) -> RunPart {
    RunPart {
        name: part.name.clone(),
        is_as_expected: part.verdict() == Verdict::AsExpected,
        record: part.record.as_ref().map(|record| record.0.clone()),
    }
}

fn outcome_of(end: &RunEnd) -> Outcome {
    match end.verdict {
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

/// Returns the reasons of the parts that failed; the folder of the set if there are none.
fn note_of(end: &RunEnd) -> Note {
    let reasons = end.parts.iter().filter_map(|part| match &part.state {
        PartState::Failed { note, .. } if !note.is_empty() => {
            Some(Note::from(note.clone()).about(&part.name))
        }
        _ => None,
    });
    let note = Note::from(end.note.clone()).and(reasons.collect::<Note>());
    match &end.folder {
        Some(folder) if note.is_empty() => Note::path(folder),
        _ => note,
    }
}
