//! What was done.

use serde::{Deserialize, Serialize};
use steward_journal::{Filter, Outcome as Recorded, Record};
use tauri::State;

use crate::host::Host;
use crate::operations::Key;
use crate::problem::Problem;
use crate::report_file;
use crate::saving;
use crate::sites::SiteId;
use crate::views::ended::RecordId;
use crate::views::import_report::ImportReport;
use crate::views::numbers::Millis;
use crate::views::saved_file::Saving;

/// Records that the window is given at once.
const MOST: u32 = 5_000;

/// How a sent request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Still running.
    Sent,
    /// Success.
    Succeeded,
    /// Success, with warnings.
    Warnings,
    /// Refused, or nothing reached the site.
    Failed,
    /// Sent, and the answer is not known.
    Unknown,
}

/// One line of the history.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Identifier.
    pub id: RecordId,
    /// The site.
    pub site: SiteId,
    /// The site's name at that time.
    pub site_name: String,
    /// The operation.
    pub operation: Key,
    /// Who was signed in.
    pub username: String,
    /// When it was sent.
    pub started_at: Millis,
    /// When it ended.
    pub ended_at: Option<Millis>,
    /// What was sent, without secrets.
    pub parameters: Vec<Parameter>,
    /// How it ended.
    pub outcome: Outcome,
    /// The place that was written, the words of a refusal; may be empty.
    pub note: String,
    /// Whether an import report is kept.
    pub has_report: bool,
}

/// A parameter that was sent.
#[derive(Debug, Clone, Serialize, specta::Type)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The type of a saved report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ReportFormat {
    /// A page to read and to print.
    Html,
    /// A table.
    Csv,
    /// For a program.
    Json,
}

/// The history, newest first.
#[tauri::command]
#[specta::specta]
pub async fn list_history(host: State<'_, Host>, site: Option<SiteId>) -> Result<Vec<HistoryEntry>, Problem> {
    let filter = Filter { site: site.map(|site| site.0), limit: Some(MOST) };
    let records = host.journal(move |journal| journal.records(&filter)).await?;
    // An operation that only a later version knows cannot be shown by this one.
    Ok(records.into_iter().filter_map(entry).collect())
}

/// The import report kept with a record.
#[tauri::command]
#[specta::specta]
pub async fn import_report(host: State<'_, Host>, record: RecordId) -> Result<ImportReport, Problem> {
    read_report(&host, record).await
}

/// Saves an import report where the person says.
#[tauri::command]
#[specta::specta]
pub async fn save_report(
    host: State<'_, Host>,
    record: RecordId,
    format: ReportFormat,
) -> Result<Saving, Problem> {
    let report = read_report(&host, record).await?;
    let (extension, content) = match format {
        ReportFormat::Html => ("html", report_file::html(&report)),
        ReportFormat::Csv => ("csv", report_file::csv(&report)),
        ReportFormat::Json => ("json", report_file::json(&report)?),
    };
    let name = saving::safe_name("import-report", extension);
    let Some(path) = host.dialogs.save_file("Save the import report", &name).await? else {
        return Ok(Saving::Dismissed);
    };
    Ok(saving::save(&path, content.as_bytes()))
}

async fn read_report(host: &Host, record: RecordId) -> Result<ImportReport, Problem> {
    let report = host.journal(move |journal| journal.report(&record.0)).await?;
    report
        .and_then(|report| serde_json::from_value(report).ok())
        .ok_or_else(|| Problem::Unexpected { message: "this record keeps no import report".to_owned() })
}

fn entry(record: Record) -> Option<HistoryEntry> {
    Some(HistoryEntry {
        operation: Key::named(&record.intent.operation)?,
        id: RecordId(record.id),
        site: SiteId(record.intent.site),
        site_name: record.intent.site_name,
        username: record.intent.username,
        started_at: Millis(record.intent.started_at),
        ended_at: record.ended_at.map(Millis),
        parameters: record
            .intent
            .parameters
            .into_iter()
            .map(|(name, value)| Parameter { name, value })
            .collect(),
        outcome: match record.outcome {
            Recorded::Sent => Outcome::Sent,
            Recorded::Succeeded => Outcome::Succeeded,
            Recorded::Warnings => Outcome::Warnings,
            Recorded::Failed => Outcome::Failed,
            Recorded::Unknown => Outcome::Unknown,
        },
        note: record.note,
        has_report: record.has_report,
    })
}
