//! Commands for rehearsals of a restore on a test site, and their receipts.

use steward_app::steward::Steward;
use steward_command::command;
use steward_core::history::ReportFormat;
use steward_core::history::guided_tour::{GuidedTourStep, saw_at};
use steward_core::model::ids::{RecordId, ServerId, SiteId};
use steward_core::model::problem::Problem;
use steward_core::model::saved_file::SaveResult;
use steward_plans::plan::{BackupPlan, PlanId};
use steward_plans::rehearsal::begun::BegunRehearsal;
use steward_plans::rehearsal::conduct::{self, OpenedStep};
use steward_plans::rehearsal::receipt::{self, ReceiptView};
use steward_plans::rehearsal::receipt_file;
use steward_plans::rehearsal::view::{self, RehearsalView};

use super::{Program, Reply};

/// Returns the rehearsals that were begun and have not ended.
#[command]
pub(crate) fn rehearsals(steward: Program<'_>) -> Vec<BegunRehearsal> {
    steward.rehearsals.all()
}

/// Returns the rehearsal of a set on a test site: what differs, and its steps. Sends nothing.
#[command]
pub(crate) async fn rehearsal(
    steward: Program<'_>,
    plan: PlanId,
    set: String,
    site: SiteId,
) -> Reply<RehearsalView> {
    let Steward { context, plans, rehearsals, proofs, .. } = &*steward;
    view::view(context, rehearsals, proofs, &plans.get(&plan)?, &set, &site).await
}

/// Begins a rehearsal of a set on a test site: from now on, imports are its steps. One that was begun goes on.
#[command]
pub(crate) async fn begin_rehearsal(
    steward: Program<'_>,
    plan: PlanId,
    set: String,
    site: SiteId,
) -> Reply<()> {
    let Steward { context, plans, rehearsals, tour, .. } = &*steward;
    let plan = plans.get(&plan)?;
    conduct::begin(context, rehearsals, &plan, &set, &site).await?;
    saw_at(tour, GuidedTourStep::BeginRehearsal, &plan.site);
    Ok(())
}

/// Returns what the form of the next import of a rehearsal is opened with. Its file is read. Sends nothing.
#[command]
pub(crate) async fn open_rehearsal_step(
    steward: Program<'_>,
    site: SiteId,
    server: Option<ServerId>,
) -> Reply<OpenedStep> {
    let plan = plan_of(&steward, &site)?;
    let Steward { context, dialogs, rehearsals, proofs, .. } = &*steward;
    conduct::open(context, dialogs, rehearsals, proofs, &plan, &site, server.as_ref()).await
}

/// Marks a part of a rehearsal as skipped, or as not skipped.
#[command]
pub(crate) fn skip_rehearsal_step(
    steward: Program<'_>,
    site: SiteId,
    server: Option<ServerId>,
    is_skipped: bool,
) -> Reply<()> {
    steward.rehearsals.skip(&site, server.as_ref(), is_skipped)
}

/// Ends a rehearsal, and writes its receipt; returns its entry, or `null` if nothing was imported.
#[command]
pub(crate) async fn end_rehearsal(steward: Program<'_>, site: SiteId) -> Reply<Option<RecordId>> {
    let plan = plan_of(&steward, &site)?;
    let Steward { context, rehearsals, proofs, tour, .. } = &*steward;
    let receipt = conduct::end(context, rehearsals, proofs, &plan, &site).await?;
    if receipt.is_some() {
        saw_at(tour, GuidedTourStep::EndRehearsal, &plan.site);
    }
    Ok(receipt)
}

/// Forgets a rehearsal without a receipt, for example because its set was removed. What was imported stays.
#[command]
pub(crate) fn forget_rehearsal(steward: Program<'_>, site: SiteId) -> Reply<()> {
    conduct::forget(&steward.rehearsals, &site)
}

/// Returns the receipt of a rehearsal, and what was put back since.
#[command]
pub(crate) async fn rehearsal_receipt(steward: Program<'_>, record: RecordId) -> Reply<ReceiptView> {
    let view = receipt::view(&steward.context.history, record).await?;
    let (receipt, steps) = (&view.receipt, &view.put_back);
    if !steps.is_empty() && steps.iter().all(|step| step.undone_by.is_some()) {
        saw_at(&steward.tour, GuidedTourStep::PutBack, &receipt.site);
    }
    Ok(view)
}

/// Exports the receipt of a rehearsal to a file that the user chooses.
#[command]
pub(crate) async fn save_rehearsal_receipt(
    steward: Program<'_>,
    record: RecordId,
    format: ReportFormat,
) -> Reply<SaveResult> {
    let Steward { context, dialogs, language, .. } = &*steward;
    receipt_file::save(&context.history, dialogs, language, record, format).await
}

/// Returns the plan of the rehearsal that was begun on a site.
fn plan_of(steward: &Steward, site: &SiteId) -> Reply<BackupPlan> {
    let begun = steward.rehearsals.on(site);
    let begun = begun
        .ok_or_else(|| Problem::Unexpected { message: "no rehearsal was begun on this site".to_owned() })?;
    steward.plans.get(&begun.plan)
}
