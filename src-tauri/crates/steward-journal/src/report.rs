//! Report of an entry, as the text of its JSON: a tree of it would need a multiple of its size.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use steward_redact::Redacted;

/// JSON that is stored with an entry.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Report(Box<RawValue>);

impl Report {
    /// Serializes a report.
    ///
    /// # Errors
    ///
    /// Fails if a map of the report has keys that are no texts.
    pub fn of(report: &impl Serialize) -> serde_json::Result<Self> {
        to_raw_value(report).map(Self)
    }

    /// Deserializes the report.
    ///
    /// # Errors
    ///
    /// Fails if it is a report of another kind.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.0.get())
    }

    /// Returns the report without secrets, as it is stored.
    ///
    /// # Errors
    ///
    /// Fails for more than 64 levels.
    pub fn redacted(&self) -> serde_json::Result<Self> {
        Redacted::of(&self.0).text().and_then(Self::stored)
    }

    /// Reads a report that was stored.
    pub(crate) fn stored(text: String) -> serde_json::Result<Self> {
        RawValue::from_string(text).map(Self)
    }

    pub(crate) fn text(&self) -> &str {
        self.0.get()
    }

    /// Returns the report on indented lines, without secrets.
    pub(crate) fn pretty(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(&Redacted::of(&self.0))
    }
}
