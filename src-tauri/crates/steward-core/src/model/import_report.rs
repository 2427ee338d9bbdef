//! The import report, as the window shows it and the history keeps it.

use serde::{Deserialize, Serialize};
use steward_client::operations::import_server as wire;

use crate::model::numbers::{Bytes, Millis};
use crate::model::run_result::RecordId;
use crate::model::saved_file::SavedFile;

/// The report of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportReport {
    /// The site's overall word. `success` even when services did not start; any other is among the messages too.
    pub status: String,
    /// What matters first.
    pub counts: ReportCounts,
    /// One entry per reporting source, in the site's order.
    pub sources: Vec<ReportSource>,
    /// The export that was made before, to undo the import with; `null` when none was asked for.
    pub way_back: Option<WayBack>,
}

/// The export that was made before an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WayBack {
    /// Identifier of the stored upload, which an import accepts.
    pub upload: String,
    /// Its address, as the server named it.
    pub location: String,
    /// Its size.
    pub size: Bytes,
    /// How many entries the archive has.
    pub entries: u32,
    /// What the server had to say about the export.
    pub warnings: Vec<String>,
    /// The copy on this computer; `null` when none was asked for.
    pub saved: Option<SavedFile>,
    /// The export's own record in the history.
    pub record: Option<RecordId>,
    /// When it was complete.
    pub taken_at: Millis,
}

/// How much of what is in a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportCounts {
    /// Messages of level SEVERE, ERROR or FATAL.
    pub errors: u32,
    /// Services that could not start.
    pub failed_services: u32,
    /// Warnings, and levels unknown to us, about anything else.
    pub warnings: u32,
    /// Messages of level INFO.
    pub notes: u32,
}

/// What one area of the server reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportSource {
    /// Its name.
    pub source: String,
    /// Its messages, in the site's order.
    pub messages: Vec<ReportMessage>,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ReportMessage {
    /// As the site wrote it: INFO, WARNING or another.
    pub level: String,
    /// Free text.
    pub message: String,
    /// The service that could not start.
    pub service: Option<ServiceStart>,
}

/// How a service started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServiceStart {
    /// Its name.
    pub service: String,
    /// As in FAILED.
    pub state: String,
    /// Why.
    pub message: String,
    /// Each machine's account.
    pub machines: Vec<MachineStart>,
}

/// How a service started on one machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineStart {
    /// The machine.
    pub machine: String,
    /// As in FAILED.
    pub state: String,
    /// What it reports.
    pub reports: Vec<MachineReport>,
}

/// One report of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct MachineReport {
    /// As in FAILED.
    pub state: String,
    /// Free text.
    pub message: String,
}

/// How much a message matters, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// Of level SEVERE, ERROR or FATAL: a part of the import failed.
    Error,
    /// A service could not start.
    Failed,
    /// Also whatever has a level that we do not know.
    Warning,
    /// Of level INFO.
    Note,
}

/// Levels of servers' logs above WARNING.
const ERRORS: [&str; 3] = ["SEVERE", "ERROR", "FATAL"];

impl ImportReport {
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
        // A report whose status is no success, or no plain one, does not look like it, whatever its messages say.
        let is_clean = |sources: &[ReportSource]| ReportCounts::of(sources).is_clean();
        if !says_success || (warns && is_clean(&sources)) {
            let (level, message) = ("WARNING".to_owned(), reply.status.clone());
            let message = ReportMessage { level, message, service: None };
            sources.push(ReportSource { source: "status".to_owned(), messages: vec![message] });
        }
        Self { status: reply.status, counts: ReportCounts::of(&sources), sources, way_back: None }
    }

    /// Reads the report that a record keeps. An earlier version of this program counted SEVERE among the warnings.
    pub(crate) fn kept(mut report: serde_json::Value) -> serde_json::Result<Self> {
        if let Some(report) = report.as_object_mut() {
            report.insert("counts".to_owned(), serde_json::to_value(ReportCounts::default())?);
        }
        let report: Self = serde_json::from_value(report)?;
        Ok(Self { counts: ReportCounts::of(&report.sources), ..report })
    }

    /// The services that did not start.
    pub(crate) fn failed_services(&self) -> impl Iterator<Item = &ServiceStart> {
        let messages = self.sources.iter().flat_map(|source| &source.messages);
        messages.filter_map(|message| message.service.as_ref()).filter(|service| service.failed())
    }

    /// Whether there is nothing a person has to look at.
    pub(crate) fn is_clean(&self) -> bool {
        self.counts.is_clean()
    }
}

impl ServiceStart {
    fn failed(&self) -> bool {
        ["FAILED", "STOPPED"].iter().any(|state| self.state.eq_ignore_ascii_case(state))
    }
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

    pub(crate) fn severity(&self) -> Severity {
        let is = |level: &&str| self.level.trim().eq_ignore_ascii_case(level);
        if self.service.as_ref().is_some_and(ServiceStart::failed) {
            Severity::Failed
        } else if ERRORS.iter().any(&is) {
            Severity::Error
        } else if is(&"INFO") {
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
    fn a_report_of_an_earlier_version_is_counted_anew() {
        let kept = serde_json::json!({
            "status": "success",
            "counts": { "failedServices": 0, "warnings": 1, "notes": 0 },
            "sources": [{ "source": "Site", "messages": [{ "level": "SEVERE", "message": "m", "service": null }] }],
            "wayBack": null,
        });

        let report = ImportReport::kept(kept).unwrap();

        assert_eq!(report.counts, ReportCounts { errors: 1, ..ReportCounts::default() });
        assert!(ImportReport::kept(serde_json::json!("no report")).is_err());
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
