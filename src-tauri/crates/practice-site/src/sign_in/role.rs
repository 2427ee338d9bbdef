//! Roles of users, and the capabilities that operations require.

use serde_json::{Value, json};

/// Role of a user. Each custom role has one privilege, so that every alternative in the specification can be tested
/// separately.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Administrator,
    Publisher,
    DataUpdater,
    FeatureEditor,
    Geoprocessor,
    Viewer,
}

/// Requirement of an operation ("Capability" in the specification).
#[derive(Clone, Copy)]
pub(crate) enum Capability {
    /// Portal export, server export and import, and administrator resources.
    Administrator,
    /// Collaboration operations. Whether this portal is the host is checked with the collaboration.
    HostAdministrator,
    /// findItems: Update privilege or Publisher role.
    UpdateOrPublisher,
    /// deactivateAll of a feature service: Feature layer privilege or Publisher role.
    FeatureWebhooks,
    /// deactivateAll of a geoprocessing service: Geoprocessing privilege or Publisher role.
    GeoprocessingWebhooks,
    /// Reading of the server administration: any role with a server privilege.
    LookAroundServer,
}

const VIEW: [&str; 2] = ["portal:user:viewOrgItems", "portal:user:viewOrgUsers"];
const UPDATE: &str = "portal:admin:updateItems";
const FEATURE_LAYER: &str = "portal:publisher:createFeatureWebhook";
const GEOPROCESSING: &str = "portal:admin:createGPWebhook";

impl Capability {
    /// Returns the requirement for webhooks of this service type. For types without webhooks only read access, because
    /// the operation itself rejects them.
    pub(crate) fn for_webhooks_of(service_type: &str) -> Capability {
        match service_type {
            "FeatureServer" => Capability::FeatureWebhooks,
            "GPServer" => Capability::GeoprocessingWebhooks,
            _ => Capability::LookAroundServer,
        }
    }

    pub(crate) fn description(self) -> &'static str {
        match self {
            Capability::Administrator => "the default administrator role",
            Capability::HostAdministrator => "an administrator of the collaboration's host",
            Capability::UpdateOrPublisher => "the Update privilege or the Publisher role",
            Capability::FeatureWebhooks => "the Feature layer privilege or the Publisher role",
            Capability::GeoprocessingWebhooks => "the Geoprocessing privilege or the Publisher role",
            Capability::LookAroundServer => {
                "the Publisher role, or the Update, Feature layer or Geoprocessing privilege"
            }
        }
    }
}

impl Role {
    /// All roles, in the order of the list of sign-ins.
    pub(crate) const ALL: [Role; 6] = [
        Role::Administrator,
        Role::Publisher,
        Role::DataUpdater,
        Role::FeatureEditor,
        Role::Geoprocessor,
        Role::Viewer,
    ];

    /// Returns the name in the database and in the list of sign-ins.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Administrator => "administrator",
            Role::Publisher => "publisher",
            Role::DataUpdater => "data-updater",
            Role::FeatureEditor => "feature-editor",
            Role::Geoprocessor => "geoprocessor",
            Role::Viewer => "viewer",
        }
    }

    /// Returns the role with this name; `Viewer` for an unknown name.
    pub(crate) fn from_name(name: &str) -> Role {
        Role::ALL.into_iter().find(|role| role.name() == name).unwrap_or(Role::Viewer)
    }

    /// Returns the name in the sharing API; for a custom role its ID.
    pub(crate) fn sharing_name(self) -> &'static str {
        match self {
            Role::Administrator => "org_admin",
            Role::Publisher => "org_publisher",
            Role::DataUpdater => "Qw3rTz7uPa5sDf1g",
            Role::FeatureEditor => "Hj9kLy2xCv6bNm4e",
            Role::Geoprocessor => "Tg5zHn8uJm3iKo7p",
            Role::Viewer => "org_viewer",
        }
    }

    /// Returns the title of a custom role. `None` for a built-in role.
    pub(crate) fn custom_title(self) -> Option<&'static str> {
        match self {
            Role::DataUpdater => Some("Data Updater"),
            Role::FeatureEditor => Some("Feature Editor"),
            Role::Geoprocessor => Some("Geoprocessor"),
            Role::Administrator | Role::Publisher | Role::Viewer => None,
        }
    }

    pub(crate) fn has(self, capability: Capability) -> bool {
        use Role::{Administrator, DataUpdater, FeatureEditor, Geoprocessor, Publisher, Viewer};
        match capability {
            Capability::Administrator | Capability::HostAdministrator => self == Administrator,
            Capability::UpdateOrPublisher => matches!(self, Administrator | Publisher | DataUpdater),
            Capability::FeatureWebhooks => matches!(self, Administrator | Publisher | FeatureEditor),
            Capability::GeoprocessingWebhooks => matches!(self, Administrator | Publisher | Geoprocessor),
            Capability::LookAroundServer => self != Viewer,
        }
    }

    pub(crate) fn privileges(self) -> Value {
        let publish = [
            FEATURE_LAYER,
            GEOPROCESSING,
            "portal:publisher:publishFeatures",
            "portal:publisher:publishServerGPServices",
            "portal:publisher:publishServerServices",
        ];
        let administer = [
            "portal:admin:viewUsers",
            UPDATE,
            "portal:admin:manageServers",
            "portal:admin:manageCollaborations",
            "portal:admin:manageWebhooks",
        ];
        let more: Vec<&str> = match self {
            Role::Administrator => [publish.as_slice(), &administer].concat(),
            Role::Publisher => publish.to_vec(),
            Role::DataUpdater => vec![UPDATE],
            Role::FeatureEditor => vec![FEATURE_LAYER],
            Role::Geoprocessor => vec![GEOPROCESSING],
            Role::Viewer => Vec::new(),
        };
        json!([VIEW.as_slice(), &more].concat())
    }
}
