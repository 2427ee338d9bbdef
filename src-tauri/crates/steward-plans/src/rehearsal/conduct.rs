//! Begins a rehearsal, opens its steps, and ends it with a receipt. Nothing is sent here: each import is sent by its
//! form.

use std::path::PathBuf;

use serde::Serialize;
use steward_core::files::dropped::DroppedFile;
use steward_core::files::selected_paths::SelectedPaths;
use steward_core::files::{hash_of, in_background};
use steward_core::model::ids::{RecordId, ServerId, SiteId};
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SavedFile;
use steward_core::proof::watch::Proofs;
use steward_core::runs::busy;
use steward_core::site_context::SiteContext;

use super::begun::{BegunRehearsal, Rehearsals};
use super::differences::counterparts;
use super::receipt;
use super::verdict::StepState;
use super::view::{Rehearsing, may_begin, may_rehearse, rehearsing};
use crate::plan::BackupPlan;
use crate::restore::StepCopy;
use crate::set::strange;
use crate::set_verification::file_of;
use crate::{set_contents, sets};

/// Content of the form of the next import of a rehearsal, when it is opened.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OpenedStep {
    /// Import into a server.
    Server {
        /// Server of the test site.
        server: ServerId,
        /// Export file of the set.
        file: DroppedFile,
    },
    /// Import into the portal.
    Portal {
        /// Path of the export file, as returned by the portal that wrote it.
        location: String,
    },
}

/// Begins a rehearsal of a set on a test site. One that was begun with the same set goes on.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] if the site is not marked as test, or has an endpoint of a production site.
/// - [`Problem::Unexpected`] if there is no such set, the site is not saved, or a rehearsal of another set was begun
///   there.
/// - [`Problem::File`] if the folder of the plan cannot be read, or the beginning not be written.
pub async fn begin(
    context: &SiteContext,
    rehearsals: &Rehearsals,
    plan: &BackupPlan,
    set: &str,
    site: &SiteId,
) -> Result<(), Problem> {
    let stored = sets::find(plan, set).await?;
    let test = context.access.sites.get(site)?;
    may_begin(context, &test).await?;
    match rehearsals.on(site) {
        Some(begun) if begun.plan == plan.id && begun.set == set => return Ok(()),
        Some(_) => return Err(unexpected("a rehearsal of another set has not ended on this site")),
        None => {}
    }
    let source = context.access.sites.get(&plan.site).ok();
    rehearsals.begin(BegunRehearsal {
        id: uuid::Uuid::new_v4().to_string(),
        plan: plan.id.clone(),
        set: set.to_owned(),
        site: site.clone(),
        at: Millis::now(),
        servers: counterparts(&stored.set.parts, source.as_ref(), &test),
        skipped: Vec::new(),
    })
}

/// Returns what the form of the next import is opened with. Its file is read: it has to be the one that the run of the
/// plan wrote.
///
/// # Errors
/// - [`Problem::PreconditionFailed`] as for [`begin`].
/// - [`Problem::Unexpected`] if it is not the next step of a rehearsal that was begun.
/// - [`Problem::File`] if the file cannot be read, or was changed.
pub async fn open(
    context: &SiteContext,
    selected: &SelectedPaths,
    rehearsals: &Rehearsals,
    proofs: &Proofs,
    plan: &BackupPlan,
    site: &SiteId,
    server: Option<&ServerId>,
) -> Result<OpenedStep, Problem> {
    let begun = rehearsals.on(site).filter(|begun| begun.plan == plan.id);
    let begun = begun.ok_or_else(|| unexpected("no rehearsal of this plan was begun on this site"))?;
    let Rehearsing { stored, test, steps, .. } =
        rehearsing(context, proofs, plan, &begun.set, (site, Some(&begun))).await?;
    // After the first import, the portal of the test site lists the servers of the set, and is not asked for them.
    match steps.iter().all(|step| step.part.import.is_none()) {
        true => may_begin(context, &test).await?,
        false => may_rehearse(context, &test, false)?,
    }
    let step = steps.iter().find(|step| step.part.server.as_ref() == server && step.is_next);
    let step = step.ok_or_else(|| unexpected("another step of the rehearsal comes first"))?;
    let part = stored.set.parts.iter().find(|part| part.server.as_ref() == server);
    let part = part.ok_or_else(|| unexpected("the set has no such part"))?;
    if let Some(file) = file_of(plan, &stored, part)
        && !is_unchanged(file.clone()).await?
    {
        let path = PathBuf::from(file.path);
        return Err(Problem::file(&path, &strange(&path, "has another content than when it was saved")));
    }
    match (server, &step.onto, &step.part.copy) {
        (Some(of_set), Some(onto), StepCopy::Here { .. }) => Ok(OpenedStep::Server {
            server: onto.clone(),
            file: set_contents::file_for_import(selected, plan, &begun.set, of_set).await?,
        }),
        (None, _, StepCopy::OnPortal { location, .. }) => {
            Ok(OpenedStep::Portal { location: location.clone() })
        }
        _ => Err(unexpected("the step has nothing to import")),
    }
}

/// Returns whether a file has the content that it was saved with. Reads all of it.
async fn is_unchanged(file: SavedFile) -> Result<bool, Problem> {
    let path = PathBuf::from(&file.path);
    let found = in_background({
        let path = path.clone();
        move || hash_of(&path)
    });
    Ok(found.await?.map_err(|error| Problem::file(&path, &error))?.sha256 == file.sha256)
}

/// Ends a rehearsal, also before its last step, and writes its receipt. Returns the entry of the receipt; `None` if
/// nothing was imported. If it is called again after the program was killed, there is still one receipt.
///
/// # Errors
/// - [`Problem::Busy`] while an import of the test site runs.
/// - [`Problem::Unexpected`] if none was begun, there is no such set, or the history cannot be read.
/// - [`Problem::NotRecorded`] if the receipt cannot be written.
/// - [`Problem::File`] if the folder of the plan cannot be read.
pub async fn end(
    context: &SiteContext,
    rehearsals: &Rehearsals,
    proofs: &Proofs,
    plan: &BackupPlan,
    site: &SiteId,
) -> Result<Option<RecordId>, Problem> {
    let begun = rehearsals.on(site).filter(|begun| begun.plan == plan.id);
    let begun = begun.ok_or_else(|| unexpected("no rehearsal of this plan was begun on this site"))?;
    let mut rehearsing = rehearsing(context, proofs, plan, &begun.set, (site, Some(&begun))).await?;
    if let Some(run) = context.running_import(&rehearsing.test) {
        return Err(busy(&run));
    }
    let receipt = match receipt::written(&context.history, &begun).await? {
        Some(written) => Some(written),
        None if rehearsing.steps.iter().all(|step| step.part.import.is_none()) => None,
        None => {
            for step in &mut rehearsing.steps {
                let part = rehearsing.stored.set.parts.iter().find(|part| part.server == step.part.server);
                let file = part.and_then(|part| file_of(plan, &rehearsing.stored, part));
                // A missing file counts as changed.
                if let Some(file) = file
                    && !is_unchanged(file).await.unwrap_or(false)
                    && matches!(step.state, StepState::Open | StepState::Skipped)
                {
                    step.state = StepState::Changed;
                }
            }
            Some(receipt::write(context, plan, &begun, rehearsing).await?)
        }
    };
    rehearsals.end(&begun.id)?;
    Ok(receipt)
}

/// Forgets a rehearsal without a receipt, for example because its set was removed. What was imported stays.
///
/// # Errors
/// [`Problem::File`] if that cannot be written.
pub fn forget(rehearsals: &Rehearsals, site: &SiteId) -> Result<(), Problem> {
    rehearsals.on(site).map_or(Ok(()), |begun| rehearsals.end(&begun.id))
}

fn unexpected(message: &str) -> Problem {
    Problem::Unexpected { message: message.to_owned() }
}
