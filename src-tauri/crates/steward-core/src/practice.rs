//! What the program knows of its practice site: its identifier, and where it keeps its files.

use std::path::PathBuf;

use anyhow::Context;
use url::Url;

use crate::actions::sign_in;
use crate::files::data_folder::practice_exports;
use crate::host::Host;
use crate::model::deployment::{ServerKind, SiteFlavour, SiteKind};
use crate::model::ids::PRACTICE;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::sites::{SavedPortal, SavedRoute, SavedServer, Site, SiteColor};

/// Returns the folder in which the practice site keeps its content.
#[must_use]
pub fn data_folder(host: &Host) -> PathBuf {
    host.data_folder.join("practice")
}

/// Where the practice site is since it was started.
#[derive(Debug)]
pub struct Started<'a> {
    /// Address of its portal.
    pub portal: &'a str,
    /// Address of its server.
    pub server: &'a str,
    /// The certificate of its own authority; `None` where it speaks plain HTTP.
    pub ca_certificate: Option<PathBuf>,
}

/// Saves where the practice site is now: its port is another at every start. At its first start the guided tour begins.
///
/// # Errors
/// Returns [`Problem::File`] if the folder of its exports cannot be made or the site cannot be saved.
pub fn remember(host: &Host, started: Started<'_>) -> Result<(), Problem> {
    let id = SiteId(PRACTICE.to_owned());
    let before = host.sites.get(&id).ok();
    std::fs::create_dir_all(practice_exports(&host.data_folder))
        .map_err(|error| Problem::file(&practice_exports(&host.data_folder), &error))?;
    if before.is_none() {
        // Whoever sees it for the first time is shown around.
        host.lap.begin();
    }
    let site = match before {
        Some(site) => site,
        None => Site {
            id: id.clone(),
            name: "Practice".to_owned(),
            kind: SiteKind::Practice,
            color: SiteColor::Teal,
            flavour: SiteFlavour::Enterprise,
            portal: None,
            servers: Vec::new(),
            chosen_server: None,
            ca_certificate: None,
            client_certificate: None,
            pins: Vec::new(),
            confirmed: Vec::new(),
            route: SavedRoute::Direct,
            client_id: None,
            username: None,
            read_only: false,
            seen: None,
        },
    };
    let portal = Url::parse(started.portal).context("the practice site has no address")?;
    let server = Url::parse(started.server).context("the practice site has no address")?;
    host.sites.put(Site {
        servers: vec![SavedServer {
            id: ServerId("server".to_owned()),
            name: server.host_str().unwrap_or_default().to_owned(),
            address: server,
            public: None,
            direct: None,
            flavour: ServerKind::Gis,
            role: "HOSTING_SERVER".to_owned(),
        }],
        portal: Some(SavedPortal { address: portal, direct: None }),
        ca_certificate: started.ca_certificate,
        ..site
    })?;
    host.forget_known(&id);
    Ok(())
}

/// Signs out of the practice site, before it is put back. Returns who was signed in last; may be empty.
///
/// # Errors
/// Returns [`Problem::Busy`] while an operation runs on it, and [`Problem::Vault`] if the keyring refuses.
pub async fn leave(host: &Host) -> Result<String, Problem> {
    let id = SiteId(PRACTICE.to_owned());
    host.runs.none_on(&id)?;
    let site = host.sites.get(&id)?;
    sign_in::leave_unrecorded(host, &site).await?;
    Ok(site.username.unwrap_or_default())
}

/// Forgets what the practice site no longer has once it was put back: its stored files are gone, and its webhooks are as
/// active as they were.
///
/// # Errors
/// Returns [`Problem::Unexpected`] if the history cannot be written.
pub async fn forget(host: &Host, whose: String) -> Result<(), Problem> {
    host.uploads.forget_all_of(&SiteId(PRACTICE.to_owned()));
    let now = Millis::now().0;
    host.journal(move |journal| {
        for silence in
            journal.silences(Some(PRACTICE))?.iter().filter(|silence| silence.restored_at.is_none())
        {
            journal.silence_restored(&silence.id, &whose, now)?;
        }
        Ok(())
    })
    .await
}
