//! Deployment types and server types. They share paths and differ in the operations they support.

use serde::{Deserialize, Serialize};

/// Type of the deployment at a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum DeploymentType {
    /// Portal with its federated servers.
    Enterprise,
    /// Server without a portal.
    StandaloneServer,
    /// Enterprise on Kubernetes: one administration for portal and servers, without site export.
    Kubernetes,
    /// Organization hosted by the vendor. Only collaborations can be administered.
    Online,
}

/// Type of a server, as far as its administration below `/admin` differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ServerType {
    /// General type: maps, features, geoprocessing.
    Gis,
    /// Mission Server.
    Mission,
    /// Notebook Server.
    Notebook,
    /// Video Server.
    Video,
    /// Data Pipelines Server.
    DataPipelines,
    /// The administration of Enterprise on Kubernetes.
    Kubernetes,
    /// Type without specific support in this crate.
    Other {
        /// Name of the type, as returned by the portal.
        name: String,
    },
}

impl DeploymentType {
    /// Returns the name used in the journal and in saved files, for example `standaloneServer`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enterprise => "enterprise",
            Self::StandaloneServer => "standaloneServer",
            Self::Kubernetes => "kubernetes",
            Self::Online => "online",
        }
    }
}

impl ServerType {
    /// Returns the type of a federated server from its `serverType` and `serverFunction`, as a portal lists them.
    ///
    /// `serverFunction` can list several functions. Analytical functions such as `RasterAnalytics` belong to the
    /// general type.
    #[must_use]
    pub fn from_portal(server_type: &str, server_function: &str) -> Self {
        let names = format!("{server_type},{server_function}").to_ascii_lowercase();
        if names.contains("notebook") {
            Self::Notebook
        } else if names.contains("mission") {
            Self::Mission
        } else if names.contains("video") {
            Self::Video
        } else if names.replace('_', "").contains("datapipelines") {
            Self::DataPipelines
        } else if server_type.is_empty() || server_type.eq_ignore_ascii_case("arcgis") {
            Self::Gis
        } else {
            Self::Other { name: server_type.to_owned() }
        }
    }

    /// Returns the name used in the journal; for [`ServerType::Other`] the name that the portal returned.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Gis => "gis",
            Self::Mission => "mission",
            Self::Notebook => "notebook",
            Self::Video => "video",
            Self::DataPipelines => "dataPipelines",
            Self::Kubernetes => "kubernetes",
            Self::Other { name } => name,
        }
    }

    /// Returns whether an import also sends its path as `EXPORT_LOCATION`.
    ///
    /// Notebook and Mission Servers read one spelling or the other, depending on the version. Sending both is safe.
    #[must_use]
    pub const fn knows_export_location(&self) -> bool {
        matches!(self, Self::Mission | Self::Notebook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_type_is_read_from_type_or_function() {
        let server_type = ServerType::from_portal;
        assert_eq!(server_type("ArcGIS", ""), ServerType::Gis);
        assert_eq!(server_type("ArcGIS", "ImageHosting,RasterAnalytics"), ServerType::Gis);
        assert_eq!(server_type("ARCGIS_NOTEBOOK_SERVER", ""), ServerType::Notebook);
        assert_eq!(server_type("ArcGIS", "NotebookServer"), ServerType::Notebook);
        assert_eq!(server_type("ARCGIS_MISSION_SERVER", "MissionServer"), ServerType::Mission);
        assert_eq!(server_type("", "VideoServer"), ServerType::Video);
        assert_eq!(server_type("ArcGIS", "DataPipelinesServer"), ServerType::DataPipelines);
        assert_eq!(server_type("ARCGIS_DATA_PIPELINES_SERVER", ""), ServerType::DataPipelines);
        assert_eq!(server_type("SOMETHING_NEW", ""), ServerType::Other { name: "SOMETHING_NEW".to_owned() });
    }
}
