//! Identifiers of sites, servers, and records.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

/// Identifier of the practice site among the saved sites.
pub const PRACTICE: &str = "practice";

/// Identifier of the second practice site, which is marked as test: backup sets of the first one are rehearsed on it.
pub const PRACTICE_TEST: &str = "practice-test";

/// Identifier of a saved site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SiteId(pub String);

impl SiteId {
    /// Returns an identifier that no site has.
    pub(crate) fn new() -> Self {
        Self(uuid::Uuid::new_v4().to_string())
    }

    /// Returns whether the app itself starts the site, at another port each time.
    pub(crate) fn is_of_practice(&self) -> bool {
        [PRACTICE, PRACTICE_TEST].contains(&self.0.as_str())
    }

    /// Returns whether a token or password for the origin `kept` may be used at the origin `here`. The practice site
    /// has another port at each start.
    pub(crate) fn accepts(&self, kept: &str, here: &str) -> bool {
        kept == here || self.is_of_practice()
    }
}

/// Identifier of a server, unique within its site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct ServerId(pub String);

impl ServerId {
    /// Returns an identifier that no server has.
    pub(crate) fn new() -> Self {
        Self(uuid::Uuid::new_v4().to_string())
    }

    /// Returns the identifier of a server that is added with this URL. A server that is removed and added again gets
    /// the same one, so that its history entries still belong to it.
    pub(crate) fn at(address: &Url) -> Self {
        let address = address.as_str().trim_end_matches('/').to_lowercase();
        let hash = Sha256::digest(address);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        Self(uuid::Builder::from_custom_bytes(bytes).into_uuid().to_string())
    }
}

/// Target of an operation: the portal of a site, or one of its servers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// Site.
    pub site: SiteId,
    /// Server of the site; `null` for its portal.
    pub server: Option<ServerId>,
}

impl Target {
    /// Returns the portal of a site.
    #[must_use]
    pub const fn portal(site: SiteId) -> Self {
        Self { site, server: None }
    }
}

/// Identifier of a history record.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct RecordId(pub String);

/// Identifier of an unsaved invitation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct UnsavedInvitationId(pub String);

/// Component that a token was issued for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenFor {
    /// The portal, and through it the servers federated with it.
    Portal,
    /// A server with its own account.
    Server(ServerId),
}
