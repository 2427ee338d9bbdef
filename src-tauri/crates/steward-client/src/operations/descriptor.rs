//! Descriptor of an operation: its facts in the specification, besides its parameters and its reply.

use serde::{Deserialize, Serialize};

use crate::deployment_type::{DeploymentType, ServerType};
use crate::version::Version;

/// Facts of an operation in the specification. Each operation has its own beside its `request()`.
#[derive(Debug, Clone, Copy)]
pub struct OperationDescriptor {
    /// Component that receives the requests, with the lowest version that has the operation.
    pub since: Since,
    /// Impact on the site.
    pub impact: Impact,
    /// Deployment types that have the operation in some version.
    pub deployment_types: &'static [DeploymentType],
    /// Whether the requests go to the administration URL, which bypasses web adaptors.
    pub needs_admin_url: NeedsAdminUrl,
    /// Role that the operation requires.
    pub capability: Capability,
    /// Privileges of a custom role, one of which is enough instead of the role. The privilege to manage servers
    /// includes their whole administration.
    pub privileges: &'static [&'static str],
    /// Parameters that not every site with the operation supports.
    pub parameters: &'static [GatedParameter],
}

/// Component that receives the requests of an operation, with the lowest version that has it.
#[derive(Debug, Clone, Copy)]
pub enum Since {
    /// The portal.
    Portal(Version),
    /// A server. The version depends on the server type; `None` if no version of it has the operation.
    ///
    /// The versions in the specification are those of the product it documents; other server types introduced some
    /// operations earlier. [`ServerType::Other`] is not passed: it might support the operation in any version.
    Server(fn(&ServerType) -> Option<Version>),
}

/// Component of a site that an operation sends its requests to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Component {
    /// The portal: its sharing API and its administration API.
    Portal,
    /// The administration API of a server.
    Server,
}

/// Whether the requests of an operation go to the administration URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeedsAdminUrl {
    /// No: they may pass a web adaptor.
    Never,
    /// Yes, and without one the operation is unavailable.
    Always,
    /// Yes. Without one, it is unavailable before this version, and may pass a web adaptor if the user decides so.
    Before(Version),
}

/// Impact of an operation on the site. Determines the confirmation and the text of an unknown outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Impact {
    /// Reads only.
    None,
    /// Writes an export file, and does not change the site.
    WritesCopy,
    /// Makes a change that can be reverted.
    Changes,
    /// Replaces the whole site.
    Replaces,
}

/// Role that the specification requires for an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum Capability {
    /// The default administrator role.
    DefaultAdministrator,
    /// Administrator.
    Administrator,
    /// Administrator of the collaboration host.
    AdministratorOfHost,
    /// Publisher, or the privilege that the specification lists as an alternative.
    Publisher,
}

/// A parameter that not every site supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum GatedParameter {
    /// `validate`: check a destination or a file only.
    Validate,
    /// `locationConfig`: a bucket or blob container that has the content of an export.
    LocationConfig,
    /// A portal export without a folder.
    NoLocation,
    /// `restartWebServer`: restart the web server after an import.
    RestartWebServer,
}

impl OperationDescriptor {
    /// Returns the component that receives the requests.
    #[must_use]
    pub const fn component(&self) -> Component {
        match self.since {
            Since::Portal(_) => Component::Portal,
            Since::Server(_) => Component::Server,
        }
    }
}

impl NeedsAdminUrl {
    /// Returns whether the requests go to the administration URL if it is known.
    #[must_use]
    pub fn is_preferred(self) -> bool {
        self != Self::Never
    }

    /// Returns whether the operation is unavailable without an administration URL. If the version is not known, the
    /// user decides whether to use a web adaptor.
    pub(crate) fn is_required(self, version: Option<Version>) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Before(first) => version.is_some_and(|version| version < first),
        }
    }
}

impl Impact {
    /// Returns whether the operation changes the site. An export does not.
    #[must_use]
    pub const fn changes_the_site(self) -> bool {
        matches!(self, Self::Changes | Self::Replaces)
    }
}

impl GatedParameter {
    /// Returns the lowest version with the parameter.
    pub(crate) const fn since(self) -> Version {
        match self {
            Self::Validate => Version::new(11, 1),
            Self::RestartWebServer => Version::new(11, 3),
            Self::LocationConfig | Self::NoLocation => Version::new(12, 0),
        }
    }

    /// Returns whether a server type has the parameter in any version.
    pub(crate) fn is_on(self, server: &ServerType) -> bool {
        self != Self::RestartWebServer || *server == ServerType::Gis
    }
}
