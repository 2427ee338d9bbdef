//! The import report, as shown in the window and stored in the history.
//!
//! `ImportReport::of` reads the response of the site. The history stores it as JSON.

use serde::{Deserialize, Serialize};
use steward_client::operations::import_server as wire;

use crate::model::ids::RecordId;
use crate::model::numbers::{Bytes, Millis};
use crate::model::reactivated_webhooks::ReactivatedWebhooks;
use crate::model::saved_file::SavedFile;
use crate::model::service_check::ImportProof;
use crate::model::site_proof::SiteProof;

/// The report of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// Overall status returned by the site. It is `success` even if services did not start. Any other status is also
    /// among the messages.
    pub status: String,
    /// Whether the status is no success; left out if it is one, or missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_failed: bool,
    /// Whether the server imported the file in place of checking it, without a safety backup; left out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported_instead: bool,
    /// Number of messages by severity.
    pub counts: ReportCounts,
    /// One entry per reporting source, in the site's order.
    pub sources: Vec<ReportSource>,
    /// Other fields of the response, each with its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Safety backup to undo the import with; `null` if none was created.
    pub safety_backup: Option<SafetyBackup>,
    /// States of the services after the import; `null` if they were not checked.
    pub proof: Option<ImportProof>,
    /// Result for the webhooks that were deactivated for the time of the import; `null` if there were none, or after
    /// Stop.
    pub reactivated: Option<ReactivatedWebhooks>,
    /// Whether the site was back, by the last check after the import; left out while it is checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<SiteProof>,
}

/// Export that was created before an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SafetyBackup {
    /// Identifier of the server upload, which an import accepts.
    pub upload: String,
    /// URL of the export file, as returned by the server.
    pub location: String,
    /// Size of the export file.
    pub size: Bytes,
    /// Number of entries in the archive.
    pub entries: u32,
    /// Number of entries of the copy on this computer that could not be compared with their checksums, because their
    /// compression is not supported; `null` if there is no copy.
    pub unverified_entries: Option<u32>,
    /// Whether that copy is recognized as an export; `null` if there is no copy.
    pub is_recognized: Option<bool>,
    /// Warnings of the server about the export.
    pub warnings: Vec<String>,
    /// Other fields of the response to the export, each with its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<String>,
    /// Copy on this computer; `null` if none was requested.
    pub saved: Option<SavedFile>,
    /// Reason why the inventory could not be written beside that copy; `null` if it was, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory_unwritten: Option<String>,
    /// Record of the export in the history; `null` if it could not be written.
    pub record: Option<RecordId>,
    /// Time when it was complete.
    pub taken_at: Millis,
}

/// Number of messages of a report, by severity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportCounts {
    /// Messages of level SEVERE, ERROR or FATAL.
    pub errors: u32,
    /// Services that did not start.
    pub failed_services: u32,
    /// Messages of level WARNING or of an unknown level.
    pub warnings: u32,
    /// Messages of level INFO.
    pub notes: u32,
}

/// Messages of one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportSource {
    /// Name of the part of the server that reports.
    pub source: String,
    /// Messages, in the order of the site.
    pub messages: Vec<ReportMessage>,
}

/// One message of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportMessage {
    /// Level as returned by the site, for example `INFO` or `WARNING`.
    pub level: String,
    /// Free text.
    pub message: String,
    /// Service that the message is about; `null` for other messages.
    pub service: Option<ServiceStart>,
}

/// State of a service after the import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceStart {
    /// Service path as reported by the server, for example `Parcels/Zoning.MapServer`.
    pub service: String,
    /// State, for example `FAILED`.
    pub state: String,
    /// Reason, as returned by the site.
    pub message: String,
    /// State on each machine.
    pub machines: Vec<MachineStart>,
}

/// State of a service on one machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineStart {
    /// Name of the machine.
    pub machine: String,
    /// State, for example `FAILED`.
    pub state: String,
    /// Messages of the machine.
    pub reports: Vec<MachineReport>,
}

/// One report of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineReport {
    /// State, for example `FAILED`.
    pub state: String,
    /// Free text.
    pub message: String,
}

/// Severity of a message, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Level SEVERE, ERROR or FATAL: a part of the import failed.
    Error,
    /// A service did not start.
    Failed,
    /// Level WARNING, or an unknown level.
    Warning,
    /// Level INFO.
    Note,
}

/// Levels of servers' logs above WARNING.
const ERRORS: [&str; 3] = ["SEVERE", "ERROR", "FATAL"];

impl ImportReport {
    /// Converts the response of the site, and counts its messages.
    pub(crate) fn of(reply: wire::ImportReply) -> Self {
        let (says_success, warns) = (reply.says_success(), reply.warns());
        let mut sources: Vec<ReportSource> = reply
            .result
            .into_iter()
            .map(|source| ReportSource {
                source: source.source,
                messages: source.messages.into_iter().map(ReportMessage::of).collect(),
            })
            .collect();
        // If the status is not a plain success, the report must show it, whatever its messages are.
        let is_clean = |sources: &[ReportSource]| ReportCounts::of(sources).is_clean();
        if !says_success || (warns && is_clean(&sources)) {
            let (level, message) = ("WARNING".to_owned(), reply.status.clone());
            let message = ReportMessage { level, message, service: None };
            sources.push(ReportSource { source: "status".to_owned(), messages: vec![message] });
        }
        Self {
            status: reply.status,
            is_failed: !says_success,
            imported_instead: false,
            counts: ReportCounts::of(&sources),
            sources,
            further: reply.further,
            safety_backup: None,
            proof: None,
            reactivated: None,
            back: None,
        }
    }

    /// Returns the services that did not start.
    pub(crate) fn failed_services(&self) -> impl Iterator<Item = &ServiceStart> {
        let messages = self.sources.iter().flat_map(|source| &source.messages);
        messages.filter_map(|message| message.service.as_ref()).filter(|service| service.failed())
    }

    /// Returns whether the report has no errors, failed services, or warnings.
    pub(crate) fn is_clean(&self) -> bool {
        self.counts.is_clean()
    }
}

impl ServiceStart {
    /// Returns whether it does not run, everywhere or on one of its machines.
    fn failed(&self) -> bool {
        let on_machines = self.machines.iter().flat_map(|machine| {
            [&machine.state].into_iter().chain(machine.reports.iter().map(|report| &report.state))
        });
        [&self.state].into_iter().chain(on_machines).any(|state| did_not_start(state))
    }

    /// Returns whether the service has a state, in total or on a machine, that does not mean that it runs.
    fn is_doubtful(&self) -> bool {
        let mut states = [&self.state].into_iter().chain(self.machines.iter().map(|machine| &machine.state));
        states.any(|state| !matches!(plain(state).as_str(), "" | "STARTED"))
    }
}

/// Returns whether a state means that a service does not run: `FAILED`, `STOPPED`, `NOT_STARTED`, `start failed`.
fn did_not_start(state: &str) -> bool {
    let state = plain(state);
    state.contains("FAIL") || matches!(state.as_str(), "STOPPED" | "NOTSTARTED")
}

fn plain(state: &str) -> String {
    state.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_uppercase()
}

impl ReportMessage {
    fn of(message: wire::Message) -> Self {
        let service = message.details.map(|details| ServiceStart {
            service: details.service,
            state: details.state,
            message: details.message,
            machines: details
                .machines
                .into_iter()
                .map(|machine| MachineStart {
                    machine: machine.machine,
                    state: machine.state,
                    reports: machine
                        .reports
                        .into_iter()
                        .map(|report| MachineReport { state: report.state, message: report.message })
                        .collect(),
                })
                .collect(),
        });
        Self { level: message.level, message: message.message, service }
    }

    /// Returns the severity. A failed service counts as such whatever the level of its message. `lines.ts` of the window has
    /// the same rules; both have the cases of `tests/fixtures/severities.json`.
    pub(crate) fn severity(&self) -> Severity {
        let is = |level: &&str| self.level.trim().eq_ignore_ascii_case(level);
        if self.service.as_ref().is_some_and(ServiceStart::failed) {
            Severity::Failed
        } else if ERRORS.iter().any(&is) {
            Severity::Error
        } else if is(&"INFO") && !self.service.as_ref().is_some_and(ServiceStart::is_doubtful) {
            Severity::Note
        } else {
            Severity::Warning
        }
    }
}

impl ReportCounts {
    fn of(sources: &[ReportSource]) -> Self {
        let mut counts = Self::default();
        for message in sources.iter().flat_map(|source| &source.messages) {
            *match message.severity() {
                Severity::Error => &mut counts.errors,
                Severity::Failed => &mut counts.failed_services,
                Severity::Warning => &mut counts.warnings,
                Severity::Note => &mut counts.notes,
            } += 1;
        }
        counts
    }

    fn is_clean(&self) -> bool {
        self.errors + self.failed_services + self.warnings == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(level: &str, state: Option<&str>) -> ReportMessage {
        let service = state.map(|state| ServiceStart {
            service: "Parcels/Zoning.MapServer".to_owned(),
            state: state.to_owned(),
            message: String::new(),
            machines: Vec::new(),
        });
        ReportMessage { level: level.to_owned(), message: String::new(), service }
    }

    #[test]
    fn a_service_that_did_not_start_is_counted_once_and_a_level_nobody_knows_is_not_hidden() {
        let messages = vec![
            message("WARNING", Some("FAILED")),
            message("WARNING", None),
            message("DEBUG", None),
            message("SEVERE", None),
            message("error", None),
            message("INFO", Some("STARTED")),
            message("info", None),
        ];
        let source = ReportSource { source: "Services".to_owned(), messages };

        let counts = ReportCounts::of(&[source]);

        assert_eq!(counts, ReportCounts { errors: 2, failed_services: 1, warnings: 2, notes: 2 });
    }

    #[test]
    fn a_service_that_does_not_run_is_no_note_whatever_the_level_of_its_message() {
        let cases = include_str!("../../../../../tests/fixtures/severities.json");
        for case in serde_json::from_str::<Vec<serde_json::Value>>(cases).unwrap() {
            let message: ReportMessage = serde_json::from_value(case["message"].clone()).unwrap();
            let severity = format!("{:?}", message.severity()).to_lowercase();
            assert_eq!(severity, case["severity"].as_str().unwrap(), "{case}");
        }
    }

    #[test]
    fn a_safety_backup_that_was_stored_without_the_rest_of_its_response_is_read() {
        let stored = r#"{"upload":"i1","location":"","size":1,"entries":1,"unverifiedEntries":null,
            "isRecognized":null,"warnings":["w"],"saved":null,"record":null,"takenAt":1}"#;
        let backup: SafetyBackup = serde_json::from_str(stored).unwrap();
        assert_eq!((backup.warnings.len(), backup.further.len()), (1, 0));
    }

    #[test]
    fn a_report_whose_status_is_no_success_does_not_look_like_one() {
        let report = |status: &str| {
            let message = r#"{"level":"INFO","message":"Imported."}"#;
            let json =
                format!(r#"{{"status":"{status}","result":[{{"source":"Site","messages":[{message}]}}]}}"#);
            ImportReport::of(serde_json::from_str(&json).unwrap())
        };
        assert!(report("success").is_clean() && report("").is_clean());
        let failed = report("failed");
        assert!(!failed.is_clean());
        assert_eq!(failed.sources.last().unwrap().messages[0].message, "failed");
    }
}
