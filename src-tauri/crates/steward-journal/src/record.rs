//! The shape of a record.

use serde::{Deserialize, Serialize};

use crate::redact;
use crate::settle::Settlement;
use crate::workstation::Workstation;

/// What is about to be sent.
#[derive(Debug, Clone, Default)]
pub struct Intent {
    /// Identifier of the saved site.
    pub site: String,
    /// The name the person gave the site, kept because the site may be renamed or removed later.
    pub site_name: String,
    /// What the site was for at that time: practice, test or production.
    pub site_kind: String,
    /// The version of the area that was asked, as far as it was known; may be empty.
    pub site_version: String,
    /// Key of the operation.
    pub operation: String,
    /// Who is signed in.
    pub username: String,
    /// Version of this program.
    pub program_version: String,
    /// The parameters as the person gave them.
    pub parameters: Vec<(String, String)>,
    /// The requests, in the order they are sent. One whose answer is lost keeps those after it from being sent.
    pub requests: Vec<Request>,
    /// Milliseconds since 1970.
    pub started_at: i64,
}

/// A request. A secret value stands there as [`redact::MASK`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// As in `POST`.
    pub method: String,
    /// The address, without secrets in its query.
    pub address: String,
    /// The fields of the form.
    pub form: Vec<(String, String)>,
}

/// How a sent request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Sent; no outcome yet.
    Sent,
    /// The site said success.
    Succeeded,
    /// The site said success, with warnings.
    Warnings,
    /// The site refused, or nothing reached it.
    Failed,
    /// Sent, and the answer is not known.
    Unknown,
    /// Stopped before the request was sent. Earlier versions read it as [`Unknown`](Self::Unknown).
    #[serde(rename = "notSent")]
    NotSent,
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Conclusion {
    /// How it ended.
    pub outcome: Outcome,
    /// One line for the person: the place that was written, the words of a refusal. May be empty.
    pub note: String,
    /// The site's answer. Kept up to [`redact::LARGEST_ANSWER`]; `None` leaves an answer kept before.
    pub answer: Option<Answer>,
    /// The whole report as JSON, where the site keeps no copy of it; `None` leaves a report kept before.
    pub report: Option<serde_json::Value>,
    /// Milliseconds since 1970.
    pub ended_at: i64,
    /// How long it took, in milliseconds, by a clock that nobody sets.
    pub elapsed: i64,
}

/// One line of the history.
#[derive(Debug, Clone)]
pub struct Record {
    /// Its place in the history; later records have higher ones.
    pub sequence: i64,
    /// Identifier.
    pub id: String,
    /// What was about to be sent.
    pub intent: Intent,
    /// Where it was done, and as whom there.
    pub workstation: Workstation,
    /// How it ended.
    pub outcome: Outcome,
    /// One line for the person.
    pub note: String,
    /// Whether a report is kept.
    pub has_report: bool,
    /// Whether a person concluded how it ended, because the answer was lost.
    pub is_settled: bool,
    /// Milliseconds since 1970; `None` while it runs, or when the program ended before the answer came.
    pub ended_at: Option<i64>,
    /// How long it took, in milliseconds.
    pub elapsed: Option<i64>,
}

/// A site's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What is kept of it.
    pub text: String,
    /// Whether it was longer, or broke off on its way.
    pub cut: bool,
}

/// A record with everything that is kept of it.
#[derive(Debug, Clone)]
pub struct Whole {
    /// The record.
    pub record: Record,
    /// The site's answer.
    pub answer: Option<Answer>,
    /// The report.
    pub report: Option<serde_json::Value>,
    /// What a person concluded, where the answer was lost.
    pub settlement: Option<Settlement>,
}

impl Intent {
    /// The same without secrets.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            site: self.site.clone(),
            site_name: redact::text(&self.site_name),
            site_kind: redact::text(&self.site_kind),
            site_version: redact::text(&self.site_version),
            operation: redact::text(&self.operation),
            username: redact::text(&self.username),
            program_version: redact::text(&self.program_version),
            parameters: redact::fields(&self.parameters),
            requests: self.requests.iter().map(Request::redacted).collect(),
            started_at: self.started_at,
        }
    }
}

impl Request {
    /// The same without secrets.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            method: redact::text(&self.method),
            address: redact::address(&self.address),
            form: redact::fields(&self.form),
        }
    }
}

impl Record {
    /// The same without secrets. A record of an old journal may have been written with less care.
    #[must_use]
    pub fn redacted(&self) -> Self {
        Self {
            intent: self.intent.redacted(),
            workstation: self.workstation.redacted(),
            note: redact::text(&self.note),
            ..self.clone()
        }
    }
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Sent, Self::Succeeded, Self::Warnings, Self::Failed, Self::Unknown, Self::NotSent];

    /// Whether the site's answer is known.
    #[must_use]
    pub const fn is_answered(self) -> bool {
        matches!(self, Self::Succeeded | Self::Warnings | Self::Failed)
    }

    /// The name as it stands in the journal and in tables.
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

    /// A name this version does not know was written by a later one: what happened is not known here.
    pub(crate) fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|outcome| outcome.name() == name).unwrap_or(Self::Unknown)
    }
}
