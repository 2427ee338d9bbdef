//! Types of a history entry: [`Intent`] is written before the request is sent, [`Conclusion`] after the response, and
//! [`StoredRecord`] and [`Whole`] are read.

use serde::{Deserialize, Serialize};

use crate::process::Process;
use crate::report::Report;
use crate::workstation::Workstation;
use steward_redact as redact;

/// Content of an entry before its request is sent.
#[derive(Debug, Clone, Default)]
pub struct Intent {
    /// Identifier of the saved site.
    pub site: String,
    /// Identifier of the server that receives the requests; empty for a portal, and for what concerns the whole site.
    pub server: String,
    /// Name of that server at that time; empty if its site has no other.
    pub server_name: String,
    /// Name of the site at that time. The site can be renamed or removed later.
    pub site_name: String,
    /// Environment of the site at that time: `practice`, `test`, or `production`.
    pub environment: String,
    /// Version of the component that receives the requests, for example `11.1`; empty if unknown.
    pub site_version: String,
    /// Key of the operation or action, for example `export_portal`.
    pub operation: String,
    /// User name of the session; empty without a session.
    pub username: String,
    /// Version of this program, for example `0.1.0`.
    pub program_version: String,
    /// Parameters as the user entered them. A name can occur more than once.
    pub parameters: Vec<(String, String)>,
    /// Requests in the order they are sent. The requests after one without a response are not sent.
    pub requests: Vec<StoredRequest>,
    /// Start time, in milliseconds since 1970.
    pub started_at: i64,
    /// Reason or ticket that the user gave; may be empty. It can be changed later.
    pub reason: String,
    /// Batch that the entry is part of; `None` for an entry by itself.
    pub batch: Option<Batch>,
}

/// Batch: several requests of one run, each with its own entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Identifier that its entries share.
    pub id: String,
    /// Number of its requests. Those that were not sent have no entry.
    pub size: u32,
}

/// HTTP request. Secret values are [`redact::MASK`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRequest {
    /// HTTP method, for example `POST`.
    pub method: String,
    /// URL, without secrets in its query.
    pub address: String,
    /// Names and values of the form fields.
    pub form: Vec<(String, String)>,
}

/// Outcome of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// The request is running.
    Sent,
    /// The site reported success.
    Succeeded,
    /// The site reported success with warnings.
    Warnings,
    /// The site rejected the request, or the request did not reach it.
    Failed,
    /// The request was sent, and no response was received.
    Unknown,
    /// The user stopped the operation before the request was sent. Versions that do not know it show
    /// [`Unknown`](Self::Unknown).
    NotSent,
}

/// Facts of an entry that later decisions use. The note has them for the user, and is never read back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Facts {
    /// Identifier of the file among the uploads of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload: Option<String>,
    /// Size of that file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_size: Option<u64>,
    /// SHA-256 of the first and last bytes of that file, in lower-case hexadecimal; `None` if they were not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upload_ends: Option<String>,
    /// Path where the site wrote the file, on a machine of the site; `None` of a file among the uploads of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site_path: Option<String>,
    /// Location of an earlier file that the site returned for an export, in place of that of a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier_file: Option<String>,
    /// Path on this computer where the file is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// SHA-256 of the file at that path, in lower-case hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Entries of that file that could not be verified; `None` if the file was not verified, or is not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unverified_entries: Option<u32>,
    /// Whether the export ended with warnings only because its file could not be saved on this computer, or is not complete any
    /// more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lacks_only_file: bool,
    /// Services whose webhooks were deactivated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deactivated: Vec<String>,
    /// Webhooks of a reactivation; `None` of another entry, and of one of an earlier version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reactivation: Option<ReactivationCounts>,
    /// When the refreshed invitation expires, as the portal returned it, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The same by the clock of this computer; `None` if both clocks agree, or that of the portal is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_here_at: Option<i64>,
    /// Whether the site confirmed the request, and showed afterwards that it did not carry it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_contradicted: bool,
    /// Time when the user started an import, before its safety backup, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_at: Option<i64>,
    /// Settings that were changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<SettingChange>,
    /// Parts of the run of a backup plan, or of a rehearsal; empty for other entries, and for a run without a set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run_parts: Vec<RunPart>,
    /// Parts of the note; empty if its text is the only one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub note: Vec<NotePart>,
}

/// Change of a setting. The entry also has a parameter with the same name, which describes the change in one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingChange {
    /// Name of the setting, and of the parameter.
    pub name: String,
    /// Value before the change; may be empty.
    pub before: String,
    /// Value since the change; may be empty.
    pub after: String,
}

/// Part of the run of a backup plan, or of a rehearsal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct RunPart {
    /// Name of the portal or server at that time.
    pub name: String,
    /// Whether the part of the set is as the plan expects, or was back in a rehearsal.
    pub is_as_expected: bool,
    /// Identifier of the history entry of its export, or of its import in a rehearsal; `None` if nothing was sent.
    pub record: Option<String>,
    /// SHA-256 of the imported file of a rehearsal, in lower-case hexadecimal; `None` for the run of a plan, if nothing
    /// was imported, and if the content is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// Number of webhooks in a reactivation, without those that were already active again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct ReactivationCounts {
    /// Number of webhooks that were to be reactivated.
    pub inactive: u32,
    /// Number of webhooks that were reactivated.
    pub reactivated: u32,
}

/// Part of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct NotePart {
    /// Service, webhook, or step that the part is about; `None` for the whole entry.
    pub about: Option<String>,
    /// Kind of the text.
    pub kind: NoteKind,
    /// Text; for [`NoteKind::Upload`] the name of the file, which can be empty.
    pub text: String,
    /// Identifier of the file among the uploads of the server, for [`NoteKind::Upload`].
    pub upload: Option<String>,
}

/// Kind of the text of a part of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum NoteKind {
    /// Names that the summary of the entry has too.
    Names,
    /// Path of a file.
    Path,
    /// URL of a file.
    Url,
    /// File among the uploads of the server.
    Upload,
    /// There was no connection, and nothing was sent; the text is the error of the connection.
    NoConnection,
    /// No response was received; the text is the error of the connection.
    NoResponse,
    /// The response could not be read; the text is what was expected.
    Unreadable,
    /// Beginning of a response that is not one of the site, for example a page.
    Response,
    /// Message of the site or the app, or text of a user. Also a kind that this version does not know.
    #[serde(other)]
    Text,
}

/// Content of an entry after its response.
#[derive(Debug, Clone)]
pub struct Conclusion {
    /// Outcome to store.
    pub outcome: Outcome,
    /// One line for the user, for example the path of an export or the message of an error; may be empty.
    pub note: String,
    /// Facts to store; `None` keeps those that were stored before.
    pub facts: Option<Facts>,
    /// Response of the site, stored up to [`redact::LARGEST_RESPONSE`] bytes; `None` keeps a response stored before.
    pub response: Option<StoredResponse>,
    /// Whole report as JSON, if the site stores no copy of it; `None` keeps a report stored before.
    pub report: Option<Report>,
    /// End time, in milliseconds since 1970.
    pub ended_at: i64,
    /// Duration in milliseconds, measured with a monotonic clock.
    pub elapsed: i64,
}

/// History entry without its response and report.
#[derive(Debug, Clone)]
pub struct StoredRecord {
    /// Position in the history. Later entries have higher numbers.
    pub sequence: i64,
    /// Identifier of the entry, a UUID.
    pub id: String,
    /// Content written before the request was sent.
    pub intent: Intent,
    /// Computer and system account that the program ran with.
    pub workstation: Workstation,
    /// Outcome, set by a response or by a user.
    pub outcome: Outcome,
    /// One line for the user; may be empty.
    pub note: String,
    /// Facts that later decisions use.
    pub facts: Facts,
    /// Whether a report is stored.
    pub has_report: bool,
    /// Whether a user set the outcome, because no response was received.
    pub is_resolved: bool,
    /// End time, in milliseconds since 1970; `None` while it runs, and if the program ended before the response.
    pub ended_at: Option<i64>,
    /// Duration in milliseconds; `None` as for [`ended_at`](Self::ended_at).
    pub elapsed: Option<i64>,
    /// Process that wrote it, and that writes its outcome.
    pub process: Process,
}

/// Response of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// Stored text.
    pub text: String,
    /// Whether the response was longer, or was received in part.
    pub truncated: bool,
}

/// Outcome that a user set for a history entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutcomeResolution {
    /// Outcome that the user found out.
    pub outcome: Outcome,
    /// How the user found out; may be empty.
    pub note: String,
    /// User name of the session.
    pub by: String,
    /// Time of the resolution, in milliseconds since 1970.
    pub at: i64,
}

/// History entry with everything that is stored with it.
#[derive(Debug, Clone)]
pub struct Whole {
    /// Entry without the following fields.
    pub record: StoredRecord,
    /// Response of the site; `None` if none was received or stored.
    pub response: Option<StoredResponse>,
    /// Report; `None` if the entry has no report.
    pub report: Option<Report>,
    /// Outcome that a user set; `None` if no user did.
    pub outcome_resolution: Option<OutcomeResolution>,
    /// Whether one of the three above was damaged on disk. It is `None` then.
    pub is_damaged: bool,
}

impl StoredResponse {
    /// Returns the response without secrets, truncated to [`redact::LARGEST_RESPONSE`].
    #[must_use]
    pub fn redacted(&self) -> Self {
        let (text, truncated) = redact::response(&self.text);
        Self { text, truncated: truncated || self.truncated }
    }
}

impl Intent {
    /// Returns whether it has a parameter with this name and value.
    #[must_use]
    pub fn has_parameter(&self, (name, value): (&str, &str)) -> bool {
        self.parameters.iter().any(|(given, with)| given == name && with == value)
    }

    /// Returns the URL of its last request; empty without one.
    #[must_use]
    pub fn sent_to(&self) -> &str {
        self.requests.last().map(|request| request.address.as_str()).unwrap_or_default()
    }

    /// Returns a copy without secrets.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            site: self.site.clone(),
            server: self.server.clone(),
            server_name: redact::text(&self.server_name),
            site_name: redact::text(&self.site_name),
            environment: redact::text(&self.environment),
            site_version: redact::text(&self.site_version),
            operation: redact::text(&self.operation),
            username: redact::text(&self.username),
            program_version: redact::text(&self.program_version),
            parameters: redact::fields(&self.parameters),
            requests: self.requests.iter().map(StoredRequest::redacted).collect(),
            started_at: self.started_at,
            reason: redact::text(&self.reason),
            batch: self.batch.clone(),
        }
    }
}

impl Facts {
    /// Returns a copy without secrets.
    #[must_use]
    pub fn redacted(&self) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(redact::text);
        Self {
            upload: text(&self.upload),
            upload_size: self.upload_size,
            upload_ends: text(&self.upload_ends),
            site_path: text(&self.site_path),
            earlier_file: text(&self.earlier_file),
            path: text(&self.path),
            sha256: text(&self.sha256),
            unverified_entries: self.unverified_entries,
            lacks_only_file: self.lacks_only_file,
            deactivated: self.deactivated.iter().map(|service| redact::text(service)).collect(),
            reactivation: self.reactivation,
            expires_at: self.expires_at,
            expires_here_at: self.expires_here_at,
            is_contradicted: self.is_contradicted,
            began_at: self.began_at,
            changes: self.changes.iter().map(SettingChange::redacted).collect(),
            run_parts: self.run_parts.iter().map(RunPart::redacted).collect(),
            note: self.note.iter().map(NotePart::redacted).collect(),
        }
    }
}

impl SettingChange {
    fn redacted(&self) -> Self {
        let Self { name, before, after } = self;
        // The name decides whether the value is a secret, as for parameters.
        let value = |value: &String| {
            redact::fields(&[(name.clone(), value.clone())]).pop().map(|(_, value)| value).unwrap_or_default()
        };
        Self { name: redact::text(name), before: value(before), after: value(after) }
    }
}

impl RunPart {
    fn redacted(&self) -> Self {
        Self { name: redact::text(&self.name), ..self.clone() }
    }
}

impl NotePart {
    fn redacted(&self) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(redact::text);
        Self {
            about: text(&self.about),
            kind: self.kind,
            text: redact::text(&self.text),
            upload: text(&self.upload),
        }
    }
}

impl StoredRequest {
    /// Returns a copy without secrets.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            method: redact::text(&self.method),
            address: redact::address(&self.address),
            form: redact::fields(&self.form),
        }
    }
}

impl StoredRecord {
    /// Returns a copy without secrets. The version that stored the entry might know fewer names of them.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            intent: self.intent.redacted(),
            workstation: self.workstation.redacted(),
            note: redact::text(&self.note),
            facts: self.facts.redacted(),
            ..self.clone()
        }
    }
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 6] =
        [Self::Sent, Self::Succeeded, Self::Warnings, Self::Failed, Self::Unknown, Self::NotSent];

    /// Returns whether the outcome is that of a response.
    #[must_use]
    pub const fn has_response(self) -> bool {
        matches!(self, Self::Succeeded | Self::Warnings | Self::Failed)
    }

    /// Returns the name in the journal and in exported tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Succeeded => "succeeded",
            Self::Warnings => "warnings",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::NotSent => "notSent",
        }
    }

    /// Returns the outcome with this name. A name that only a later version knows becomes [`Unknown`](Self::Unknown).
    pub(crate) fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name).unwrap_or(Self::Unknown)
    }
}
