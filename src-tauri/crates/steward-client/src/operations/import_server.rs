//! Specification 3: server import.

use serde::Deserialize;

use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::flavour::ServerFlavour;
use crate::wire::{list, text};

/// What a server is replaced with.
#[derive(Debug)]
pub struct ImportServer {
    /// Path of an exported configuration on the server, or the identifier of a stored upload.
    pub location: String,
    /// The kind of server, which decides how the location is spelled.
    pub flavour: ServerFlavour,
}

/// The import report.
#[derive(Debug, Clone, Deserialize)]
pub struct ImportReply {
    /// `success`.
    #[serde(default, deserialize_with = "text")]
    pub status: String,
    /// One entry per reporting source.
    #[serde(default, deserialize_with = "list")]
    pub result: Vec<Source>,
}

/// What one area of the server reports.
#[derive(Debug, Clone, Deserialize)]
pub struct Source {
    /// Name of the area.
    #[serde(default, deserialize_with = "text")]
    pub source: String,
    /// Its messages.
    #[serde(default, deserialize_with = "list")]
    pub messages: Vec<Message>,
}

/// One message.
#[derive(Debug, Clone, Deserialize)]
pub struct Message {
    /// INFO or WARNING; others may come.
    #[serde(default, deserialize_with = "text")]
    pub level: String,
    /// Free text.
    #[serde(default, deserialize_with = "text")]
    pub message: String,
    /// The service that could not start.
    #[serde(default)]
    pub details: Option<ServiceStart>,
}

/// A service that could not start.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub struct ServiceStart {
    /// Its name, as in `Parcels/Zoning.MapServer`.
    #[serde(deserialize_with = "text")]
    pub service: String,
    /// As in FAILED.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// Why.
    #[serde(deserialize_with = "text")]
    pub message: String,
    /// Each machine's account.
    #[serde(deserialize_with = "list")]
    pub machines: Vec<MachineStart>,
}

/// How a service started on one machine.
#[derive(Debug, Clone, Deserialize, Default)]
#[serde(default)]
pub struct MachineStart {
    /// The machine.
    #[serde(deserialize_with = "text")]
    pub machine: String,
    /// As in FAILED.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// What it reports.
    #[serde(deserialize_with = "list")]
    pub reports: Vec<MachineReport>,
}

/// One report of a machine.
#[derive(Debug, Clone, Deserialize, Default)]
#[serde(default)]
pub struct MachineReport {
    /// As in FAILED.
    #[serde(deserialize_with = "text")]
    pub state: String,
    /// Free text.
    #[serde(deserialize_with = "text")]
    pub message: String,
}

impl ImportServer {
    /// Sends it and waits for the report, of which the site keeps no copy.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, server: &Area) -> Result<ImportReply, ClientError> {
        let mut form = vec![("location", self.location.as_str())];
        if self.flavour.knows_export_location() {
            form.push(("EXPORT_LOCATION", &self.location));
        }
        server.post(&["admin", "importSite"], &form, Patience::Hours, "an import report").await
    }
}
