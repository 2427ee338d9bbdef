//! Portal import. Not part of the specification: portals have it since version 10.4, and `docs/spec-notes.md` says where
//! its parameters come from.
//!
//! [`ImportPortal::send`] keeps the connection open until the import ends, which can take hours.
//! [`ImportPortal::check`] has the portal check the file only.

use serde::Deserialize;

use super::{GatedParameter, Impact, OperationDescriptor, export_portal};
use crate::decode::{is_plain_success, is_success};
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::wire::{list_of_texts, text};

/// What is known of the operation: the portals that can export can import, at their administration URL.
pub(super) const DESCRIPTOR: OperationDescriptor = OperationDescriptor {
    impact: Impact::Replaces,
    needs_admin_url: true,
    parameters: &[GatedParameter::Validate, GatedParameter::LocationConfig],
    ..export_portal::DESCRIPTOR
};

const EXPECTED: &str = "the result of an import";

/// Parameters of a portal import.
#[derive(Debug, Clone)]
pub struct ImportPortal {
    /// Path of the export file, as the portal sees it.
    pub location: String,
    /// Whether the portal only checks that it can read the file.
    pub validate: bool,
}

/// Result of a portal import.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ReplyWire")]
pub struct ImportPortalReply {
    /// Status, for example `success` or `success with warning`.
    pub status: String,
    /// Warnings, without empty texts.
    pub messages: Vec<String>,
}

#[derive(Deserialize)]
struct ReplyWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default, deserialize_with = "list_of_texts")]
    messages: Vec<String>,
}

impl TryFrom<ReplyWire> for ImportPortalReply {
    type Error = &'static str;

    /// Fails for a response without a status of success: it does not show what the import did.
    fn try_from(ReplyWire { status, mut messages }: ReplyWire) -> Result<Self, Self::Error> {
        messages.retain(|message| !message.trim().is_empty());
        if is_success(&status) { Ok(Self { status, messages }) } else { Err("no success") }
    }
}

impl ImportPortalReply {
    /// Returns whether the portal reported warnings.
    #[must_use]
    pub fn warns(&self) -> bool {
        !self.messages.is_empty() || !is_plain_success(&self.status)
    }
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
        // Omit it when false: portals before 11.1 do not have this parameter.
        if self.validate { request.field("validate", "true") } else { request }
    }

    /// Sends the request and waits for the end of the import. Afterwards, no session of the portal is valid.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] with the code and the message of the portal.
    /// - [`ClientError::Unreadable`] if the response is not the result of an import.
    /// - [`ClientError::TokenEnded`] if the token expired during the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<ImportPortalReply, ClientError> {
        permit.send(&self.request(), EXPECTED).await
    }

    /// Checks the file: sends the request with [`validate`](Self::validate). A portal before 11.1 imports instead, so this
    /// must be sent only to one whose version is known.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn check(&self, portal: &Endpoint) -> Result<ImportPortalReply, ClientError> {
        portal.send(&Self { validate: true, ..self.clone() }.request(), EXPECTED).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_is_a_success_only_by_its_status() {
        let read = |json: &str| serde_json::from_str::<ImportPortalReply>(json).ok();
        assert!(read(r#"{"status":"success"}"#).is_some_and(|reply| !reply.warns()));
        assert!(read(r#"{"status":"success","messages":[null,""]}"#).is_some_and(|reply| !reply.warns()));
        assert!(
            read(r#"{"status":"Success with warnings","messages":null}"#).is_some_and(|reply| reply.warns())
        );
        assert!(
            read(r#"{"status":"success","messages":"one"}"#).is_some_and(|reply| reply.messages == ["one"])
        );
        for silent in ["{}", r#"{"status":"pending"}"#, r#"{"location":"/backups/a"}"#] {
            assert!(read(silent).is_none(), "{silent}");
        }
    }

    #[test]
    fn only_a_check_names_the_parameter_that_older_portals_lack() {
        let fields = |validate| {
            let import = ImportPortal { location: "/backups/a.portalsite".to_owned(), validate };
            import.request().fields().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(fields(false), ["location"]);
        assert_eq!(fields(true), ["location", "validate"]);
    }
}
