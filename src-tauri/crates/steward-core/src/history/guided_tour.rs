//! The guided tour of the practice site: the operations, a simulated fault, and an audit package, and an optional chapter about
//! the import of a portal, whether the site is back, what expires, what another administrator changed, and a rehearsal.
//!
//! [`view`] returns the progress. A step is done if the history shows it. Steps without a history entry are stored when
//! they happen.

use std::path::PathBuf;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steward_journal::{Filter, Outcome, StoredRecord};

use crate::files::JsonStore;
use crate::history::imports;
use crate::history::record::History;
use crate::model::expiry::{Expiring, Expiry};
use crate::model::ids::PRACTICE;
use crate::model::ids::SiteId;
use crate::model::import_report::ImportReport;
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::site_proof::SiteProofView;

/// A step of the guided tour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum GuidedTourStep {
    /// The portal is exported.
    ExportPortal,
    /// The server is exported.
    ExportServer,
    /// The user adds a simulated fault to the practice site.
    AddFault,
    /// The server is imported, and reports services that did not start.
    ImportServer,
    /// The user opens the data store item whose path the import report names.
    FindItem,
    /// The audit package of the import is saved.
    SaveAuditPackage,
    /// Webhooks are deactivated.
    DeactivateWebhooks,
    /// The contact of a participant is changed.
    UpdateParticipant,
    /// An invitation is refreshed, and its file is saved.
    RefreshInvitation,
    /// The portal is imported. This is the first step of the optional chapter.
    ImportPortal,
    /// The content of the portal is counted after its import.
    CheckPortal,
    /// The whole site is checked after an import.
    CheckWholeSite,
    /// The import of the portal is undone.
    UndoPortalImport,
    /// A check finds a license that expires soon.
    FindExpiring,
    /// The overview shows the time to which the site can be restored: it was checked, and has a verified export.
    SeeRecoverable,
    /// A snapshot of the site is taken.
    TakeSnapshot,
    /// The app changes the configuration of the practice site, as another administrator could have done.
    SimulateChanges,
    /// A comparison of snapshots shows the simulated change.
    FindChange,
    /// The user accepts a change.
    AcceptChange,
    /// The site is compared with the practice test site, and a substitution of the user makes values equal.
    CompareSites,
    /// A rehearsal is begun with a backup set of the practice site.
    BeginRehearsal,
    /// The rehearsal ends, and its receipt is written.
    EndRehearsal,
    /// The imports of the rehearsal are undone.
    PutBack,
}

/// Progress of the guided tour.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct GuidedTourView {
    /// Time when it began; `null` if it is not in progress.
    pub begun: Option<Millis>,
    /// Whether the panel is collapsed.
    pub folded: bool,
    /// Steps, in the recommended order.
    pub steps: Vec<GuidedTourStepView>,
}

/// A step with its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct GuidedTourStepView {
    /// Step of the tour.
    pub step: GuidedTourStep,
    /// Whether the step was done after the tour began.
    pub done: bool,
    /// Whether the step belongs to the optional chapter at the end. Without it, the tour is complete.
    pub optional: bool,
}

/// Limit of the records that are read; a tour has far fewer.
const MOST: u32 = 2_000;

/// Progress of the tour, stored in a file that can be lost.
pub struct GuidedTour(JsonStore<Kept>);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    begun: Option<i64>,
    folded: bool,
    /// Completed steps without a record.
    seen: Vec<GuidedTourStep>,
    /// Time when the fault was added, in milliseconds since 1970. An earlier import does not count.
    fault_added_at: Option<i64>,
}

impl GuidedTour {
    /// Reads the stored progress.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Begins the tour at the first step.
    pub fn begin(&self) {
        self.0.change(|kept| *kept = Kept { begun: Some(Millis::now().0), ..Kept::default() });
    }

    /// Ends the tour.
    pub fn end(&self) {
        self.0.change(|kept| *kept = Kept::default());
    }

    /// Collapses or expands the panel.
    pub fn fold(&self, folded: bool) {
        self.0.change(|kept| kept.folded = folded);
    }

    /// Stores a completed step without a record.
    pub fn saw(&self, step: GuidedTourStep) {
        self.0.change(|kept| {
            if kept.begun.is_some() && !kept.seen.contains(&step) {
                kept.seen.push(step);
                if step == GuidedTourStep::AddFault {
                    kept.fault_added_at = Some(Millis::now().0);
                }
            }
        });
    }

    fn kept(&self) -> Kept {
        self.0.get()
    }
}

impl GuidedTourStep {
    const ALL: [Self; 23] = [
        Self::ExportPortal,
        Self::ExportServer,
        Self::AddFault,
        Self::ImportServer,
        Self::FindItem,
        Self::SaveAuditPackage,
        Self::DeactivateWebhooks,
        Self::UpdateParticipant,
        Self::RefreshInvitation,
        Self::ImportPortal,
        Self::CheckPortal,
        Self::CheckWholeSite,
        Self::UndoPortalImport,
        Self::FindExpiring,
        Self::SeeRecoverable,
        Self::TakeSnapshot,
        Self::SimulateChanges,
        Self::FindChange,
        Self::AcceptChange,
        Self::CompareSites,
        Self::BeginRehearsal,
        Self::EndRehearsal,
        Self::PutBack,
    ];

    fn is_optional(self) -> bool {
        let place = |step| Self::ALL.into_iter().position(|one| one == step);
        place(self) >= place(Self::ImportPortal)
    }

    /// Returns whether a record shows that the step was done.
    fn is_shown_by(self, record: &StoredRecord, ordered: Option<i64>) -> bool {
        let key = match self {
            Self::ExportPortal => OperationKey::ExportPortal,
            Self::ExportServer => OperationKey::ExportServer,
            Self::ImportServer => OperationKey::ImportServer,
            Self::DeactivateWebhooks => OperationKey::DeactivateWebhooks,
            Self::UpdateParticipant => OperationKey::UpdateParticipant,
            Self::ImportPortal | Self::UndoPortalImport => OperationKey::ImportPortal,
            // The history shows that an invitation was refreshed, but not that its file was saved. Whether a portal was
            // counted is in a report.
            Self::AddFault
            | Self::FindItem
            | Self::SaveAuditPackage
            | Self::RefreshInvitation
            | Self::CheckPortal
            | Self::CheckWholeSite
            | Self::FindExpiring
            | Self::SeeRecoverable
            | Self::TakeSnapshot
            | Self::SimulateChanges
            | Self::FindChange
            | Self::AcceptChange
            | Self::CompareSites
            | Self::BeginRehearsal
            | Self::EndRehearsal
            | Self::PutBack => return false,
        };
        let is_undo = imports::is_undo(&record.intent);
        let enough = match self {
            // The step after the fault: an import that was started with it.
            Self::ImportServer => {
                record.outcome == Outcome::Warnings
                    && ordered.is_some_and(|ordered| record.intent.started_at >= ordered)
                    && !is_undo
            }
            Self::ImportPortal => !is_undo,
            Self::UndoPortalImport => is_undo,
            _ => true,
        };
        record.intent.operation == key.name()
            && matches!(record.outcome, Outcome::Succeeded | Outcome::Warnings)
            && enough
    }
}

/// Returns the progress of the tour.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn view(tour: &GuidedTour, history: &History) -> Result<GuidedTourView, Problem> {
    let kept = tour.kept();
    let records = match kept.begun {
        Some(begun) => history.journal(move |journal| journal.records(&since(begun))).await?,
        None => Vec::new(),
    };
    let is_counted = is_portal_counted(history, &records).await?;
    let is_done = |step: GuidedTourStep| {
        kept.seen.contains(&step)
            || (step == GuidedTourStep::CheckPortal && is_counted)
            || records.iter().any(|record| step.is_shown_by(record, kept.fault_added_at))
    };
    Ok(GuidedTourView {
        begun: kept.begun.map(Millis),
        folded: kept.folded,
        steps: GuidedTourStep::ALL
            .map(|step| GuidedTourStepView { step, done: is_done(step), optional: step.is_optional() })
            .to_vec(),
    })
}

/// Part of the report of a portal import that is read.
#[derive(Deserialize)]
struct Counted {
    proof: Option<IgnoredAny>,
}

/// Returns whether the portal was counted after one of these imports.
async fn is_portal_counted(history: &History, records: &[StoredRecord]) -> Result<bool, Problem> {
    let imports: Vec<_> = records
        .iter()
        .filter(|record| GuidedTourStep::ImportPortal.is_shown_by(record, None))
        .map(|record| record.id.clone())
        .collect();
    history
        .journal(move |journal| {
            for import in &imports {
                let report = journal.report(import)?.and_then(|report| report.read::<Counted>().ok());
                if report.is_some_and(|report| report.proof.is_some()) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
        .await
}

/// Completes a step if the opened item contains the data of a service that did not start after the last import.
pub(crate) async fn saw_item(history: &History, tour: &GuidedTour, site: &SiteId, item: &Value) {
    let Some(begun) = tour.kept().begun.filter(|_| site.0 == PRACTICE) else { return };
    let Some(folder) = item["info"]["path"].as_str().filter(|folder| !folder.is_empty()) else { return };
    let imports = Filter {
        operation: Some(OperationKey::ImportServer.name().to_owned()),
        outcomes: vec![Outcome::Warnings],
        limit: Some(1),
        ..since(begun)
    };
    let report = history
        .journal(move |journal| match journal.records(&imports)?.first() {
            Some(import) => journal.report(&import.id),
            None => Ok(None),
        })
        .await;
    let Ok(Some(report)) = report else { return };
    let Ok(report) = report.read::<ImportReport>() else { return };
    if report.failed_services().any(|service| service.message.contains(folder)) {
        tour.saw(GuidedTourStep::FindItem);
    }
}

/// Completes a step when the whole practice site is checked again after an import.
pub fn checked_whole_site(tour: &GuidedTour, view: &SiteProofView) {
    if view.site.0 == PRACTICE && view.import.is_some() {
        tour.saw(GuidedTourStep::CheckWholeSite);
    }
}

/// Completes a step if it was done at the practice site.
pub fn saw_at(tour: &GuidedTour, step: GuidedTourStep, site: &SiteId) {
    if site.0 == PRACTICE {
        tour.saw(step);
    }
}

/// Completes a step when a license of the practice site is among what expires soon.
pub fn found_expiring(tour: &GuidedTour, soon: &[Expiry]) {
    if soon.iter().any(|one| one.site.0 == PRACTICE && matches!(one.what, Expiring::License { .. })) {
        tour.saw(GuidedTourStep::FindExpiring);
    }
}

fn since(begun: i64) -> Filter {
    Filter { site: Some(PRACTICE.to_owned()), from: Some(begun), limit: Some(MOST), ..Filter::default() }
}
