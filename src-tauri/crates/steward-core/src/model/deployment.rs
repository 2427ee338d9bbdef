//! Environments, deployment types, and server types.

use serde::{Deserialize, Serialize};
pub use steward_client::{DeploymentType, ServerType};

/// Environment of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Environment {
    /// The local practice site.
    Practice,
    /// A site for tests.
    Test,
    /// A site in use.
    Production,
}

impl Environment {
    /// Returns the name stored in a record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Practice => "practice",
            Self::Test => "test",
            Self::Production => "production",
        }
    }
}
