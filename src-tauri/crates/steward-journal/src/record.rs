//! The shape of a record.

/// What is about to be sent.
#[derive(Debug, Clone)]
pub struct Intent {
    /// Identifier of the saved site.
    pub site: String,
    /// The name the person gave the site, kept because the site may be renamed or removed later.
    pub site_name: String,
    /// Key of the operation.
    pub operation: String,
    /// Who is signed in.
    pub username: String,
    /// The parameters, secrets already masked by whoever fills this.
    pub parameters: Vec<(String, String)>,
    /// Milliseconds since 1970.
    pub started_at: i64,
}

/// How a sent request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Conclusion {
    /// How it ended.
    pub outcome: Outcome,
    /// One line for the person: the place that was written, the words of a refusal. May be empty.
    pub note: String,
    /// The whole report as JSON, where the site keeps no copy of it.
    pub report: Option<serde_json::Value>,
    /// Milliseconds since 1970.
    pub ended_at: i64,
}

/// One line of the history.
#[derive(Debug, Clone)]
pub struct Record {
    /// Identifier.
    pub id: String,
    /// What was about to be sent.
    pub intent: Intent,
    /// How it ended.
    pub outcome: Outcome,
    /// One line for the person.
    pub note: String,
    /// Whether a report is kept.
    pub has_report: bool,
    /// Milliseconds since 1970; `None` while it runs, or when the program ended before the answer came.
    pub ended_at: Option<i64>,
}

/// Which records to read, newest first.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Only of this site.
    pub site: Option<String>,
    /// At most so many.
    pub limit: Option<u32>,
}

impl Outcome {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Succeeded => "succeeded",
            Self::Warnings => "warnings",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }

    /// A name this version does not know was written by a later one: what happened is not known here.
    pub(crate) fn named(name: &str) -> Self {
        [Self::Sent, Self::Succeeded, Self::Warnings, Self::Failed]
            .into_iter()
            .find(|outcome| outcome.name() == name)
            .unwrap_or(Self::Unknown)
    }
}
