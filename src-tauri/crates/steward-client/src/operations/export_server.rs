//! Specification 2: server export.

use super::ExportReply;
use crate::area::{Area, Patience};
use crate::error::ClientError;

/// Where a server is exported to.
#[derive(Debug)]
pub struct ExportServer {
    /// Folder the server can write to; empty for a stored file.
    pub location: String,
}

impl ExportServer {
    /// Sends it and waits for the end of the export. The listing names GET, the samples send POST, which keeps
    /// the token out of addresses.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn send(&self, server: &Area) -> Result<ExportReply, ClientError> {
        let form = [("location", self.location.as_str())];
        server.post(&["admin", "exportSite"], &form, Patience::Hours, "the result of an export").await
    }
}
