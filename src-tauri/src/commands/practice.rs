//! The practice site: off until asked for, on this computer only, gone with the program.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::Context;
use practice_site::{Options, PracticeSite};
use serde::Serialize;
use steward_vault::Secret;
use tauri::State;
use tokio::sync::Mutex;
use url::Url;

use super::sign_in::{self, SessionView, sign_in_as};
use super::sites::{self, SiteView};
use crate::host::Host;
use crate::problem::Problem;
use crate::sites::{
    SavedPortal, SavedRoute, SavedServer, ServerId, ServerKind, Site, SiteColor, SiteFlavour, SiteId,
    SiteKind,
};
use crate::views::numbers::Millis;

/// Its identifier among the saved sites.
pub(crate) const ID: &str = "practice";

/// The practice site of this program, while it runs.
#[derive(Default)]
pub struct Practice {
    running: Mutex<Option<PracticeSite>>,
}

/// A running practice site. Its passwords are asked for one by one.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PracticeView {
    /// The saved site.
    pub site: SiteView,
    /// Whom one can be.
    pub users: Vec<PracticeUser>,
    /// Where it keeps its content.
    pub data_folder: String,
    /// A folder to rehearse exports to.
    pub export_folder: String,
}

/// A user of the practice site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PracticeUser {
    /// User name.
    pub username: String,
    /// `administrator`, `publisher`, `viewer`, or a role with a single privilege: `data-updater`, `feature-editor`,
    /// `geoprocessor`.
    pub role: String,
}

impl Practice {
    /// Does something with the site, if it runs.
    pub(crate) async fn with<T>(&self, work: impl FnOnce(&PracticeSite) -> T) -> Option<T> {
        self.running.lock().await.as_ref().map(work)
    }
}

/// Starts the practice site, if it does not run yet.
#[tauri::command]
#[specta::specta]
pub async fn start_practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
) -> Result<PracticeView, Problem> {
    start(&host, &practice).await
}

/// The site runs when this returns.
pub async fn start(host: &Host, practice: &Practice) -> Result<PracticeView, Problem> {
    let mut running = practice.running.lock().await;
    if running.is_none() {
        let options = Options {
            data_dir: data_folder(host),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            http: false,
            deliver_anywhere: false,
        };
        let started = PracticeSite::start(options).await.context("the practice site could not be started")?;
        remember(host, &started)?;
        *running = Some(started);
    }
    match running.as_ref() {
        Some(started) => view(host, started).await,
        None => Err(Problem::Unexpected { message: "the practice site did not start".to_owned() }),
    }
}

/// Puts the site back as it was at its first start, and starts it. Files that were exported stay.
pub async fn reset(host: &Host, practice: &Practice) -> Result<PracticeView, Problem> {
    let id = SiteId(ID.to_owned());
    host.runs.none_on(&id)?;
    let site = host.sites.get(&id)?;
    sign_in::leave_unrecorded(host, &site).await?;
    let whose = site.username.unwrap_or_default();
    if let Some(running) = practice.running.lock().await.take() {
        running.stop().await;
    }
    let folder = data_folder(host);
    match tokio::fs::remove_dir_all(&folder).await {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Problem::file(&folder, &error)),
        _ => {}
    }
    // Its stored files are gone, and its webhooks are as active as they were.
    host.uploads.forget_all_of(&id);
    let now = Millis::now().0;
    host.journal(move |journal| {
        for silence in journal.silences(Some(ID))?.iter().filter(|silence| silence.restored_at.is_none()) {
            journal.silence_restored(&silence.id, &whose, now)?;
        }
        Ok(())
    })
    .await?;
    start(host, practice).await
}

/// The practice site, if it runs.
#[tauri::command]
#[specta::specta]
pub async fn practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
) -> Result<Option<PracticeView>, Problem> {
    match practice.running.lock().await.as_ref() {
        Some(started) => Ok(Some(view(&host, started).await?)),
        None => Ok(None),
    }
}

/// Signs in to the practice site as one of its users.
#[tauri::command]
#[specta::specta]
pub async fn sign_in_to_practice(
    host: State<'_, Host>,
    practice: State<'_, Practice>,
    username: String,
) -> Result<SessionView, Problem> {
    enter(&host, &practice, &username).await
}

/// Signs in as one of its users.
pub async fn enter(host: &Host, practice: &Practice, username: &str) -> Result<SessionView, Problem> {
    let password = password_of(practice, username).await?;
    sign_in_as(host, &SiteId(ID.to_owned()), username, &password).await
}

/// The password of one of its users, for whoever adds the practice site by its address. The site made it at its first
/// start; it opens nothing else.
#[tauri::command]
#[specta::specta]
pub async fn practice_password(practice: State<'_, Practice>, username: String) -> Result<String, Problem> {
    Ok(password_of(&practice, &username).await?.expose().clone())
}

/// The password of one of its users.
pub async fn password_of(practice: &Practice, username: &str) -> Result<Secret<String>, Problem> {
    let running = practice.running.lock().await;
    let users = running.as_ref().map(|started| started.ready().users.as_slice()).unwrap_or_default();
    let user = users.iter().find(|user| user.username == username);
    user.map(|user| Secret::new(user.password.clone())).ok_or_else(|| Problem::Unexpected {
        message: format!("the practice site is not running, or has no user {username}"),
    })
}

/// Stops the practice site. What it holds stays for the next time.
#[tauri::command]
#[specta::specta]
pub async fn stop_practice(practice: State<'_, Practice>) -> Result<(), Problem> {
    if let Some(started) = practice.running.lock().await.take() {
        started.stop().await;
    }
    Ok(())
}

/// Saves where it is now: its port is another at every start.
fn remember(host: &Host, started: &PracticeSite) -> Result<(), Problem> {
    let ready = started.ready();
    let id = SiteId(ID.to_owned());
    let before = host.sites.get(&id).ok();
    std::fs::create_dir_all(export_folder(host))
        .map_err(|error| Problem::file(&export_folder(host), &error))?;
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
    let portal = Url::parse(&ready.portal).context("the practice site has no address")?;
    let server = Url::parse(&ready.server).context("the practice site has no address")?;
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
        ca_certificate: ready.ca_certificate.clone(),
        ..site
    })?;
    host.forget_known(&id);
    Ok(())
}

async fn view(host: &Host, started: &PracticeSite) -> Result<PracticeView, Problem> {
    let site = host.sites.get(&SiteId(ID.to_owned()))?;
    let users = started.ready().users.iter();
    Ok(PracticeView {
        site: sites::view(host, site).await?,
        users: users
            .map(|user| PracticeUser { username: user.username.clone(), role: user.role.clone() })
            .collect(),
        data_folder: data_folder(host).display().to_string(),
        export_folder: export_folder(host).display().to_string(),
    })
}

fn data_folder(host: &Host) -> PathBuf {
    host.data_folder.join("practice")
}

/// Where the practice site's exports go, on this computer.
pub(crate) fn export_folder(host: &Host) -> PathBuf {
    host.data_folder.join("practice-exports")
}
