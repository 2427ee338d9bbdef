//! The roles of this site, and the capabilities of the specification's operations.

use serde_json::{Value, json};

/// What a user is. The custom ones hold a single privilege each, so that every alternative of the specification's
/// capabilities can be met alone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Administrator,
    Publisher,
    DataUpdater,
    FeatureEditor,
    Geoprocessor,
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
    /// deactivateAll of a feature service: the Feature layer privilege or the Publisher role.
    FeatureWebhooks,
    /// deactivateAll of a geoprocessing service: the Geoprocessing privilege or the Publisher role.
    GeoprocessingWebhooks,
    /// Looking around in server administration: whoever may do anything there.
    LookAroundServer,
}

const VIEW: [&str; 2] = ["portal:user:viewOrgItems", "portal:user:viewOrgUsers"];
const UPDATE: &str = "portal:admin:updateItems";
const FEATURE_LAYER: &str = "portal:publisher:publishFeatures";
const GEOPROCESSING: &str = "portal:publisher:publishServerGPServices";

impl Capability {
    /// What the webhooks of this type of service ask. Types that have none ask no more than to look: their
    /// refusal comes from the operation.
    pub(crate) fn for_webhooks_of(service_type: &str) -> Capability {
        match service_type {
            "FeatureServer" => Capability::FeatureWebhooks,
            "GPServer" => Capability::GeoprocessingWebhooks,
            _ => Capability::LookAroundServer,
        }
    }

    pub(crate) fn in_words(self) -> &'static str {
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
    /// Every role, as the list of sign-ins shows them.
    pub(crate) const ALL: [Role; 6] = [
        Role::Administrator,
        Role::Publisher,
        Role::DataUpdater,
        Role::FeatureEditor,
        Role::Geoprocessor,
        Role::Viewer,
    ];

    /// The name in the database and in the list of sign-ins.
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

    /// Whoever has an unknown role may only look.
    pub(crate) fn from_name(name: &str) -> Role {
        Role::ALL.into_iter().find(|role| role.name() == name).unwrap_or(Role::Viewer)
    }

    /// The name in the sharing API. A custom role goes by its identifier.
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

    /// The title of a custom role.
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
        let publish = [FEATURE_LAYER, GEOPROCESSING, "portal:publisher:publishServerServices"];
        let administer = [
            "portal:admin:viewUsers",
            UPDATE,
            "portal:admin:manageServers",
            "portal:admin:manageCollaborations",
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
