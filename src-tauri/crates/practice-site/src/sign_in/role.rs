//! The three roles of this site, and the capabilities of the specification's operations.

use serde_json::{Value, json};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Administrator,
    Publisher,
    Viewer,
}

/// What an operation asks of its caller ("Capability" in the specification).
#[derive(Clone, Copy)]
pub(crate) enum Capability {
    /// Portal export, server export and import, and the resources that only administrators see.
    Administrator,
    /// Collaboration operations. Whether this portal is the host is looked up with the collaboration.
    HostAdministrator,
    /// findItems: the Update privilege or the Publisher role.
    UpdateOrPublisher,
    /// deactivateAll: Feature layer privilege, Geoprocessing privilege, or the Publisher role.
    ServiceWebhooks,
}

impl Capability {
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Capability::Administrator => "the default administrator role",
            Capability::HostAdministrator => "an administrator of the collaboration's host",
            Capability::UpdateOrPublisher => "the Update privilege or the Publisher role",
            Capability::ServiceWebhooks => {
                "the Feature layer privilege, the Geoprocessing privilege or the Publisher role"
            }
        }
    }
}

impl Role {
    /// The name in the database and in the list of sign-ins.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Administrator => "administrator",
            Role::Publisher => "publisher",
            Role::Viewer => "viewer",
        }
    }

    /// Whoever has an unknown role may only look.
    pub(crate) fn from_name(name: &str) -> Role {
        match name {
            "administrator" => Role::Administrator,
            "publisher" => Role::Publisher,
            _ => Role::Viewer,
        }
    }

    /// The name in the sharing API.
    pub(crate) fn sharing_name(self) -> &'static str {
        match self {
            Role::Administrator => "org_admin",
            Role::Publisher => "org_publisher",
            Role::Viewer => "org_viewer",
        }
    }

    pub(crate) fn has(self, capability: Capability) -> bool {
        match capability {
            Capability::Administrator | Capability::HostAdministrator => self == Role::Administrator,
            Capability::UpdateOrPublisher | Capability::ServiceWebhooks => self != Role::Viewer,
        }
    }

    pub(crate) fn privileges(self) -> Value {
        let view = ["portal:user:viewOrgItems", "portal:user:viewOrgUsers"];
        let publish = [
            "portal:publisher:publishFeatures",
            "portal:publisher:publishServerGPServices",
            "portal:publisher:publishServerServices",
        ];
        let administer = [
            "portal:admin:viewUsers",
            "portal:admin:updateItems",
            "portal:admin:manageServers",
            "portal:admin:manageCollaborations",
        ];
        match self {
            Role::Administrator => json!([view.as_slice(), &publish, &administer].concat()),
            Role::Publisher => json!([view.as_slice(), &publish].concat()),
            Role::Viewer => json!(view),
        }
    }
}
