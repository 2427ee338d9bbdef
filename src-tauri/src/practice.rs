//! The practice site: off until asked for, on this computer only, gone with the program.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};

use anyhow::Context;
use practice_site::{Options, PracticeSite};
use serde::Serialize;
use steward_core::actions::sign_in::{SessionView, sign_in_as};
use steward_core::actions::sites::{self, SiteView};
use steward_core::files::data_folder::practice_exports;
use steward_core::host::Host;
use steward_core::model::ids::PRACTICE;
use steward_core::model::ids::SiteId;
use steward_core::model::problem::Problem;
use steward_core::practice::{Started, data_folder, forget, leave, remember};
use steward_vault::Secret;
use tokio::sync::Mutex;

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
    /// Returns what the window shows of it; `None` while it does not run.
    ///
    /// # Errors
    /// See [`view`](steward_core::actions::sites::view).
    pub async fn now(&self, host: &Host) -> Result<Option<PracticeView>, Problem> {
        match self.running.lock().await.as_ref() {
            Some(started) => Ok(Some(view(host, started).await?)),
            None => Ok(None),
        }
    }

    /// Stops it. What it holds stays for the next time.
    pub async fn stop(&self) {
        if let Some(started) = self.running.lock().await.take() {
            started.stop().await;
        }
    }

    /// Returns whether it runs, or is just being started or stopped.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.running.try_lock().map_or(true, |running| running.is_some())
    }

    /// Does something with the site, if it runs.
    pub(crate) async fn with<T>(&self, work: impl FnOnce(&PracticeSite) -> T) -> Option<T> {
        self.running.lock().await.as_ref().map(work)
    }
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
        let ready = started.ready();
        let ca_certificate = ready.ca_certificate.clone();
        remember(host, Started { portal: &ready.portal, server: &ready.server, ca_certificate })?;
        *running = Some(started);
    }
    match running.as_ref() {
        Some(started) => view(host, started).await,
        None => Err(Problem::Unexpected { message: "the practice site did not start".to_owned() }),
    }
}

/// Puts the site back as it was at its first start, and starts it. Files that were exported stay.
///
/// # Errors
/// Returns [`Problem::Busy`] while an operation runs on it, and whatever [`start`] returns.
pub async fn reset(host: &Host, practice: &Practice) -> Result<PracticeView, Problem> {
    let whose = leave(host).await?;
    practice.stop().await;
    let folder = data_folder(host);
    match tokio::fs::remove_dir_all(&folder).await {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Problem::file(&folder, &error)),
        _ => {}
    }
    forget(host, whose).await?;
    start(host, practice).await
}

/// Signs in as one of its users.
pub async fn enter(host: &Host, practice: &Practice, username: &str) -> Result<SessionView, Problem> {
    let password = password_of(practice, username).await?;
    sign_in_as(host, &SiteId(PRACTICE.to_owned()), username, &password).await
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

async fn view(host: &Host, started: &PracticeSite) -> Result<PracticeView, Problem> {
    let site = host.sites.get(&SiteId(PRACTICE.to_owned()))?;
    let users = started.ready().users.iter();
    Ok(PracticeView {
        site: sites::view(host, site).await?,
        users: users
            .map(|user| PracticeUser { username: user.username.clone(), role: user.role.clone() })
            .collect(),
        data_folder: data_folder(host).display().to_string(),
        export_folder: practice_exports(&host.data_folder).display().to_string(),
    })
}
