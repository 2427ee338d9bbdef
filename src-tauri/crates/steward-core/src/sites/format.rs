//! Format of the file of saved sites, with its earlier versions.

use crate::files::Format;
use crate::model::deployment::DeploymentType;
use crate::model::deployment::Environment;
use crate::model::deployment::ServerType;
use crate::model::ids::ServerId;
use crate::model::ids::SiteId;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use url::Url;

use super::site::{ConnectionRoute, SavedPortal, SavedServer, Site, SiteColor};

/// Content of the file.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Saved {
    pub(super) sites: Vec<Site>,
}

pub(super) const FORMAT: Format<Saved> = Format { version: 3, read_earlier };

fn read_earlier(version: u32, bytes: &[u8]) -> serde_json::Result<Saved> {
    // Version 2 has other names, which the fields have as aliases.
    if version > 1 {
        return serde_json::from_slice(bytes);
    }

    #[derive(Deserialize)]
    struct Version1 {
        sites: Vec<SiteOfVersion1>,
    }
    let Version1 { sites } = serde_json::from_slice(bytes)?;
    Ok(Saved { sites: sites.into_iter().map(Site::from).collect() })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SiteOfVersion1 {
    id: SiteId,
    name: String,
    kind: Environment,
    color: SiteColor,
    portal: Option<Url>,
    server: Option<Url>,
    ca_certificate: Option<PathBuf>,
    username: Option<String>,
}

impl From<SiteOfVersion1> for Site {
    fn from(before: SiteOfVersion1) -> Self {
        let server = before.server.map(|address| SavedServer {
            id: ServerId("server".to_owned()),
            name: address.host_str().unwrap_or_default().to_owned(),
            address,
            services_url: None,
            admin_url: None,
            server_type: ServerType::Gis,
            role: String::new(),
        });
        Self {
            id: before.id,
            name: before.name,
            environment: before.kind,
            color: before.color,
            deployment_type: match before.portal {
                Some(_) => DeploymentType::Enterprise,
                None => DeploymentType::StandaloneServer,
            },
            portal: before.portal.map(|address| SavedPortal { address, admin_url: None }),
            servers: server.into_iter().collect(),
            current_server: None,
            ca_certificate: before.ca_certificate,
            client_certificate: None,
            trusted_certificates: Vec::new(),
            confirmed: Vec::new(),
            route: ConnectionRoute::System,
            client_id: None,
            username: before.username,
            read_only: false,
            seen: None,
        }
    }
}
