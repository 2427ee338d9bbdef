//! What was done.

pub mod details;
pub mod guided_tour;
pub(crate) mod imports;
pub(crate) mod recorded_requests;
pub mod report_file;
pub(crate) mod same_site;

use std::io::Cursor;

use serde::{Deserialize, Serialize};
use steward_journal::{Filter, Outcome as Recorded, Record, evidence, redact, replay, tables};

use crate::files;
use crate::files::dialogs::Title;
use crate::history::guided_tour::LapStep;
use crate::host::Host;
use crate::model::history_key::HistoryKey;
use crate::model::ids::PRACTICE;
use crate::model::ids::SiteId;
use crate::model::import_report::ImportReport;
use crate::model::localized_text::Words;
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::Problem;
use crate::model::run_result::RecordId;
use crate::model::saved_file::Saving;

/// Records that the window is given at once.
const MOST: u32 = 5_000;

/// Records that are read at once for a file.
const AT_ONCE: u32 = 1_000;

/// How a sent request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
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
    /// Stopped before the request was sent.
    NotSent,
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
    pub operation: HistoryKey,
    /// Who was signed in.
    pub username: String,
    /// The account of the operating system that it was done with; empty in older records.
    pub system_user: String,
    /// The computer that it was done on; empty in older records.
    pub computer: String,
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
    /// How long it took, by a clock that nobody sets.
    pub elapsed: Option<Millis>,
    /// The version of the site that was asked; may be empty.
    pub site_version: String,
    /// The version of this program that sent it; may be empty.
    pub program_version: String,
    /// Whether it can be had as a command.
    pub has_command: bool,
    /// Whether an export was made before, which undoes it.
    pub has_way_back: bool,
    /// Whether a person concluded the outcome, because the answer was lost.
    pub is_settled: bool,
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

/// What the person looks for in the history; by default everything.
#[derive(Debug, Clone, Default, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistorySearch {
    /// Words that all must be there, the last one by its beginning; empty for any.
    pub text: String,
    /// Only of this site.
    pub site: Option<SiteId>,
    /// Only this operation.
    pub operation: Option<HistoryKey>,
    /// Only by this person, by the whole name.
    pub username: Option<String>,
    /// Only with one of these outcomes; empty for any.
    pub outcomes: Vec<Outcome>,
    /// Only sent at this moment or later.
    pub from: Option<Millis>,
    /// Only sent at this moment or earlier.
    pub to: Option<Millis>,
}

/// A place in the history, to go on reading from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct HistoryPlace(#[specta(type = specta_typescript::Number)] pub i64);

/// A part of the history.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// Newest first.
    pub entries: Vec<HistoryEntry>,
    /// Where the next page begins; `null` when this was the last.
    pub older: Option<HistoryPlace>,
}

/// The type of a file with many records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum HistoryFormat {
    /// A table.
    Csv,
    /// For a program.
    Json,
}

/// The language of a command that sends a record again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CommandLanguage {
    /// curl, for a shell.
    Curl,
    /// Python 3.
    Python,
}

/// Everybody who has a record in the history, by name.
pub async fn history_people(host: &Host) -> Result<Vec<String>, Problem> {
    host.journal(steward_journal::Journal::people).await
}

/// The import report kept with a record.
pub async fn import_report(host: &Host, record: RecordId) -> Result<ImportReport, Problem> {
    as_report(host.journal(move |journal| journal.report(&record.0)).await?)
}

/// Saves an import report where the person says.
pub async fn save_report(host: &Host, record: RecordId, format: ReportFormat) -> Result<Saving, Problem> {
    let whole = host.journal(move |journal| journal.whole(&record.0)).await?;
    let report = as_report(whole.report)?;
    let words = host.spoken.words();
    let (extension, content) = match format {
        ReportFormat::Html => ("html", report_file::html(&report, &facts_of(&whole.record, &words), &words)),
        ReportFormat::Csv => ("csv", report_file::csv(&report, &words)),
        ReportFormat::Json => ("json", report_file::json(&report)?),
    };
    let intent = whole.record.intent;
    let name = files::dated_name(
        &format!("{} import report", intent.site_name),
        Millis(intent.started_at),
        extension,
    );
    let Some(path) = host.dialogs.save_file(Title::SaveReport, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    Ok(files::save(&path, content.as_bytes()))
}

/// One page of a search.
pub async fn page_of(
    host: &Host,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Result<HistoryPage, Problem> {
    let before = older_than.map(|place| place.0);
    let filter = Filter { before, limit: Some(limit.clamp(1, MOST)), ..search.filter() };
    let page = host.journal(move |journal| journal.page(&filter)).await?;
    Ok(HistoryPage {
        entries: page.records.into_iter().filter_map(entry).collect(),
        older: page.older.map(HistoryPlace),
    })
}

/// The evidence of one record, saved where the person says.
pub async fn evidence_of(host: &Host, record: RecordId) -> Result<Saving, Problem> {
    let whole = host.journal(move |journal| journal.whole(&record.0)).await?;
    let intent = &whole.record.intent;
    let name = files::dated_name(&format!("{} evidence", intent.site_name), Millis(intent.started_at), "zip");
    let Some(path) = host.dialogs.save_file(Title::SaveEvidence, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    let was_practised = intent.site == PRACTICE && intent.operation == Key::ImportServer.name();
    // An import's report has a page of its own; of any other the journal knows as much as we do.
    let report = whole.report.clone().map(|mut report| {
        redact::json(&mut report);
        report
    });
    let page = report.and_then(|report| ImportReport::kept(report).ok());
    let words = host.spoken.words();
    let page = page.map(|report| report_file::html(&report, &facts_of(&whole.record, &words), &words));
    let archive = in_background(move || {
        let say = |name: &str| say(&words, name);
        let words = evidence::Words { language: words.language(), say: &say };
        evidence::write(Cursor::new(Vec::new()), &whole, page, &words).map_err(anyhow::Error::from)
    })
    .await?;
    let saving = files::save(&path, archive.get_ref());
    if was_practised && matches!(saving, Saving::Saved { .. }) {
        host.lap.saw(LapStep::SaveEvidence);
    }
    Ok(saving)
}

fn facts_of(record: &Record, words: &Words) -> String {
    let words = evidence::Words { language: words.language(), say: &|name: &str| say(words, name) };
    evidence::facts_table(&record.redacted(), &words)
}

/// The words for a name that the journal's pages use.
fn say(words: &Words, name: &str) -> String {
    match name.split_once('.') {
        // One of the seven, or an act of another kind.
        Some(("operation", key)) if Key::named(key).is_some() => {
            words.say(&format!("operation.{key}.name"), &[])
        }
        Some(("operation", key)) => words.say(&format!("act.{key}"), &[]),
        Some(_) => words.say(name, &[]),
        None => words.say(&format!("recordPage.{name}"), &[]),
    }
}

/// The records that a search finds, saved where the person says.
pub async fn records_of(
    host: &Host,
    search: HistorySearch,
    format: HistoryFormat,
) -> Result<Saving, Problem> {
    let extension = match format {
        HistoryFormat::Csv => "csv",
        HistoryFormat::Json => "json",
    };
    let name = files::dated_name("history", Millis::now(), extension);
    let Some(path) = host.dialogs.save_file(Title::SaveHistory, &name).await? else {
        return Ok(Saving::Dismissed);
    };
    let mut records = Vec::new();
    let mut before = None;
    loop {
        // A page at a time: an operation that begins meanwhile must not wait for the whole history.
        let filter = Filter { before, limit: Some(AT_ONCE), ..search.filter() };
        let page = host.journal(move |journal| journal.page(&filter)).await?;
        records.extend(page.records);
        before = page.older;
        if before.is_none() {
            break;
        }
    }
    let content = in_background(move || {
        let mut content = Vec::new();
        match format {
            HistoryFormat::Csv => tables::csv(&mut content, &records, true)?,
            HistoryFormat::Json => tables::json(&mut content, &records)?,
        }
        anyhow::Ok(content)
    })
    .await?;
    Ok(files::save(&path, &content))
}

/// A record as a command that sends it again, the token taken from a variable.
pub async fn record_as_command(
    host: &Host,
    record: RecordId,
    language: CommandLanguage,
) -> Result<String, Problem> {
    let whole = host.journal(move |journal| journal.whole(&record.0)).await?;
    Ok(match language {
        CommandLanguage::Curl => replay::as_curl(&whole.record),
        CommandLanguage::Python => replay::as_python(&whole.record),
    })
}

impl HistorySearch {
    fn filter(&self) -> Filter {
        Filter {
            text: self.text.clone(),
            site: self.site.as_ref().map(|site| site.0.clone()),
            operation: self.operation.map(|operation| operation.name().to_owned()),
            username: self.username.clone(),
            outcomes: self.outcomes.iter().copied().map(Outcome::recorded).collect(),
            from: self.from.map(|from| from.0),
            to: self.to.map(|to| to.0),
            before: None,
            limit: None,
        }
    }
}

impl Outcome {
    /// The same, as the journal has it.
    #[must_use]
    pub const fn recorded(self) -> Recorded {
        match self {
            Self::Sent => Recorded::Sent,
            Self::Succeeded => Recorded::Succeeded,
            Self::Warnings => Recorded::Warnings,
            Self::Failed => Recorded::Failed,
            Self::Unknown => Recorded::Unknown,
            Self::NotSent => Recorded::NotSent,
        }
    }
}

impl From<Recorded> for Outcome {
    fn from(recorded: Recorded) -> Self {
        match recorded {
            Recorded::Sent => Self::Sent,
            Recorded::Succeeded => Self::Succeeded,
            Recorded::Warnings => Self::Warnings,
            Recorded::Failed => Self::Failed,
            Recorded::Unknown => Self::Unknown,
            Recorded::NotSent => Self::NotSent,
        }
    }
}

/// Work that keeps a processor busy, off the threads that answer the window.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| Problem::Unexpected { message: error.to_string() })??)
}

fn as_report(kept: Option<serde_json::Value>) -> Result<ImportReport, Problem> {
    kept.and_then(|report| ImportReport::kept(report).ok())
        .ok_or_else(|| Problem::Unexpected { message: "this record keeps no import report".to_owned() })
}

/// A line of the history; `None` when only a later version knows its operation.
pub(crate) fn entry(record: Record) -> Option<HistoryEntry> {
    Some(HistoryEntry {
        operation: HistoryKey::named(&record.intent.operation)?,
        has_way_back: imports::has_way_back(&record.intent) && record.outcome != Recorded::NotSent,
        id: RecordId(record.id),
        site: SiteId(record.intent.site),
        site_name: record.intent.site_name,
        username: record.intent.username,
        system_user: record.workstation.user,
        computer: record.workstation.computer,
        started_at: Millis(record.intent.started_at),
        ended_at: record.ended_at.map(Millis),
        parameters: record
            .intent
            .parameters
            .into_iter()
            .map(|(name, value)| Parameter { name, value })
            .collect(),
        outcome: record.outcome.into(),
        note: record.note,
        has_report: record.has_report,
        elapsed: record.elapsed.map(Millis),
        site_version: record.intent.site_version,
        program_version: record.intent.program_version,
        has_command: !record.intent.requests.is_empty(),
        is_settled: record.is_settled,
    })
}
