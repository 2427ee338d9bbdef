//! The practice site, which runs on request, on this computer, and as long as the app.
//!
//! [`start`] starts it, and [`reset`] restores its initial state.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::Context;
use practice_site::{Options, PracticeSite, Release};
use serde::Serialize;
use steward_app::steward::Steward;
use steward_core::actions::sign_in::{SessionView, sign_in_as};
use steward_core::actions::sites::{self, SiteView};
use steward_core::files::data_folder::practice_exports;
use steward_core::files::in_background;
use steward_core::history::guided_tour::{GuidedTour, GuidedTourStep};
use steward_core::model::ids::{PRACTICE, PRACTICE_TEST, SiteId};
use steward_core::model::problem::Problem;
use steward_core::practice::{Started, data_folder, forget, last_port, leave, remember};
use steward_core::sites::site_data::SiteData as _;
use steward_plans::set::export_file;
use steward_plans::sets::{self, SetView};
use steward_vault::Secret;
use tokio::sync::Mutex;

/// The practice sites that are running.
pub struct Practice {
    running: Mutex<Option<PracticeSite>>,
    /// The second one, which is marked as test.
    test: Mutex<Option<PracticeSite>>,
    servers: usize,
}

/// Number of servers of the practice site: more than one, so that users practice with several.
const SERVERS: usize = 2;

impl Default for Practice {
    fn default() -> Self {
        Self { running: Mutex::default(), test: Mutex::default(), servers: SERVERS }
    }
}

/// A running practice site. Passwords are requested individually.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PracticeView {
    /// The saved site.
    pub site: SiteView,
    /// SHA-256 fingerprint of its certificate, for example `AB:CD:…`; `None` if it uses plain HTTP.
    pub fingerprint: Option<String>,
    /// Users of the site.
    pub users: Vec<PracticeUser>,
    /// Path of its content.
    pub data_folder: String,
    /// Path of a folder for exports.
    pub export_folder: String,
    /// Whether its servers accept `.agssite` files as uploads.
    pub accepts_site_files: bool,
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
    /// Creates the state with the number of servers that the end-to-end tests ask for, most of which are about one.
    pub(crate) fn from_environment() -> Self {
        let asked = std::env::var("STEWARD_PRACTICE_SERVERS").ok().filter(|_| cfg!(feature = "journeys"));
        Self { servers: asked.and_then(|asked| asked.parse().ok()).unwrap_or(SERVERS), ..Self::default() }
    }

    /// Returns the practice site for the window; `None` if it is not running.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub async fn now(&self, steward: &Steward) -> Result<Option<PracticeView>, Problem> {
        match self.running.lock().await.as_ref() {
            Some(started) => Ok(Some(view(steward, started).await?)),
            None => Ok(None),
        }
    }

    /// Stops both sites. Their content remains for the next start.
    pub async fn stop(&self) {
        for site in [&self.running, &self.test] {
            if let Some(started) = site.lock().await.take() {
                started.stop().await;
            }
        }
    }

    /// Returns whether one of the sites is running, starting, or stopping.
    #[must_use]
    pub fn is_running(&self) -> bool {
        let is_running =
            |site: &Mutex<Option<PracticeSite>>| site.try_lock().map_or(true, |running| running.is_some());
        is_running(&self.running) || is_running(&self.test)
    }

    /// Passes the site, or the one that is marked as test, to `work`; returns `None` if it is not running.
    pub(crate) async fn with<T>(&self, is_test: bool, work: impl FnOnce(&PracticeSite) -> T) -> Option<T> {
        let site = if is_test { &self.test } else { &self.running };
        site.lock().await.as_ref().map(work)
    }
}

/// Starts the practice site, if it is not running.
///
/// Keeps the port of the last start while it is free, so that a site that was added by this address stays reachable.
///
/// # Errors
/// - [`Problem::File`] if the folder for its exports cannot be created, or the site cannot be saved.
/// - [`Problem::Unexpected`] if the site cannot be started, or the history cannot be read.
pub async fn start(steward: &Steward, practice: &Practice) -> Result<PracticeView, Problem> {
    let mut running = practice.running.lock().await;
    if running.is_none() {
        *running = Some(start_site(steward, PRACTICE, practice.servers).await?);
    }
    match running.as_ref() {
        Some(started) => view(steward, started).await,
        None => Err(Problem::Unexpected { message: "the practice site did not start".to_owned() }),
    }
}

/// Starts the practice site that is marked as test, if it is not running, and signs in as its administrator. Its
/// password is saved if the keyring takes it, so that a rehearsal goes on after the import of a portal, which ends all
/// sessions.
///
/// # Errors
/// Those of [`start`] and [`sign_in_as`].
pub async fn start_test(steward: &Steward, practice: &Practice) -> Result<SessionView, Problem> {
    let mut running = practice.test.lock().await;
    if running.is_none() {
        *running = Some(start_site(steward, PRACTICE_TEST, practice.servers).await?);
    }
    if let Some(started) = running.as_ref() {
        // Rehearsals upload files of backup sets. Each import replaces the file types that the servers accept, so that
        // they are allowed again.
        started.accept_site_files(true).await?;
    }
    let users = running.as_ref().map(|started| started.ready().users.as_slice()).unwrap_or_default();
    let administrator = users.iter().find(|user| user.role == "administrator");
    let user = administrator.ok_or_else(|| Problem::Unexpected {
        message: "the practice site has no administrator".to_owned(),
    })?;
    let (id, password) = (SiteId(PRACTICE_TEST.to_owned()), Secret::new(user.password.clone()));
    let session = sign_in_as(&steward.context, &id, &user.username, &password).await?;
    let kept = steward.context.access.keep_password(&id, &user.username, &password).await;
    if let Err(problem) = kept {
        tracing::info!(?problem, "the password of the practice test site is not saved");
    }
    Ok(session)
}

/// Starts a practice site, and saves its addresses.
async fn start_site(steward: &Steward, id: &str, servers: usize) -> Result<PracticeSite, Problem> {
    let started = start_at_last_port(steward, id, servers).await;
    let started = started.context("the practice site could not be started");
    let started =
        started.map_err(|error| Problem::writing_in(&data_folder(&steward.data_folder, id), &error))?;
    let ready = started.ready();
    let name = if id == PRACTICE { "kind.practice" } else { "kind.practiceTest" };
    let name = steward.language.texts().say(name, &[]);
    let ca_certificate = ready.ca_certificate.clone();
    remember(
        &steward.context.access,
        &steward.tour,
        &steward.data_folder,
        Started { id, name: &name, portal: &ready.portal, servers: &ready.servers, ca_certificate },
    )?;
    Ok(started)
}

async fn start_at_last_port(steward: &Steward, id: &str, servers: usize) -> anyhow::Result<PracticeSite> {
    let options = |port| Options {
        data_dir: data_folder(&steward.data_folder, id),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        // Test and production never have one host: a comparison of both needs substitutions.
        localhost: id == PRACTICE_TEST,
        http: false,
        deliver_anywhere: false,
        servers,
        release: Release::default(),
    };
    if let Some(port) = last_port(&steward.context.access, id) {
        match PracticeSite::start(options(port)).await {
            Ok(started) => return Ok(started),
            Err(error) => tracing::info!(error = format!("{error:#}"), "the practice site gets another port"),
        }
    }
    PracticeSite::start(options(0)).await
}

/// Resets the practice site to its initial state, and starts it. Exported files remain.
///
/// # Errors
/// - [`Problem::Busy`] while an operation runs on it.
/// - [`Problem::Keyring`] if the keyring cannot be written.
/// - [`Problem::File`] if its content cannot be deleted.
/// - [`Problem::Unexpected`] if the site is not saved, or the history cannot be written.
/// - Those of [`start`].
pub async fn reset(steward: &Steward, practice: &Practice) -> Result<PracticeView, Problem> {
    let whose = leave(&steward.context).await?;
    if let Some(started) = practice.running.lock().await.take() {
        started.stop().await;
    }
    let folder = data_folder(&steward.data_folder, PRACTICE);
    match tokio::fs::remove_dir_all(&folder).await {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(Problem::file(&folder, &error)),
        _ => {}
    }
    steward.proofs.forget(&SiteId(PRACTICE.to_owned()));
    // Everything in the new content would differ from the old snapshots.
    steward.snapshots.site_removed(&SiteId(PRACTICE.to_owned()));
    forget(&steward.context.history, &steward.transfers.uploads, &steward.item_searches, whose).await?;
    start(steward, practice).await
}

/// Changes the configuration of the first server, as another administrator could have done.
///
/// # Errors
/// [`Problem::Unexpected`] if the practice site is not running, or its database cannot be written.
pub async fn simulate_changes(tour: &GuidedTour, practice: &Practice) -> Result<(), Problem> {
    let running = practice.running.lock().await;
    let started = running.as_ref();
    let started = started
        .ok_or_else(|| Problem::Unexpected { message: "the practice site is not running".to_owned() })?;
    started.simulate_changes().await?;
    tour.saw(GuidedTourStep::SimulateChanges);
    Ok(())
}

/// Changes one byte of the export of a server in the newest backup set of the practice site, as a failing disk could.
/// Returns the path of the file; `None` if no set has one.
///
/// # Errors
/// - [`Problem::File`] if the folder of a plan cannot be read, or the file not be changed.
/// - [`Problem::Unexpected`] if the history cannot be read.
pub async fn damage_set(steward: &Steward) -> Result<Option<String>, Problem> {
    let mut newest: Option<SetView> = None;
    for view in steward.plans.list(&steward.context, &SiteId(PRACTICE.to_owned())).await?.plans {
        let sets = sets::of(&steward.context, &view.plan).await?.sets;
        newest = newest.into_iter().chain(sets).max_by_key(|set| set.set.started);
    }
    let Some(SetView { folder, set, .. }) = newest else { return Ok(None) };
    let Some(export) = set.parts.iter().filter(|part| part.server.is_some()).find_map(export_file) else {
        return Ok(None);
    };
    let path = Path::new(&folder).join(&export.name);
    let shown = path.display().to_string();
    let changed = in_background({
        let path = path.clone();
        move || {
            let mut file = File::options().read(true).write(true).open(path)?;
            let before = file.metadata()?;
            let middle = SeekFrom::Start(before.len() / 2);
            let mut byte = [0];
            file.seek(middle)?;
            file.read_exact(&mut byte)?;
            file.seek(middle)?;
            file.write_all(&byte.map(|byte| byte ^ 1))?;
            // As damage of a disk leaves it: otherwise the set would be lost before anybody reads it.
            file.set_modified(before.modified()?)
        }
    });
    changed.await?.map_err(|error| Problem::file(&path, &error))?;
    Ok(Some(shown))
}

/// Has the servers of the practice site accept `.agssite` files as uploads, or not.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not running, or its settings cannot be written.
pub async fn accept_site_files(
    steward: &Steward,
    practice: &Practice,
    accept: bool,
) -> Result<PracticeView, Problem> {
    let running = practice.running.lock().await;
    let Some(started) = running.as_ref() else {
        return Err(Problem::Unexpected { message: "the practice site is not running".to_owned() });
    };
    started.accept_site_files(accept).await?;
    view(steward, started).await
}

/// Signs in as a user of the practice site.
///
/// # Errors
/// Those of [`password_of`] and [`sign_in_as`].
pub async fn enter(steward: &Steward, practice: &Practice, username: &str) -> Result<SessionView, Problem> {
    let password = password_of(practice, username).await?;
    sign_in_as(&steward.context, &SiteId(PRACTICE.to_owned()), username, &password).await
}

/// Returns the password of a user of the practice site.
///
/// # Errors
/// [`Problem::Unexpected`] if the site is not running, or has no such user.
pub async fn password_of(practice: &Practice, username: &str) -> Result<Secret<String>, Problem> {
    let running = practice.running.lock().await;
    let users = running.as_ref().map(|started| started.ready().users.as_slice()).unwrap_or_default();
    let user = users.iter().find(|user| user.username == username);
    user.map(|user| Secret::new(user.password.clone())).ok_or_else(|| Problem::Unexpected {
        message: format!("the practice site is not running, or has no user {username}"),
    })
}

async fn view(steward: &Steward, started: &PracticeSite) -> Result<PracticeView, Problem> {
    let site = steward.context.access.sites.get(&SiteId(PRACTICE.to_owned()))?;
    let users = started.ready().users.iter();
    Ok(PracticeView {
        site: sites::view(&steward.context, site),
        fingerprint: started.ready().fingerprint.clone(),
        users: users
            .map(|user| PracticeUser { username: user.username.clone(), role: user.role.clone() })
            .collect(),
        data_folder: data_folder(&steward.data_folder, PRACTICE).display().to_string(),
        export_folder: practice_exports(&steward.data_folder).display().to_string(),
        accepts_site_files: started.accepts_site_files().await?,
    })
}
