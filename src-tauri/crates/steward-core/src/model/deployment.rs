//! What a site is for, and what kinds of deployments and servers there are.

use serde::{Deserialize, Serialize};
use steward_client::{Flavour, ServerFlavour};

/// What a site is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SiteKind {
    /// The practice site of this program.
    Practice,
    /// A site that may be broken.
    Test,
    /// A site that people work with.
    Production,
}

/// What kind of deployment a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum SiteFlavour {
    /// A portal and the servers federated with it.
    Enterprise,
    /// A server without a portal.
    StandaloneServer,
    /// Enterprise on Kubernetes, which has no site export.
    Kubernetes,
    /// An organisation that the vendor hosts: only collaboration is administered.
    Online,
}

/// What kind of server answers below `/admin`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ServerKind {
    /// The general one.
    Gis,
    /// Mission Server.
    Mission,
    /// Notebook Server.
    Notebook,
    /// Video Server.
    Video,
    /// The administration of Enterprise on Kubernetes.
    Kubernetes,
    /// One that this program does not know.
    Other {
        /// The name that the portal gives it.
        name: String,
    },
}

impl SiteFlavour {
    /// The name in a record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Enterprise => "enterprise",
            Self::StandaloneServer => "standaloneServer",
            Self::Kubernetes => "kubernetes",
            Self::Online => "online",
        }
    }
}

impl ServerKind {
    /// The name in a record.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Gis => "gis",
            Self::Mission => "mission",
            Self::Notebook => "notebook",
            Self::Video => "video",
            Self::Kubernetes => "kubernetes",
            Self::Other { name } => name,
        }
    }
}

impl From<Flavour> for SiteFlavour {
    fn from(flavour: Flavour) -> Self {
        match flavour {
            Flavour::Enterprise => Self::Enterprise,
            Flavour::StandaloneServer => Self::StandaloneServer,
            Flavour::Kubernetes => Self::Kubernetes,
            Flavour::Online => Self::Online,
        }
    }
}

impl From<SiteFlavour> for Flavour {
    fn from(flavour: SiteFlavour) -> Self {
        match flavour {
            SiteFlavour::Enterprise => Self::Enterprise,
            SiteFlavour::StandaloneServer => Self::StandaloneServer,
            SiteFlavour::Kubernetes => Self::Kubernetes,
            SiteFlavour::Online => Self::Online,
        }
    }
}

impl From<ServerFlavour> for ServerKind {
    fn from(flavour: ServerFlavour) -> Self {
        match flavour {
            ServerFlavour::Gis => Self::Gis,
            ServerFlavour::Mission => Self::Mission,
            ServerFlavour::Notebook => Self::Notebook,
            ServerFlavour::Video => Self::Video,
            ServerFlavour::Kubernetes => Self::Kubernetes,
            ServerFlavour::Other(name) => Self::Other { name },
        }
    }
}

impl From<ServerKind> for ServerFlavour {
    fn from(kind: ServerKind) -> Self {
        match kind {
            ServerKind::Gis => Self::Gis,
            ServerKind::Mission => Self::Mission,
            ServerKind::Notebook => Self::Notebook,
            ServerKind::Video => Self::Video,
            ServerKind::Kubernetes => Self::Kubernetes,
            ServerKind::Other { name } => Self::Other(name),
        }
    }
}

impl SiteKind {
    /// The name in a record.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Practice => "practice",
            Self::Test => "test",
            Self::Production => "production",
        }
    }
}
