//! Facts of a set in the history of this computer: the accounts of its exports, the entry of the audit trail about the end
//! of its run, and the alerts that were sent after it.

use serde::Serialize;
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::ids::RecordId;
use steward_core::model::numbers::Millis;
use steward_core::model::problem::Problem;
use steward_core::site_context::SiteContext;
use steward_journal::trail::export::{Selection, described};
use steward_journal::{Journal, JournalError, StoredRecord};

use super::plan::BackupPlan;
use super::sets;

/// Limit of the entries that are read: those of some years with an alert each day.
const MOST: u32 = 10_000;

/// Facts of a set in the history of this computer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetTrail {
    /// User names of the sessions that its exports were made with, in the order of its parts; empty if the history of
    /// this computer does not have these exports.
    pub accounts: Vec<String>,
    /// Entry about the end of its run; `null` if the run has not ended, or the entry is in the trail of another
    /// computer.
    pub entry: Option<SetEntry>,
    /// Alerts after its run and before the end of the next one, including those that could not be sent, the oldest
    /// first.
    pub alerts: Vec<SetAlert>,
}

/// An entry of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetEntry {
    /// Number of the entry.
    pub number: u32,
    /// SHA-256 of the envelope of the entry, in lower-case hexadecimal.
    pub sha256: String,
}

/// An alert about a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SetAlert {
    /// Time when it was sent, or when sending it failed.
    pub at: Millis,
    /// Kind of the channel.
    pub by: ChannelKind,
    /// Host that it was sent to; empty for a desktop notification.
    pub receiver: String,
    /// Whether it was sent.
    pub is_sent: bool,
}

/// Returns the facts of a set in the history of this computer.
///
/// # Errors
/// - Those of [`sets::find`].
/// - [`Problem::Unexpected`] if the history cannot be read.
pub async fn of(context: &SiteContext, plan: &BackupPlan, name: &str) -> Result<SetTrail, Problem> {
    let stored = sets::find(plan, name).await?;
    let folder = stored.folder.display().to_string();
    let kinds = ["run.ended", "alert.sent", "alert.not-sent"].map(str::to_owned).to_vec();
    let from = Some(stored.set.started.0);
    let selection = Selection { site: Some(plan.site.0.clone()), kinds, from, ..Selection::default() };
    let entries = context.history.journal(move |journal| journal.trail_page(&selection, None, MOST)).await?;
    let records = stored.set.parts.into_iter().filter_map(|part| part.record).collect();
    let accounts = context.history.journal(move |journal| accounts_of(journal, records)).await?;
    let mut found = SetTrail { accounts, ..SetTrail::default() };
    for entry in entries.iter().rev() {
        let event = described(entry);
        if event.field("plan") != plan.id.0 {
            continue;
        }
        if event.kind == "run.ended" {
            if found.entry.is_some() {
                break;
            }
            if event.field("set") == folder {
                let number = u32::try_from(entry.seq).unwrap_or(u32::MAX);
                found.entry = Some(SetEntry { number, sha256: event.hash });
            }
            continue;
        }
        let by = ChannelKind::ALL.into_iter().find(|kind| kind.name() == event.field("by"));
        let at = event.at.parse::<jiff::Timestamp>().ok();
        if let (true, Some(by), Some(at)) = (found.entry.is_some(), by, at) {
            let (is_sent, receiver) = (event.kind == "alert.sent", event.field("receiver").to_owned());
            found.alerts.push(SetAlert { at: Millis::from(at), by, receiver, is_sent });
        }
    }
    Ok(found)
}

/// Returns the user names of records. A damaged record is named by the history.
fn accounts_of(journal: &Journal, records: Vec<RecordId>) -> Result<Vec<String>, JournalError> {
    let mut accounts = Vec::new();
    for RecordId(id) in records {
        match journal.record(&id) {
            Ok(StoredRecord { intent, .. }) => {
                if !intent.username.is_empty() && !accounts.contains(&intent.username) {
                    accounts.push(intent.username);
                }
            }
            Err(JournalError::NoSuchRecord(_) | JournalError::DamagedRecord(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(accounts)
}
