//! Reasons why an operation is unavailable on a site.

use serde::{Deserialize, Serialize};

use crate::model::deployment::{DeploymentType, ServerType};
use crate::model::operation::{Capability, Component};

/// Reason why an operation is unavailable on a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum UnavailableReason {
    /// The version of the site is too old.
    TooOld {
        /// Version that the operation requires, for example `11.1`.
        needs: String,
        /// Version of the site.
        has: String,
    },
    /// The site has no address for the component.
    NoComponent {
        /// Component without an address.
        component: Component,
    },
    /// Deployments of this type do not support it in any version.
    NotOnSite {
        /// Deployment type of the site.
        deployment_type: DeploymentType,
    },
    /// Servers of this type do not support it in any version.
    NotOnServer {
        /// Type of the server.
        server: ServerType,
    },
    /// The operation requires the administration URL of the server, and none is known.
    NoAdminUrl,
    /// The role of the user does not have the required capability.
    Role {
        /// Capability that the operation requires.
        needs: Capability,
    },
}
