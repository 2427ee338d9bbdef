//! The file of saved sites, and what it looked like before.

use crate::model::deployment::ServerKind;
use crate::model::deployment::SiteFlavour;
use crate::model::deployment::SiteKind;
use crate::model::ids::ServerId;
use crate::model::ids::SiteId;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use url::Url;

use super::site::{SavedPortal, SavedRoute, SavedServer, Site, SiteColor};

/// The version that this program writes.
const VERSION: u32 = 2;

#[derive(Serialize)]
struct Saved<'a> {
    version: u32,
    sites: &'a [Site],
}

/// Reads a file of any version that this program knows. One of an older version is copied beside itself before it is
/// written again.
pub(super) fn read(file: &Path, bytes: &[u8]) -> anyhow::Result<Vec<Site>> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    #[derive(Deserialize)]
    struct Sites<S> {
        sites: Vec<S>,
    }
    let Versioned { version } = serde_json::from_slice(bytes)?;
    match version {
        VERSION => Ok(serde_json::from_slice::<Sites<Site>>(bytes)?.sites),
        1 => {
            let before: Sites<SiteOfVersion1> = serde_json::from_slice(bytes)?;
            let copy = file.with_file_name("sites-v1.json");
            if !copy.exists() {
                crate::files::write_whole(&copy, bytes)
                    .with_context(|| format!("the copy {} cannot be written", copy.display()))?;
            }
            Ok(before.sites.into_iter().map(Site::from).collect())
        }
        newer => bail!("it was written by a newer version of this program (format {newer})"),
    }
}

pub(super) fn write(sites: &[Site]) -> serde_json::Result<Vec<u8>> {
    serde_json::to_vec_pretty(&Saved { version: VERSION, sites })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SiteOfVersion1 {
    id: SiteId,
    name: String,
    kind: SiteKind,
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
            public: None,
            direct: None,
            flavour: ServerKind::Gis,
            role: String::new(),
        });
        Self {
            id: before.id,
            name: before.name,
            kind: before.kind,
            color: before.color,
            flavour: match before.portal {
                Some(_) => SiteFlavour::Enterprise,
                None => SiteFlavour::StandaloneServer,
            },
            portal: before.portal.map(|address| SavedPortal { address, direct: None }),
            servers: server.into_iter().collect(),
            chosen_server: None,
            ca_certificate: before.ca_certificate,
            client_certificate: None,
            pins: Vec::new(),
            confirmed: Vec::new(),
            route: SavedRoute::System,
            client_id: None,
            username: before.username,
            read_only: false,
            seen: None,
        }
    }
}
