//! Data of all services of a server, as it was last read.

use serde::Serialize;

use super::data_location::{Covers, DataLocation};
use crate::model::numbers::Millis;

/// Data of all services of a server, as kept in memory.
pub(super) struct DataOfServices {
    pub(super) view: DataUse,
    pub(super) services: Vec<(String, Vec<DataLocation>)>,
}

/// Summary of reading the data of all services from their manifests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DataUse {
    /// Time when the last manifest was read.
    pub at: Millis,
    /// Number of services whose data is known.
    pub read: u32,
    /// Number of services whose data the server did not return.
    pub unread: u32,
    /// Those services with the reason, at most 100.
    pub named: Vec<UnreadService>,
}

/// Service whose data the server did not return.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct UnreadService {
    /// Path, for example `Parcels/Zoning.MapServer`; that of a folder that the server does not list ends with `/`.
    pub service: String,
    /// Reason, as returned by the server or the library.
    pub reason: String,
}

impl DataOfServices {
    pub(super) fn using(&self, location: &DataLocation, covers: Covers) -> Vec<String> {
        let using = self.services.iter().filter(|(_, sources)| best(location, sources) == covers);
        using.map(|(service, _)| service.clone()).collect()
    }
}

/// Returns the best match between a location and any of the `sources`.
pub(super) fn best(location: &DataLocation, sources: &[DataLocation]) -> Covers {
    sources.iter().map(|source| location.covers(source)).max().unwrap_or(Covers::No)
}
