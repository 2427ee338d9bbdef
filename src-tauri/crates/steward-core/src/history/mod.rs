//! The history: its entries, searches, and exports.
//!
//! [`page_of`] searches the entries. [`record::Record`] writes them.

pub mod changes_since;
pub mod details;
pub mod guided_tour;
pub mod imports;
pub mod invitations;
pub mod note;
pub mod open_imports;
pub mod parameters;
pub mod record;
pub mod record_target;
pub mod rehearsals;
pub mod report_file;
pub mod summary;
pub mod trail;

use std::collections::BTreeSet;
use std::io::Cursor;

use anyhow::Context;
use serde::{Deserialize, Serialize};
pub use steward_journal::Outcome;
use steward_journal::trail::Event;
use steward_journal::{
    BatchOutcomes, DamagedRecords, Filter, Intent, Journal, Listed, NotePart, Report, SettingChange,
    StoredRecord, Whole, audit_package, command_export, tables,
};

use crate::files::dialogs::Title;
use crate::files::selected_paths::SelectedPaths;
use crate::files::{self, in_background};
use crate::history::guided_tour::{GuidedTour, GuidedTourStep};
use crate::history::record::History;
use crate::history::summary::Summary;
use crate::model::history_key::HistoryKey;
use crate::model::ids::{PRACTICE, RecordId, ServerId, SiteId};
use crate::model::import_report::ImportReport;
use crate::model::localized_text::{Texts, UiLanguage};
use crate::model::numbers::Millis;
use crate::model::one_line::one_line;
use crate::model::operation::{Component, OperationKey};
use crate::model::problem::Problem;
use crate::model::saved_file::SaveResult;

/// Limit of the records on a page.
const MOST: u32 = 5_000;

/// Records that are read at a time for an export.
const AT_ONCE: u32 = 1_000;

/// A history entry.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    /// Identifier of the record.
    pub id: RecordId,
    /// Site; it might have been removed meanwhile.
    pub site: SiteId,
    /// Server of the site; `null` for its portal, and for what concerns the whole site.
    pub server: Option<ServerId>,
    /// Name of that server at that time; `null` if the site had no other.
    pub server_name: Option<String>,
    /// Name of the site at that time.
    pub site_name: String,
    /// Operation or action.
    pub operation: HistoryKey,
    /// Name of the user at the site; may be empty.
    pub username: String,
    /// Account of the operating system; empty if it is not known.
    pub system_user: String,
    /// Name of the computer; empty if it is not known.
    pub computer: String,
    /// Time of the request.
    pub started_at: Millis,
    /// Time of the outcome; `null` if there is none yet.
    pub ended_at: Option<Millis>,
    /// Parameters, without secrets.
    pub parameters: Vec<Parameter>,
    /// Outcome of the request or action.
    pub outcome: Outcome,
    /// Summary with names and values; `null` if the operation and the note contain everything.
    pub summary: Option<Summary>,
    /// Destination that was written, or the error message; may be empty.
    pub note: String,
    /// Parts of the note, each for itself.
    pub note_parts: Vec<NotePart>,
    /// Upload that was stored by the server; `null` if there is none.
    pub upload: Option<String>,
    /// Whether an import report is stored.
    pub has_report: bool,
    /// Duration of the operation by a monotonic clock, in milliseconds; `null` if it is not known.
    pub elapsed: Option<Millis>,
    /// Version of the site; may be empty.
    pub site_version: String,
    /// Version of the app; may be empty.
    pub program_version: String,
    /// Whether its request can be exported as a command.
    pub has_command: bool,
    /// Whether the entry is an import with a safety backup, which can be undone.
    pub has_safety_backup: bool,
    /// Whether a user set the outcome because no response was received.
    pub is_resolved: bool,
    /// Reason or ticket that a user gave; may be empty.
    pub reason: String,
    /// Batch that it is part of; `null` for an entry by itself.
    pub batch: Option<BatchId>,
    /// Whether the entry has no outcome because the runner of backup plans, another process, is still waiting for it;
    /// left out if it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_in_runner: bool,
}

/// Identifier of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct BatchId(pub String);

/// Several requests of one run, each with its own entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryBatch {
    /// Identifier.
    pub id: BatchId,
    /// Number of requests. Those that were not sent have no entry.
    pub size: u32,
    /// Number of entries with each outcome that occurs.
    pub outcomes: Vec<OutcomeCount>,
}

/// Number of entries with an outcome.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct OutcomeCount {
    /// Outcome.
    pub outcome: Outcome,
    /// Number of entries.
    pub count: u32,
}

/// A parameter of a history entry.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Parameter {
    /// Name, as in the request.
    pub name: String,
    /// Value, after a change; a secret is masked.
    pub value: String,
    /// Value before a change of a setting; left out for other parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Whether the value is the identifier of a server upload; left out if it is not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_upload: bool,
}

/// File type of an exported report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ReportFormat {
    /// HTML page, for reading and printing.
    Html,
    /// CSV table with one message in each row.
    Csv,
    /// JSON with all fields of the report.
    Json,
}

impl ReportFormat {
    /// Returns the extension of the file.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

/// A search in the history; by default all entries.
#[derive(Debug, Clone, Default, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistorySearch {
    /// Texts that must all occur, the last one as a prefix; empty for all entries.
    pub text: String,
    /// Only entries of this site.
    pub site: Option<SiteId>,
    /// Only entries of this server.
    pub server: Option<ServerId>,
    /// Only entries of this operation or action.
    pub operation: Option<HistoryKey>,
    /// Only entries of this user, by the full name.
    pub username: Option<String>,
    /// Only entries with one of these outcomes; empty for all.
    pub outcomes: Vec<Outcome>,
    /// Only entries sent at this time or later.
    pub from: Option<Millis>,
    /// Only entries sent at this time or earlier.
    pub to: Option<Millis>,
}

/// Position in the history where a page begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct HistoryPlace(#[specta(type = specta_typescript::Number)] pub i64);

/// A page of the history.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct HistoryPage {
    /// Entries, newest first.
    pub entries: Vec<HistoryEntry>,
    /// Batches that entries of the page are part of, with all of their entries.
    pub batches: Vec<HistoryBatch>,
    /// Entries that were damaged on disk.
    pub damaged: Vec<DamagedEntry>,
    /// Position of the next page; `null` on the last page.
    pub older: Option<HistoryPlace>,
}

/// Entries that were damaged on disk: one that differs from its checksum, or several that cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DamagedEntry {
    /// Entry of the page that they follow; `null` if they precede all.
    pub after: Option<RecordId>,
    /// Number of entries.
    pub count: u32,
    /// Identifier of a single entry; `null` if it cannot be read.
    pub id: Option<RecordId>,
    /// Start time of a single entry; `null` if it cannot be read.
    pub started_at: Option<Millis>,
}

/// File type of exported entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum HistoryFormat {
    /// CSV table with one entry in each row.
    Csv,
    /// JSON with all fields of the entries.
    Json,
}

/// Returns the names of all users in the history.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn history_users(history: &History) -> Result<Vec<String>, Problem> {
    history.journal(steward_journal::Journal::usernames).await
}

/// Returns the import report of a record.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read, or the record has no import report.
pub async fn import_report(history: &History, record: RecordId) -> Result<ImportReport, Problem> {
    as_report(history.journal(move |journal| journal.report(&record.0)).await?)
}

/// Exports an import report to a file that the user chooses.
///
/// # Errors
/// - [`Problem::Unexpected`] if the journal cannot be read, or the record has no import report.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save_report(
    history: &History,
    dialogs: &SelectedPaths,
    language: &UiLanguage,
    record: RecordId,
    format: ReportFormat,
) -> Result<SaveResult, Problem> {
    let id = record.0.clone();
    let listed = history.journal(move |journal| journal.record(&id)).await?;
    let name = files::dated_name(
        &format!("{} import report", subject(&listed.intent)),
        Millis(listed.intent.started_at),
        format.extension(),
    );
    let Some(path) = dialogs.save_file(Title::SaveReport, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    // As it is now: while the dialog was open, the services might have been checked again.
    let whole = history.journal(move |journal| journal.whole(&record.0)).await?;
    let report = as_report(whole.report)?;
    let words = language.texts();
    let head = history.trail_head().await?;
    let content = match format {
        ReportFormat::Html => {
            let facts = facts_of(history, &whole.record, &words);
            report_file::html(&report, &facts, &head, &words).into_bytes()
        }
        ReportFormat::Csv => {
            report_file::csv(&report, &head, &words).context("the report could not be written down")?
        }
        ReportFormat::Json => report_file::json(&report, &head)?.into_bytes(),
    };
    let saved = in_background(move || files::save(&path, &content)).await?;
    Ok(with_event(history, "import_report", &whole.record.id, saved).await)
}

/// Returns one page of a search, with `limit` records (1 to 5,000).
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn page_of(
    history: &History,
    search: HistorySearch,
    older_than: Option<HistoryPlace>,
    limit: u32,
) -> Result<HistoryPage, Problem> {
    let before = older_than.map(|place| place.0);
    let filter = Filter { before, limit: Some(limit.clamp(1, MOST)), ..search.filter() };
    let read = move |journal: &Journal| {
        let page = journal.page(&filter)?;
        let batches = page.records().filter_map(|record| Some(record.intent.batch.as_ref()?.id.clone()));
        let batches: BTreeSet<String> = batches.collect();
        let batches = journal.batches(&batches.into_iter().collect::<Vec<_>>())?;
        Ok((page, batches))
    };
    let (page, batches) = history.journal(read).await?;
    let (mut entries, mut damaged) = (Vec::<HistoryEntry>::new(), Vec::new());
    for listed in page.entries {
        match listed {
            Listed::Record(record) => entries.extend(entry(history, *record)),
            Listed::Damaged(DamagedRecords { count, id, started_at, .. }) => damaged.push(DamagedEntry {
                after: entries.last().map(|entry| entry.id.clone()),
                count: u32::try_from(count).unwrap_or(u32::MAX),
                id: id.map(RecordId),
                started_at: started_at.map(Millis),
            }),
        }
    }
    let batches = batches.into_iter().map(HistoryBatch::of).collect();
    Ok(HistoryPage { entries, batches, damaged, older: page.older.map(HistoryPlace) })
}

/// Returns all intact entries of a batch, newest first.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn batch_of(history: &History, batch: BatchId) -> Result<Vec<HistoryEntry>, Problem> {
    let filter = Filter { batch: Some(batch.0), ..Filter::default() };
    let records = history.journal(move |journal| journal.records(&filter)).await?;
    Ok(records.into_iter().filter_map(|record| entry(history, record)).collect())
}

/// Sets the reason or ticket of records; empty to remove it. The audit trail keeps the previous one.
///
/// # Errors
/// - [`Problem::NotRecorded`] if the journal cannot be written.
/// - [`Problem::Unexpected`] if a record does not exist, or was damaged on disk.
pub async fn set_reason(history: &History, records: Vec<RecordId>, reason: &str) -> Result<(), Problem> {
    let ids: Vec<String> = records.into_iter().map(|record| record.0).collect();
    let reason = one_line(reason);
    history.must_record(move |journal| journal.set_reason(&ids, &reason)).await
}

/// Exports the audit package of one or several records to a file that the user chooses.
///
/// # Errors
/// - [`Problem::Unexpected`] if the journal cannot be read, or the package cannot be created.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn save_audit_package(
    history: &History,
    dialogs: &SelectedPaths,
    language: &UiLanguage,
    tour: &GuidedTour,
    records: Vec<RecordId>,
) -> Result<SaveResult, Problem> {
    let ids: Vec<String> = records.into_iter().map(|record| record.0).collect();
    let only = match &ids[..] {
        [id] => {
            let id = id.clone();
            Some(history.journal(move |journal| journal.record(&id)).await?.intent)
        }
        _ => None,
    };
    let name = match &only {
        Some(intent) => format!("{} audit package", subject(intent)),
        None => "audit package".to_owned(),
    };
    let at = only.map_or(Millis::now(), |intent| Millis(intent.started_at));
    let name = files::dated_name(&name, at, "zip");
    let Some(path) = dialogs.save_file(Title::SaveAuditPackage, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let about = if let [id] = &ids[..] { id.clone() } else { String::new() };
    let texts = language.texts();
    let head = history.trail_head().await?;
    let packing = history.clone();
    let archive = history.journal(move |journal| {
        let mut was_practised = false;
        let page = |whole: &Whole| {
            was_practised |= whole.record.intent.site == PRACTICE
                && whole.record.intent.operation == OperationKey::ImportServer.name();
            report_page(&packing, whole, &head, &texts)
        };
        let words = audit_package::PageWords {
            language: texts.language(),
            say: &|name: &str| say(&texts, name),
            describe: &|record: &StoredRecord| summary::described(record, packing.summarize, &texts),
        };
        let archive = audit_package::write(Cursor::new(Vec::new()), journal, &ids, page, &words);
        Ok(archive.map(|archive| (archive, was_practised)).map_err(anyhow::Error::from))
    });
    let (archive, was_practised) = archive.await??;
    let saving = in_background(move || files::save(&path, archive.get_ref())).await?;
    if was_practised && matches!(saving, SaveResult::Saved { .. }) {
        tour.saw(GuidedTourStep::SaveAuditPackage);
    }
    Ok(with_event(history, "audit_package", &about, saving).await)
}

/// Returns an import report as a page, for the audit package; `None` for other entries, whose content the journal writes.
fn report_page(history: &History, whole: &Whole, head: &str, texts: &Texts) -> Option<String> {
    let report = whole.report.as_ref()?.redacted().ok()?.read::<ImportReport>().ok()?;
    Some(report_file::html(&report, &facts_of(history, &whole.record, texts), head, texts))
}

fn facts_of(history: &History, record: &StoredRecord, words: &Texts) -> String {
    let words = audit_package::PageWords {
        language: words.language(),
        say: &|name: &str| say(words, name),
        describe: &|record: &StoredRecord| summary::described(record, history.summarize, words),
    };
    audit_package::facts_table(&record.redacted(), &words)
}

/// Returns the text for a key of the journal's pages.
fn say(words: &Texts, name: &str) -> String {
    match name.split_once('.') {
        Some(("operation", summary::UNDO_IMPORT)) => words.say(&imports::undo_text(Component::Server), &[]),
        Some(("operation", summary::UNDO_PORTAL_IMPORT)) => {
            words.say(&imports::undo_text(Component::Portal), &[])
        }
        Some(("operation", summary::SAFETY_BACKUP)) => words.say("safetyBackup", &[]),
        Some(("operation", key)) if OperationKey::named(key).is_some() => {
            words.say(&format!("operation.{key}.name"), &[])
        }
        Some(("operation", key)) => words.say(&format!("historyAction.{key}"), &[]),
        Some(_) => words.say(name, &[]),
        None => words.say(&format!("recordPage.{name}"), &[]),
    }
}

/// Exports the records of a search to a file that the user chooses. Summaries are in the language of the window.
///
/// # Errors
/// - [`Problem::Unexpected`] if the journal cannot be read, or the file cannot be encoded.
/// - [`Problem::NoDialog`] if the system cannot show a file dialog.
pub async fn records_of(
    history: &History,
    dialogs: &SelectedPaths,
    language: &UiLanguage,
    search: HistorySearch,
    format: HistoryFormat,
) -> Result<SaveResult, Problem> {
    let extension = match format {
        HistoryFormat::Csv => "csv",
        HistoryFormat::Json => "json",
    };
    let name = files::dated_name("history", Millis::now(), extension);
    let Some(path) = dialogs.save_file(Title::SaveHistory, &name).await? else {
        return Ok(SaveResult::Dismissed);
    };
    let mut entries = Vec::new();
    let mut before = None;
    loop {
        // Read a page at a time: an operation that begins meanwhile must not wait for the whole history.
        let filter = Filter { before, limit: Some(AT_ONCE), ..search.filter() };
        let page = history.journal(move |journal| journal.page(&filter)).await?;
        entries.extend(page.entries);
        before = page.older;
        if before.is_none() {
            break;
        }
    }
    let words = language.texts();
    let summarize = history.summarize;
    let content = in_background(move || {
        let describe = |record: &StoredRecord| summary::described(record, summarize, &words);
        let mut content = Vec::new();
        match format {
            HistoryFormat::Csv => {
                tables::csv(&mut content, &entries, files::list_separator(), true, &describe)?
            }
            HistoryFormat::Json => tables::json(&mut content, &entries, &describe)?,
        }
        anyhow::Ok(content)
    })
    .await??;
    let saved = in_background(move || files::save(&path, &content)).await?;
    Ok(with_event(history, "history", "", saved).await)
}

/// Adds an export that was saved to the audit trail, and returns its result. `about` is the record, empty for several.
async fn with_event(history: &History, what: &str, about: &str, saved: SaveResult) -> SaveResult {
    if let SaveResult::Saved { file } = &saved {
        let (what, about, sha256) = (what.to_owned(), about.to_owned(), file.sha256.clone());
        history.append(Event::HistoryExported { what, about, sha256 }).await;
    }
    saved
}

/// Returns a curl command that repeats the request of a record. The token is read from a variable.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn record_as_command(history: &History, record: RecordId) -> Result<String, Problem> {
    let record = history.journal(move |journal| journal.record(&record.0)).await?;
    Ok(command_export::as_curl(&record))
}

impl HistoryBatch {
    fn of(BatchOutcomes { batch, outcomes }: BatchOutcomes) -> Self {
        let outcomes = outcomes.into_iter().map(|(outcome, count)| OutcomeCount { outcome, count }).collect();
        Self { id: BatchId(batch.id), size: batch.size, outcomes }
    }
}

impl Parameter {
    fn of(record: &StoredRecord, name: &str, value: &str) -> Self {
        let is_upload = imports::is_upload(&record.intent, name, value);
        let change = record.facts.changes.iter().find(|change| change.name == name);
        let (value, before) = match change {
            Some(SettingChange { before, after, .. }) => (after.as_str(), Some(before.clone())),
            None => (value, None),
        };
        Self { name: name.to_owned(), value: value.to_owned(), before, is_upload }
    }
}

impl HistorySearch {
    fn filter(&self) -> Filter {
        Filter {
            text: self.text.clone(),
            site: self.site.as_ref().map(|site| site.0.clone()),
            server: self.server.as_ref().map(|server| server.0.clone()),
            operation: self.operation.map(|operation| operation.name().to_owned()),
            username: self.username.clone(),
            outcomes: self.outcomes.clone(),
            batch: None,
            from: self.from.map(|from| from.0),
            to: self.to.map(|to| to.0),
            before: None,
            after: None,
            limit: None,
        }
    }
}

fn as_report(kept: Option<Report>) -> Result<ImportReport, Problem> {
    kept.and_then(|report| report.read().ok())
        .ok_or_else(|| Problem::Unexpected { message: "this record keeps no import report".to_owned() })
}

/// Returns what begins the name of a file about an entry.
fn subject(intent: &Intent) -> String {
    format!("{} {}", intent.server_name, intent.site_name).trim_start().to_owned()
}

/// Converts a record to a history entry; `None` if its operation is unknown to this version.
pub fn entry(history: &History, record: StoredRecord) -> Option<HistoryEntry> {
    let parameters = record.intent.parameters.iter();
    let parameters = parameters.map(|(name, value)| Parameter::of(&record, name, value)).collect();
    Some(HistoryEntry {
        operation: HistoryKey::named(&record.intent.operation)?,
        is_in_runner: history.is_in_runner(&record),
        summary: summary::of(&record, history.summarize),
        // The report of an export has its inventory, which is no import report.
        has_report: record.has_report && imports::is_import(&record.intent),
        has_safety_backup: imports::has_safety_backup(&record.intent) && record.outcome != Outcome::NotSent,
        id: RecordId(record.id),
        server: record_target::target_of(&record.intent).server,
        site: SiteId(record.intent.site),
        server_name: Some(record.intent.server_name).filter(|name| !name.is_empty()),
        site_name: record.intent.site_name,
        username: record.intent.username,
        system_user: record.workstation.user,
        computer: record.workstation.computer,
        started_at: Millis(record.intent.started_at),
        ended_at: record.ended_at.map(Millis),
        parameters,
        outcome: record.outcome,
        upload: record.facts.upload.clone(),
        note_parts: note::parts_of(&record.note, &record.facts),
        note: record.note,
        elapsed: record.elapsed.map(Millis),
        site_version: record.intent.site_version,
        program_version: record.intent.program_version,
        has_command: !record.intent.requests.is_empty(),
        is_resolved: record.is_resolved,
        reason: record.intent.reason,
        batch: record.intent.batch.map(|batch| BatchId(batch.id)),
    })
}
