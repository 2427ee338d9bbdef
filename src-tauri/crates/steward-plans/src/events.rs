//! Events of the audit trail about backup plans, besides those of the records of their exports.

use std::path::Path;

use jiff::Timestamp;
use serde_json::Value;
use steward_core::files;
use steward_core::history::record::History;
use steward_core::model::numbers::Millis;
use steward_core::sites::Sites;
use steward_journal::trail::Event;
use steward_journal::trail::export::Selection;

use super::attempt_end::AttemptEnd;
use super::drive::{LOOK, within};
use super::plan::BackupPlan;
use super::set::{self, BackupSet, Verdict};

/// Returns what changed between two states of the saved plans.
pub(super) fn changes(before: &[BackupPlan], after: &[BackupPlan], sites: &Sites) -> Vec<Event> {
    let find = |plans: &[BackupPlan], plan: &BackupPlan| plans.iter().find(|one| one.id == plan.id).cloned();
    let deleted = before.iter().filter(|plan| find(after, plan).is_none()).map(|plan| (plan, None));
    let kept = after.iter().map(|plan| (plan, Some(plan)));
    let all = deleted.chain(kept).map(|(plan, now)| (plan, find(before, plan), now));
    all.filter(|(_, then, now)| then.as_ref() != *now)
        .map(|(plan, then, now)| Event::PlanChanged {
            plan: plan.id.0.clone(),
            plan_name: plan.name.clone(),
            site: plan.site.0.clone(),
            site_name: site_name(plan, sites),
            before: then.as_ref().map(hash).unwrap_or_default(),
            after: now.map(hash).unwrap_or_default(),
            is_paused: now.map(|plan| !plan.is_enabled),
        })
        .collect()
}

pub(crate) fn started(plan: &BackupPlan, scheduled: Timestamp, sites: &Sites) -> Event {
    Event::RunStarted {
        plan: plan.id.0.clone(),
        plan_name: plan.name.clone(),
        site: plan.site.0.clone(),
        site_name: site_name(plan, sites),
        scheduled: scheduled.as_millisecond(),
    }
}

/// Returns the event of a run that ended, with the hash of the `set.json` of its set.
pub(crate) async fn ended(plan: &BackupPlan, end: &AttemptEnd, sites: &Sites) -> Event {
    let outcome = match end.verdict {
        Verdict::AsExpected => "succeeded",
        Verdict::Skipped => "notSent",
        Verdict::Running | Verdict::Unknown => "unknown",
        Verdict::Failed => "failed",
    };
    let file = end.folder.as_ref().map(|folder| Path::new(folder).join(set::FILE));
    let hashed = within(LOOK, &plan.folder, move || files::hash_of(&file?).ok()).await;
    let set_sha256 = hashed.ok().flatten().map(|file| file.sha256);
    Event::RunEnded {
        plan: plan.id.0.clone(),
        plan_name: plan.name.clone(),
        site: plan.site.0.clone(),
        site_name: site_name(plan, sites),
        outcome: outcome.to_owned(),
        set: end.folder.clone().unwrap_or_default(),
        set_sha256: set_sha256.unwrap_or_default(),
        note: end.note.clone(),
    }
}

/// An event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEvent {
    Started,
    Ended,
}

/// Returns the last event of the runs of a plan in the audit trail, with the name that the plan had then, if it is of
/// the run that began at `began`; `None` if it is not, or cannot be read.
pub(crate) async fn last_of_run(
    history: &History,
    plan: &BackupPlan,
    began: Millis,
) -> Option<(RunEvent, String)> {
    let kinds = vec!["run.started".to_owned(), "run.ended".to_owned()];
    let selection = Selection { site: Some(plan.site.0.clone()), kinds, ..Selection::default() };
    let id = plan.id.clone();
    let found = history.journal(move |journal| {
        let mut before = None;
        loop {
            let Some(entry) = journal.trail_page(&selection, before, 1)?.pop() else { return Ok(None) };
            before = Some(entry.seq);
            let body: Option<Value> = entry.body.and_then(|body| serde_json::from_str(&body).ok());
            if let Some(body) = body.filter(|body| body["plan"] == id.0.as_str()) {
                let name = body["planName"].as_str().unwrap_or_default().to_owned();
                return Ok(serde_json::from_str::<Value>(&entry.envelope).ok().zip(Some(name)));
            }
        }
    });
    let (envelope, name) = found.await.ok()??;
    let at = envelope["at"].as_str()?.parse::<Timestamp>().ok()?;
    let event = if envelope["type"] == "run.ended" { RunEvent::Ended } else { RunEvent::Started };
    (at >= began.timestamp()).then_some((event, name))
}

pub(super) fn removed(folder: &Path, set: &BackupSet) -> Event {
    Event::SetRemoved {
        plan: set.plan.0.clone(),
        plan_name: set.plan_name.clone(),
        site: set.site.0.clone(),
        site_name: set.site_name.clone(),
        set: folder.display().to_string(),
        set_sha256: files::encode(set).map(|bytes| files::sha256(&bytes)).unwrap_or_default(),
    }
}

fn hash(plan: &BackupPlan) -> String {
    serde_json::to_vec(plan).map(|bytes| files::sha256(&bytes)).unwrap_or_default()
}

fn site_name(plan: &BackupPlan, sites: &Sites) -> String {
    sites.get(&plan.site).map(|site| site.name).unwrap_or_default()
}
