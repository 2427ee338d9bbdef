//! The receipt of a rehearsal: a history entry with what was tried, how it ended, and what was not tried.

use serde::{Deserialize, Serialize};
use steward_core::files::{hash_of, in_background};
use steward_core::history::imports::undone_by;
use steward_core::history::record::{Details, Ended, History, Record, intent_on};
use steward_core::model::history_key::{REHEARSAL, REHEARSE, REHEARSED_SITE};
use steward_core::model::ids::{RecordId, ServerId, SiteId};
use steward_core::model::numbers::{Bytes, Millis};
use steward_core::model::problem::Problem;
use steward_core::model::site_proof::SiteProof;
use steward_core::site_context::SiteContext;
use steward_journal::{Facts, Filter, Intent, Outcome, Report, RunPart};

use super::begun::BegunRehearsal;
use super::differences::RehearsalDifference;
use super::verdict::{RehearsalVerdict, StepState, verdict};
use super::view::{RehearsalStep, Rehearsing};
use crate::plan::{BackupPlan, PlanId};
use crate::restore::{StepCopy, StepImport};
use crate::set::{self, SetPart, export_file};
use crate::sets::name_of;

/// Receipt of a rehearsal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Identifier of the rehearsal.
    pub rehearsal: String,
    /// Result of the rehearsal.
    pub verdict: RehearsalVerdict,
    /// Plan of the set.
    pub plan: PlanId,
    /// Name of the plan.
    pub plan_name: String,
    /// Folder name of the set.
    pub set: String,
    /// SHA-256 of its `set.json`; empty if it could not be read.
    pub set_sha256: String,
    /// Time when the run of the plan began that created the set.
    pub set_started: Millis,
    /// Site of the set.
    pub site: SiteId,
    /// Name of that site.
    pub site_name: String,
    /// Test site.
    pub test_site: SiteId,
    /// Name of the test site.
    pub test_site_name: String,
    /// Time when the rehearsal was begun.
    pub began: Millis,
    /// Time when the rehearsal ended.
    pub ended: Millis,
    /// Time from the start of the first import until the last check, in milliseconds; `null` if the test site was not
    /// back.
    pub recovery_time: Option<Millis>,
    /// Differences between the site of the set and the test site.
    pub differences: Vec<RehearsalDifference>,
    /// Parts, in the order of their imports.
    pub parts: Vec<ReceiptPart>,
    /// Content of a site that no rehearsal can restore.
    pub not_tried: Vec<NotTried>,
    /// Head of the audit trail before the receipt was written; empty if it is not known.
    pub head: String,
}

/// Part of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptPart {
    /// Server of the set; `null` for the portal.
    pub server: Option<ServerId>,
    /// Name of the server or portal in the set.
    pub name: String,
    /// Name of the file, or its path on the portal; empty if there is none.
    pub file: String,
    /// Size of the file; `null` if it is not known.
    pub size: Option<Bytes>,
    /// SHA-256 of the file, as computed by the run of the plan; `null` if the file was not read on this computer.
    pub sha256: Option<String>,
    /// URL of the server or portal that it was imported into; empty if there is none.
    pub onto_url: String,
    /// State of its step at the end.
    pub state: StepState,
    /// Import of the part; `null` if there was none.
    pub import: Option<StepImport>,
    /// Last check of the test site after the import; `null` if there was none.
    pub back: Option<SiteProof>,
}

/// Content that no export includes, so that no rehearsal can restore it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum NotTried {
    /// Data in the data stores.
    DataStores,
    /// Cache tiles and tiling schemes.
    Caches,
    /// Name and password of the primary site administrator.
    Administrator,
    /// Web adaptors and their certificates.
    Adaptors,
    /// URLs of the site of the set.
    Urls,
}

const NOT_TRIED: [NotTried; 5] =
    [NotTried::DataStores, NotTried::Caches, NotTried::Administrator, NotTried::Adaptors, NotTried::Urls];

/// A receipt, with the imports of its rehearsal and their undos.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptView {
    /// Receipt.
    pub receipt: Receipt,
    /// Name of the user at the test site; may be empty.
    pub username: String,
    /// Name of the computer; may be empty.
    pub computer: String,
    /// Imports of the rehearsal, the last first, each with its undo.
    pub put_back: Vec<PutBackStep>,
}

/// Import of a rehearsal, and its undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PutBackStep {
    /// Name of the server or portal in the set.
    pub name: String,
    /// URL of the server or portal that it was imported into.
    pub onto_url: String,
    /// History entry of the import.
    pub import: RecordId,
    /// Whether the import has a safety backup, and can be undone with it.
    pub can_undo: bool,
    /// History entry of the undo that succeeded; `null` if there is none.
    pub undone_by: Option<RecordId>,
}

/// Returns the entry of the receipt of a rehearsal; `None` if it was not written.
pub(super) async fn written(history: &History, begun: &BegunRehearsal) -> Result<Option<RecordId>, Problem> {
    let filter = Filter {
        site: Some(begun.site.0.clone()),
        operation: Some(REHEARSE.to_owned()),
        from: Some(begun.at.0),
        ..Filter::default()
    };
    let id = begun.id.clone();
    let found = history.journal(move |journal| {
        let mut receipts = journal.records(&filter)?.into_iter();
        let is_it = |intent: &Intent| intent.has_parameter((REHEARSAL, &id));
        // An entry whose outcome was not written has no receipt.
        Ok(receipts.find(|one| is_it(&one.intent) && one.has_report).map(|one| RecordId(one.id)))
    });
    found.await
}

/// Writes the receipt of a rehearsal, and returns its entry.
pub(super) async fn write(
    context: &SiteContext,
    plan: &BackupPlan,
    begun: &BegunRehearsal,
    rehearsing: Rehearsing,
) -> Result<RecordId, Problem> {
    let head = context.history.trail_head().await?;
    let set_file = rehearsing.stored.folder.join(set::FILE);
    let set_sha256 = in_background(move || hash_of(&set_file).map(|file| file.sha256)).await?;
    let test = rehearsing.test.clone();
    let receipt = receipt(plan, begun, rehearsing, (set_sha256.unwrap_or_default(), head));
    let parameters = [
        ("plan", receipt.plan_name.clone()),
        (REHEARSED_SITE, receipt.site_name.clone()),
        ("set", receipt.set.clone()),
        ("setSha256", receipt.set_sha256.clone()),
        (REHEARSAL, begun.id.clone()),
    ];
    let intent = Intent {
        parameters: parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        username: test.username.clone().unwrap_or_default(),
        ..intent_on(&test, REHEARSE)
    };
    // The program might have been killed between the two writes of an earlier attempt, which is continued then.
    let is_it = |intent: &Intent| intent.has_parameter((REHEARSAL, &begun.id));
    let history = &context.history;
    let record = match Record::begun_since(history, &begun.site, REHEARSE, begun.at, is_it).await? {
        Some((record, Outcome::Unknown)) => record,
        Some((written, _)) => return Ok(written.id()),
        None => Record::intend(history, intent).await?,
    };
    let details = Details {
        facts: Some(Facts { run_parts: receipt.parts.iter().map(run_part).collect(), ..Facts::default() }),
        report: Report::of(&receipt).ok(),
        ..Details::default()
    };
    let ended = Ended::between(receipt.began, receipt.ended);
    record.conclude_at(ended, receipt.verdict.outcome(), String::new(), details).await;
    Ok(record.id())
}

fn receipt(
    plan: &BackupPlan,
    begun: &BegunRehearsal,
    Rehearsing { stored, test, differences, steps }: Rehearsing,
    (set_sha256, head): (String, String),
) -> Receipt {
    let verdict = verdict(steps.iter().map(|step| step.state), &differences);
    let parts: Vec<ReceiptPart> = steps
        .into_iter()
        .map(|step| {
            let part = stored.set.parts.iter().find(|part| part.server == step.part.server);
            receipt_part(step, part)
        })
        .collect();
    Receipt {
        rehearsal: begun.id.clone(),
        recovery_time: recovery_time(verdict, &parts),
        verdict,
        plan: plan.id.clone(),
        plan_name: plan.name.clone(),
        set: name_of(&stored.folder),
        set_sha256,
        set_started: stored.set.started,
        site: stored.set.site.clone(),
        site_name: stored.set.site_name.clone(),
        test_site: test.id,
        test_site_name: test.name,
        began: begun.at,
        ended: Millis::now(),
        differences,
        parts,
        not_tried: NOT_TRIED.to_vec(),
        head,
    }
}

fn receipt_part(step: RehearsalStep, part: Option<&SetPart>) -> ReceiptPart {
    let RehearsalStep { part: step, onto_url, state, back, .. } = step;
    let (file, size) = match step.copy {
        StepCopy::Here { name, size, .. } => (name, Some(size)),
        StepCopy::OnPortal { location, size, .. } => (location, size),
        StepCopy::None { .. } => {
            (part.and_then(export_file).map(|file| file.name.clone()).unwrap_or_default(), None)
        }
    };
    ReceiptPart {
        server: step.server,
        name: step.name,
        file,
        size,
        sha256: part.and_then(SetPart::content).map(str::to_owned),
        onto_url,
        state,
        import: step.import,
        back,
    }
}

/// Returns the time from the start of the first import until the last check, if the test site was back after each.
fn recovery_time(verdict: RehearsalVerdict, parts: &[ReceiptPart]) -> Option<Millis> {
    let began = parts.iter().filter_map(|part| Some(part.import.as_ref()?.began)).min()?;
    let back = parts.iter().filter_map(|part| Some(part.back.as_ref()?.checked_at)).max()?;
    let is_back = matches!(verdict, RehearsalVerdict::Back | RehearsalVerdict::BackBut);
    is_back.then_some(Millis(back.0 - began.0))
}

fn run_part(part: &ReceiptPart) -> RunPart {
    RunPart {
        name: part.name.clone(),
        is_as_expected: part.state == StepState::Back,
        record: part.import.as_ref().map(|import| import.record.0.clone()),
        sha256: part.sha256.clone().filter(|_| part.state.is_imported()),
    }
}

/// Returns the receipt of an entry, with what was put back since.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be read, or the entry is no receipt.
pub async fn view(history: &History, record: RecordId) -> Result<ReceiptView, Problem> {
    let found = history.journal(move |journal| {
        let whole = journal.whole(&record.0)?;
        let receipt = whole.report.and_then(|report| report.read::<Receipt>().ok());
        let Some(receipt) = receipt else { return Ok(None) };
        let mut put_back = Vec::new();
        for part in receipt.parts.iter().rev() {
            let Some(import) = part.import.as_ref().filter(|_| part.state.is_imported()) else { continue };
            let (can_undo, undone_by) = undone_by(journal, &import.record)?;
            put_back.push(PutBackStep {
                name: part.name.clone(),
                onto_url: part.onto_url.clone(),
                import: import.record.clone(),
                can_undo,
                undone_by,
            });
        }
        let (username, computer) = (whole.record.intent.username, whole.record.workstation.computer);
        Ok(Some(ReceiptView { receipt, username, computer, put_back }))
    });
    let not_one = || Problem::Unexpected { message: "this entry is no receipt of a rehearsal".to_owned() };
    found.await?.ok_or_else(not_one)
}
