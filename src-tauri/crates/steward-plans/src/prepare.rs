//! Checks before a plan runs: the policy, the acceptance list, and before a repetition the site.

use steward_core::model::ids::Target;
use steward_core::model::persistence::Persistence;
use steward_core::model::problem::Problem;
use steward_core::site_context::SiteContext;

use super::acceptance::{judge, obstacle, session_end};
use super::acceptance_facts;
use super::acceptance_line::{FolderFault, LineAbout, SessionEnd};
use super::attempt::Attempt;
use super::attempt_end::AttemptEnd;
use super::attempt_record::RunRecord;
use super::drive::{LOOK, within};
use super::mark::{self, Marked};
use super::open_sets;
use super::plan::BackupPlan;
use super::rules;
use super::services::{Opened, Services};
use super::set::{PartFault, PartState, SetPart};

/// Prepares a run of a plan, and records that it begins. Returns the first end of a session of its parts.
///
/// # Errors
/// The end of the run, if it cannot begin.
pub(crate) async fn prepare(
    services: &Services,
    opened: &Opened,
    plan: &BackupPlan,
    attempt: Attempt,
    record: &mut RunRecord,
) -> Result<Option<SessionEnd>, Box<AttemptEnd>> {
    let (context, files, policy) = (&opened.context, &services.files, &opened.preferences.policy);
    if rules::any_allowed(policy, &context.history).await.is_err() {
        let note = "the policy of the organization does not allow it".to_owned();
        let ended = AttemptEnd { fault: Some(PartFault::NotOffered), note, ..AttemptEnd::without_set() };
        return Err(Box::new(AttemptEnd { sent_nothing: false, ..ended }));
    }
    let sets_in = files.progress.read(|state| state.plans.get(&plan.id)?.sets_in.clone());
    let facts = acceptance_facts::before_run(context, policy, plan, sets_in.as_ref()).await?;
    if let Some(line) = obstacle(judge(&facts)) {
        let by_policy = LineAbout::Folder { fault: Some(FolderFault::NotAllowed) };
        if line.about == by_policy && !attempt.is_repetition {
            rules::tell_folder_refused(&context.history).await;
        }
        let (fault, note) = (Some(PartFault::of_obstacle(&line.about)), line.about.as_text());
        return Err(Box::new(AttemptEnd { fault, note, refused: Some(line), ..AttemptEnd::without_set() }));
    }
    if attempt.is_repetition
        && let Some(parts) = still_waiting(context, plan).await
    {
        return Err(Box::new(AttemptEnd::unsent(parts)));
    }
    record.begin(services, opened, plan).await;
    // Runners that were killed left these sets. The folder of one might have been absent at every start since.
    if let Err(problem) = open_sets::end_all(&files.data_folder, plan).await {
        tracing::warn!(?problem, "backup sets without an end could not be ended");
    }
    is_still_there(plan, sets_in).await?;
    Ok(session_end(&facts.parts))
}

/// Checks the mark of the folder once more: since the first look, the site and the receivers of heartbeats were waited
/// for, and a network drive might have gone meanwhile. The set would be written to its empty mount point.
async fn is_still_there(plan: &BackupPlan, sets_in: Option<Marked>) -> Result<(), Problem> {
    let of_plan = plan.clone();
    let looking = within(LOOK, &plan.folder, move || mark::check(&of_plan, sets_in.as_ref()));
    looking.await?.map_err(|error| Problem::file(&plan.folder, &error))
}

/// Checks whether the site responds before a run that sent nothing is repeated. Returns the parts if none can begin
/// yet, for reasons that can pass; `None` otherwise. Nothing is exported, and no folder is created: a plan might be
/// repeated each minute.
async fn still_waiting(context: &SiteContext, plan: &BackupPlan) -> Option<Vec<SetPart>> {
    let site = context.access.sites.get(&plan.site).ok()?;
    context.access.forget_connection(&site.id);
    let mut parts = Vec::new();
    for part in &plan.parts {
        let waiting = SetPart::waiting(part, &site);
        let target = Target { site: site.id.clone(), server: waiting.server.clone() };
        let problem = context.access.ask_who(&context.access.sites.at(&target).ok()?).await.err()?;
        if problem.persistence() == Persistence::Permanent {
            return None;
        }
        parts.push(SetPart { state: PartState::failed(&problem), ..waiting });
    }
    Some(parts)
}
