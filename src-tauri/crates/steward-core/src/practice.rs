//! The saved site of the practice site: its addresses, and its local folders.
//!
//! [`remember`] saves it at each start, and [`forget`] clears local data after a reset.

use std::path::{Path, PathBuf};

use anyhow::Context;
use url::Url;

use crate::access::Access;
use crate::actions::sign_in;
use crate::files::data_folder::{create_private, practice_exports};
use crate::history::guided_tour::GuidedTour;
use crate::history::record::History;
use crate::model::deployment::{DeploymentType, Environment, ServerType};
use crate::model::ids::PRACTICE;
use crate::model::ids::{ServerId, SiteId};
use crate::model::numbers::Millis;
use crate::model::problem::Problem;
use crate::operations::find_items::item_search::ItemSearches;
use crate::site_context::SiteContext;
use crate::sites::site_data::SiteData;
use crate::sites::{ConnectionRoute, SavedPortal, SavedServer, Site, SiteColor};
use crate::transfers::upload::UploadStore;

/// Path of the first server of the practice site.
const HOSTING: &str = "server";

/// Names of the servers if there are several, as an administrator would give them: identifiers such as `server2` read
/// badly. Saved data refers to the addresses, which do not depend on the names.
const NAMES: [&str; 3] = ["gisapp01", "gisapp02", "imagery01"];

/// Returns the folder with the content of a practice site, whose identifier it has as its name.
#[must_use]
pub fn data_folder(data_folder: &Path, id: &str) -> PathBuf {
    data_folder.join(id)
}

/// Addresses of a running practice site, and its name.
#[derive(Debug)]
pub struct Started<'a> {
    /// Identifier: [`PRACTICE`], or [`PRACTICE_TEST`](crate::model::ids::PRACTICE_TEST).
    pub id: &'a str,
    /// Name, if this is the first start. Later starts keep the saved one.
    pub name: &'a str,
    /// URL of its portal.
    pub portal: &'a str,
    /// URLs of its servers.
    pub servers: &'a [String],
    /// Certificate of its certificate authority; `None` if it uses plain HTTP.
    pub ca_certificate: Option<PathBuf>,
}

/// Returns the port of the last start of a practice site; `None` before the first.
#[must_use]
pub fn last_port(access: &Access, id: &str) -> Option<u16> {
    access.sites.get(&SiteId(id.to_owned())).ok()?.portal?.address.port()
}

/// Saves the addresses of a practice site. The first start of the first one begins the guided tour.
///
/// # Errors
/// - [`Problem::File`] if the folder for its exports cannot be created, or the site cannot be saved.
/// - [`Problem::Unexpected`] if an address is not a URL.
pub fn remember(
    access: &Access,
    tour: &GuidedTour,
    data_folder: &Path,
    started: Started<'_>,
) -> Result<(), Problem> {
    let id = SiteId(started.id.to_owned());
    let (environment, color) = match started.id {
        PRACTICE => (Environment::Practice, SiteColor::Teal),
        _ => (Environment::Test, SiteColor::Blue),
    };
    let before = access.sites.get(&id).ok();
    create_private(&practice_exports(data_folder))
        .map_err(|error| Problem::file(&practice_exports(data_folder), &error))?;
    if before.is_none() && started.id == PRACTICE {
        tour.begin();
    }
    let site = match before {
        Some(site) => site,
        None => Site {
            id: id.clone(),
            name: started.name.to_owned(),
            environment,
            color,
            deployment_type: DeploymentType::Enterprise,
            portal: None,
            servers: Vec::new(),
            current_server: None,
            ca_certificate: None,
            client_certificate: None,
            trusted_certificates: Vec::new(),
            confirmed: Vec::new(),
            earlier: Vec::new(),
            route: ConnectionRoute::Direct,
            client_id: None,
            username: None,
            read_only: false,
            seen: None,
        },
    };
    let portal = Url::parse(started.portal).context("the practice site has no address")?;
    let is_one_of_several = started.servers.len() > 1;
    let servers = started.servers.iter().enumerate();
    let servers = servers.map(|(place, address)| saved_server(address, is_one_of_several.then_some(place)));
    let servers = servers.collect::<Result<Vec<_>, Problem>>()?;
    access.sites.put(Site {
        servers,
        environment,
        portal: Some(SavedPortal { address: portal, admin_url: None }),
        ca_certificate: started.ca_certificate,
        ..site
    })?;
    access.forget_known(&id);
    Ok(())
}

/// Returns a server of the practice site, with its URL path as its identifier. Of several servers, `place` selects the
/// name; if it is `None`, the server is named after its host.
fn saved_server(address: &str, place: Option<usize>) -> Result<SavedServer, Problem> {
    let address = Url::parse(address).context("the practice site has no address")?;
    let path = address.path().trim_matches('/').to_owned();
    let name = match place {
        Some(place) => NAMES.get(place).copied().unwrap_or(&path),
        None => address.host_str().unwrap_or_default(),
    };
    let role = if path == HOSTING { "HOSTING_SERVER" } else { "FEDERATED_SERVER" };
    Ok(SavedServer {
        name: name.to_owned(),
        id: ServerId(path),
        address,
        services_url: None,
        admin_url: None,
        server_type: ServerType::Gis,
        role: role.to_owned(),
    })
}

/// Signs out of the practice site before a reset. Returns the name of the last user; may be empty.
///
/// # Errors
/// - [`Problem::Busy`] while an operation runs on it.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::Unexpected`] if the practice site is not saved.
pub async fn leave(context: &SiteContext) -> Result<String, Problem> {
    let id = SiteId(PRACTICE.to_owned());
    let site = context.access.sites.get(&id)?;
    context.runs.none_at(&site)?;
    sign_in::leave_unrecorded(context, &site).await?;
    Ok(site.username.unwrap_or_default())
}

/// Removes local data that is obsolete after a reset: its uploads are deleted, its items were not validated, and its
/// webhooks are active.
///
/// `whose` is the name of the user who reset it.
///
/// # Errors
/// [`Problem::Unexpected`] if the history cannot be written.
pub async fn forget(
    history: &History,
    uploads: &UploadStore,
    searches: &ItemSearches,
    whose: String,
) -> Result<(), Problem> {
    let site = SiteId(PRACTICE.to_owned());
    uploads.site_removed(&site);
    searches.validations.forget(&site);
    let now = Millis::now().0;
    history
        .journal(move |journal| {
            for entry in
                journal.deactivations(Some(PRACTICE))?.iter().filter(|entry| entry.resolved_at.is_none())
            {
                journal.mark_reactivated(&entry.id, &whose, now)?;
            }
            Ok(())
        })
        .await
}
