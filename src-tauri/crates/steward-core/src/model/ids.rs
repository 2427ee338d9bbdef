//! Identifiers of what is saved.

use serde::{Deserialize, Serialize};

/// Identifier of the practice site among the saved sites.
pub const PRACTICE: &str = "practice";

/// Identifier of a saved site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct SiteId(pub String);

/// Identifier of a server among those of its site.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct ServerId(pub String);

/// The area a token was issued for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TokenFor {
    /// The portal, and through it the servers federated with it.
    Portal,
    /// A server that stands alone.
    Server(ServerId),
}
