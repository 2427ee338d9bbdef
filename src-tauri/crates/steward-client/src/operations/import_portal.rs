//! Portal import. Not part of the specification: portals have it since version 10.4, and `docs/spec-notes.md` says
//! where its parameters come from.
//!
//! [`ImportPortal::send`] keeps the connection open until the import ends, which can take hours.
//! [`ImportPortal::check`] has the portal check the file only.

use super::export_portal::{self, BackupStore};
use super::{GatedParameter, Impact, NeedsAdminUrl, OperationDescriptor, SuccessReply};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};

/// Facts of the operation, which the specification does not have: the portals that can export can import, at their administration URL.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    impact: Impact::Replaces,
    needs_admin_url: NeedsAdminUrl::Always,
    parameters: &[GatedParameter::Validate, GatedParameter::LocationConfig],
    ..export_portal::DESCRIPTOR
};

const EXPECTED: &str = "the result of an import";

/// Parameters of a portal import.
#[derive(Debug, Clone)]
pub struct ImportPortal {
    /// Path of the export file, as the portal sees it.
    pub location: String,
    /// Object storage that has the content of the export. `None` if the file has it.
    pub store: Option<BackupStore>,
    /// Whether the portal only checks that it can read the file.
    pub validate: bool,
}

impl ImportPortal {
    /// Returns the request.
    #[must_use]
    pub fn request(&self) -> Request {
        let path = ["portaladmin", "importSite"];
        let request = match self.validate {
            true => Request::repeatable(path, ResponseTimeout::Hours),
            false => Request::once(path, ResponseTimeout::Hours),
        };
        let request = request.field("location", &self.location);
        let request = match &self.store {
            None => request,
            Some(store) => store.location_config(request),
        };
        // Omit it when false: portals before 11.1 do not have this parameter.
        if self.validate { request.field("validate", "true") } else { request }
    }

    /// Sends the request and waits for the end of the import. Afterwards, the sessions of the portal might have ended.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the portal.
    /// - [`ClientError::Unreadable`] if the response is not the result of an import.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<SuccessReply, ClientError> {
        permit.send(&self.request(), EXPECTED).await
    }

    /// Checks the file: sends the request with [`validate`](Self::validate). A portal before 11.1 imports instead, so
    /// this must be sent only to one whose version is known.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn check(&self, portal: &Endpoint) -> Result<SuccessReply, ClientError> {
        portal.send(&Self { validate: true, ..self.clone() }.request(), EXPECTED).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_check_names_the_parameter_that_older_portals_lack() {
        let fields = |validate| {
            let import = ImportPortal { location: "/backups/a.portalsite".to_owned(), store: None, validate };
            import.request().fields().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(fields(false), ["location"]);
        assert_eq!(fields(true), ["location", "validate"]);
    }
}
