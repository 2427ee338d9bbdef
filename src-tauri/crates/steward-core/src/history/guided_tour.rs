//! The guided first lap on the practice site: seven operations, a failing service, evidence.
//!
//! Nobody ticks a step off. What an operation leaves in the history says that it was done; what leaves no record is
//! noted here when it happens.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use steward_journal::{Filter, Outcome, Record};

use crate::files;
use crate::history::imports;
use crate::host::Host;
use crate::model::ids::PRACTICE;
use crate::model::ids::SiteId;
use crate::model::import_report::ImportReport;
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::Problem;

/// A step of the lap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum LapStep {
    /// The portal is exported.
    ExportPortal,
    /// The server is exported.
    ExportServer,
    /// It is ordered that a service does not start after the next import.
    OrderMishap,
    /// The server is imported, and reports services that did not start.
    ImportServer,
    /// The data item is opened that the report's path lies in.
    FindItem,
    /// The evidence of the import is saved.
    SaveEvidence,
    /// Webhooks are silenced.
    DeactivateWebhooks,
    /// The contact of a participant is changed.
    UpdateParticipant,
    /// An invitation is renewed, and its file is saved.
    RefreshInvitation,
}

/// How far the lap is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LapView {
    /// Since when; `null` when nobody is on it.
    pub begun: Option<Millis>,
    /// Whether the panel is folded.
    pub folded: bool,
    /// In the order in which they are best done.
    pub steps: Vec<LapStepView>,
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LapStepView {
    /// Which.
    pub step: LapStep,
    /// Whether it was done since the lap was begun.
    pub done: bool,
}

/// Records of the practice site that are looked at: a lap is short.
const MOST: u32 = 2_000;

/// What is remembered of the lap, in a file.
pub struct Lap {
    file: PathBuf,
    kept: Mutex<Kept>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    begun: Option<i64>,
    folded: bool,
    /// Steps that leave no record.
    seen: Vec<LapStep>,
    /// When a failing service was ordered: an import before that has nothing of it to show.
    ordered: Option<i64>,
}

impl Lap {
    /// Takes up what the file holds. One that cannot be read costs the place in the lap, and nothing else.
    #[must_use]
    pub fn open(file: PathBuf) -> Self {
        let kept = std::fs::read(&file).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Self { file, kept: Mutex::new(kept.unwrap_or_default()) }
    }

    /// Begins at the first step.
    pub fn begin(&self) {
        self.change(|kept| *kept = Kept { begun: Some(Millis::now().0), ..Kept::default() });
    }

    /// Ends the lap, however far it is.
    pub fn end(&self) {
        self.change(|kept| *kept = Kept::default());
    }

    /// Folds the panel, or unfolds it.
    pub fn fold(&self, folded: bool) {
        self.change(|kept| kept.folded = folded);
    }

    /// Notes a step that leaves no record.
    pub fn saw(&self, step: LapStep) {
        self.change(|kept| {
            if kept.begun.is_some() && !kept.seen.contains(&step) {
                kept.seen.push(step);
                if step == LapStep::OrderMishap {
                    kept.ordered = Some(Millis::now().0);
                }
            }
        });
    }

    fn kept(&self) -> Kept {
        self.lock().clone()
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) {
        let mut kept = self.lock();
        let before = kept.clone();
        change(&mut kept);
        if *kept == before {
            return;
        }
        let written = serde_json::to_vec_pretty(&*kept)
            .map_err(std::io::Error::other)
            .and_then(|bytes| files::write_whole(&self.file, &bytes));
        // It still holds until the program ends.
        if let Err(error) = written {
            tracing::warn!(%error, "how far the guided lap is could not be written down");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LapStep {
    const ALL: [Self; 9] = [
        Self::ExportPortal,
        Self::ExportServer,
        Self::OrderMishap,
        Self::ImportServer,
        Self::FindItem,
        Self::SaveEvidence,
        Self::DeactivateWebhooks,
        Self::UpdateParticipant,
        Self::RefreshInvitation,
    ];

    /// Whether a record shows that this was done.
    fn is_shown_by(self, record: &Record, ordered: Option<i64>) -> bool {
        let key = match self {
            Self::ExportPortal => Key::ExportPortal,
            Self::ExportServer => Key::ExportServer,
            Self::ImportServer => Key::ImportServer,
            Self::DeactivateWebhooks => Key::DeactivateWebhooks,
            Self::UpdateParticipant => Key::UpdateParticipant,
            // The history says that an invitation was refreshed, and not that its file was saved.
            Self::OrderMishap | Self::FindItem | Self::SaveEvidence | Self::RefreshInvitation => {
                return false;
            }
        };
        // An import without the service that was ordered to fail has nothing to look for.
        let enough = self != Self::ImportServer
            || (record.outcome == Outcome::Warnings
                && ordered.is_some_and(|ordered| record.intent.started_at >= ordered)
                && !imports::is_undo(&record.intent));
        record.intent.operation == key.name()
            && matches!(record.outcome, Outcome::Succeeded | Outcome::Warnings)
            && enough
    }
}

/// How far the lap is.
pub async fn view(host: &Host) -> Result<LapView, Problem> {
    let kept = host.lap.kept();
    let records = match kept.begun {
        Some(begun) => host.journal(move |journal| journal.records(&since(begun))).await?,
        None => Vec::new(),
    };
    let is_done = |step: LapStep| {
        kept.seen.contains(&step) || records.iter().any(|record| step.is_shown_by(record, kept.ordered))
    };
    Ok(LapView {
        begun: kept.begun.map(Millis),
        folded: kept.folded,
        steps: LapStep::ALL.map(|step| LapStepView { step, done: is_done(step) }).to_vec(),
    })
}

/// Notes when the item that somebody opened holds the data of a service that did not start at the last import.
pub(crate) async fn saw_item(host: &Host, site: &SiteId, item: &Value) {
    let Some(begun) = host.lap.kept().begun.filter(|_| site.0 == PRACTICE) else { return };
    let Some(folder) = item["info"]["path"].as_str().filter(|folder| !folder.is_empty()) else { return };
    let imports = Filter {
        operation: Some(Key::ImportServer.name().to_owned()),
        outcomes: vec![Outcome::Warnings],
        limit: Some(1),
        ..since(begun)
    };
    let report = host
        .journal(move |journal| match journal.records(&imports)?.first() {
            Some(import) => journal.report(&import.id),
            None => Ok(None),
        })
        .await;
    let Ok(Some(report)) = report else { return };
    let Ok(report) = ImportReport::kept(report) else { return };
    if report.failed_services().any(|service| service.message.contains(folder)) {
        host.lap.saw(LapStep::FindItem);
    }
}

/// Notes that the file of a refreshed invitation is where somebody wanted it.
pub(crate) fn saved_invitation(host: &Host, site: &SiteId) {
    if site.0 == PRACTICE {
        host.lap.saw(LapStep::RefreshInvitation);
    }
}

fn since(begun: i64) -> Filter {
    Filter { site: Some(PRACTICE.to_owned()), from: Some(begun), limit: Some(MOST), ..Filter::default() }
}
