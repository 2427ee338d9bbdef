//! The kinds of sites and servers. They share addresses and differ in what they can do.

/// What kind of site an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// A portal and the servers federated with it.
    Enterprise,
    /// A server without a portal.
    StandaloneServer,
    /// Enterprise on Kubernetes: one administration for portal and servers, and no site export.
    Kubernetes,
    /// An organisation that the vendor hosts: only collaboration is administered.
    Online,
}

/// What kind of server answers below `/admin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerFlavour {
    /// The general one: maps, features, geoprocessing.
    Gis,
    /// Mission Server.
    Mission,
    /// Notebook Server.
    Notebook,
    /// Video Server.
    Video,
    /// The administration of Enterprise on Kubernetes.
    Kubernetes,
    /// One that this program does not know, by the name the portal gives it.
    Other(String),
}

impl ServerFlavour {
    /// From what a portal says of a federated server: its `serverType`, and its `serverFunction`, which may list
    /// several. Analytical functions such as `RasterAnalytics` are those of a general server.
    #[must_use]
    pub fn from_portal(server_type: &str, server_function: &str) -> Self {
        let said = format!("{server_type},{server_function}").to_ascii_lowercase();
        if said.contains("notebook") {
            Self::Notebook
        } else if said.contains("mission") {
            Self::Mission
        } else if said.contains("video") {
            Self::Video
        } else if server_type.is_empty() || server_type.eq_ignore_ascii_case("arcgis") {
            Self::Gis
        } else {
            Self::Other(server_type.to_owned())
        }
    }

    /// Whether the path of an import is also expected as `EXPORT_LOCATION`. Clients in the field send one
    /// spelling or the other to these; only together are they safe.
    #[must_use]
    pub const fn knows_export_location(&self) -> bool {
        matches!(self, Self::Mission | Self::Notebook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_federated_server_is_told_by_type_or_by_function() {
        let flavour = ServerFlavour::from_portal;
        assert_eq!(flavour("ArcGIS", ""), ServerFlavour::Gis);
        assert_eq!(flavour("ArcGIS", "ImageHosting,RasterAnalytics"), ServerFlavour::Gis);
        assert_eq!(flavour("ARCGIS_NOTEBOOK_SERVER", ""), ServerFlavour::Notebook);
        assert_eq!(flavour("ArcGIS", "NotebookServer"), ServerFlavour::Notebook);
        assert_eq!(flavour("ARCGIS_MISSION_SERVER", "MissionServer"), ServerFlavour::Mission);
        assert_eq!(flavour("", "VideoServer"), ServerFlavour::Video);
        assert_eq!(flavour("SOMETHING_NEW", ""), ServerFlavour::Other("SOMETHING_NEW".to_owned()));
    }
}
