//! Validation of the servers that are federated with a portal. The portal looks at them; nothing is changed.

use std::time::Duration;

use serde::Deserialize;

use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list_if_any, list_of_texts, text};

/// Time limit of the validation: the portal needs up to a minute for each server, and sends no byte before it has
/// looked at all.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// Result of the validation of a federated server by its portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidatedServer {
    /// Identifier of the server in the portal; may be empty.
    pub id: String,
    /// Administration URL; empty before version 11.1.
    pub admin_url: String,
    /// Result.
    pub validity: Validity,
    /// Messages of the portal about the server, which a valid one can have, too.
    pub messages: Vec<String>,
}

/// Result of the validation of a federated server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validity {
    /// Valid.
    Valid,
    /// Valid, with warnings.
    Warnings,
    /// Not valid.
    Invalid,
    /// The portal could not tell, or returned a word that is not known here.
    NotKnown,
}

/// Has a portal validate all servers that are federated with it.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no list of servers.
/// - A connection or session error of [`ClientError`].
pub async fn validated_servers(portal: &Endpoint) -> Result<Vec<ValidatedServer>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Status {
        #[serde(default, deserialize_with = "text")]
        status: String,
        #[serde(default, deserialize_with = "list_if_any")]
        servers_status: Option<Vec<Server>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Server {
        #[serde(default, deserialize_with = "text")]
        server_id: String,
        #[serde(default, deserialize_with = "text")]
        admin_url: String,
        #[serde(default, deserialize_with = "text")]
        status: String,
        #[serde(default, deserialize_with = "list_of_texts")]
        messages: Vec<String>,
    }
    let expected = "the validation of the federated servers";
    let path = ["portaladmin", "federation", "servers", "validate"];
    let status: Status = portal.get_slowly(&path, expected, LONGEST).await?;
    let servers = status.servers_status.ok_or_else(|| no_list(expected))?;
    let found = servers.into_iter().map(|one| ValidatedServer {
        id: one.server_id,
        admin_url: one.admin_url,
        validity: Validity::of(&one.status),
        messages: one.messages,
    });
    let found: Vec<_> = found.collect();
    let says_failure = Validity::of(&status.status) == Validity::Invalid;
    if says_failure && found.iter().all(|one| matches!(one.validity, Validity::Valid | Validity::Warnings)) {
        return Err(ClientError::unreadable(
            expected,
            "the validation failed, and no server is named as invalid",
        ));
    }
    Ok(found)
}

impl Validity {
    fn of(status: &str) -> Self {
        match status.trim().to_lowercase().as_str() {
            "success" => Self::Valid,
            "success with warnings" => Self::Warnings,
            "failure" | "failed" => Self::Invalid,
            _ => Self::NotKnown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_not_documented_is_neither_valid_nor_not() {
        for (word, validity) in [
            ("success", Validity::Valid),
            ("Success with warnings", Validity::Warnings),
            ("failure", Validity::Invalid),
            ("undetermined", Validity::NotKnown),
            ("successful", Validity::NotKnown),
            ("", Validity::NotKnown),
        ] {
            assert_eq!(Validity::of(word), validity, "{word}");
        }
    }
}
