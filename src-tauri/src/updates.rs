//! What Tauri's updater does here: it reads what is offered, judges the signature of an installer, and puts it in the
//! place of this program. It makes no request. The window has no permission for any of its commands.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use steward_core::model::numbers::Millis;
use steward_core::updates::{
    Install, Listener, Offer, Package, Reader, Release, Source, UpdateFault, Updates,
};
use tauri::AppHandle;
use tauri::utils::config::BundleType;
use tauri_plugin_updater::{Error, RemoteRelease, UpdaterExt};

/// As its settings are called.
const PLUGIN: &str = "updater";

/// Gives the updater its key; it reads it when it is made. A build without a key gets no updater.
pub fn configure(config: &mut tauri::Config) {
    // What a packager left here is for the packager.
    config.plugins.0.remove(PLUGIN);
    if let Some(Source { key, address }) = Source::of_this_build() {
        // The version stands in the signature: an older installer of ours, offered under a newer number, is refused.
        let settings = json!({ "pubkey": key, "endpoints": [address], "requireSignedVersion": true });
        config.plugins.0.insert(PLUGIN.to_owned(), settings);
    }
}

/// How it stands with newer versions of this program.
///
/// # Errors
/// When the updater cannot be made.
pub fn updates(app: &AppHandle, listener: Listener) -> tauri::Result<Updates> {
    let Some(source) = Source::of_this_build() else { return Ok(Updates::new(None, listener)) };
    app.plugin(tauri_plugin_updater::Builder::new().build())?;
    let app = app.clone();
    let read: Reader = Box::new(move |offered| read(&app, offered));
    Ok(Updates::new(Some((source.address, read)), listener))
}

fn read(app: &AppHandle, offered: Value) -> Result<Option<Offer>, UpdateFault> {
    // It tells of a newer version only together with an installer for this system, and packages have none.
    let newest = Arc::new(Mutex::new(None::<RemoteRelease>));
    let seen = newest.clone();
    let mut builder = app.updater_builder().version_comparator(move |current, release| {
        let is_newer = release.version > current;
        *seen.lock().unwrap_or_else(PoisonError::into_inner) = is_newer.then_some(release);
        is_newer
    });
    if let Some(file) = stand_in() {
        builder = builder.executable_path(file);
    }
    let understood = builder.build().and_then(|updater| updater.restore_update(offered));
    let newest = newest.lock().unwrap_or_else(PoisonError::into_inner).take();
    let not_understood = |said: String| UpdateFault::NotUnderstood { said };
    let update = match understood {
        Ok(update) => update,
        Err(Error::TargetNotFound(_) | Error::TargetsNotFound(_)) if !installs_itself(app) => None,
        Err(Error::TargetNotFound(_) | Error::TargetsNotFound(_)) => {
            return Err(UpdateFault::NotForThisSystem);
        }
        Err(error) => return Err(not_understood(error.to_string())),
    };
    let Some(newest) = newest else { return Ok(None) };
    let date = newest.pub_date.map(|date| Millis(date.unix_timestamp().saturating_mul(1000)));
    let notes = newest.notes.unwrap_or_default();
    let release = Release::described(&newest.version.to_string(), date, &notes)
        .ok_or_else(|| not_understood("the number of the version is too long".to_owned()))?;
    let package = update.filter(|_| installs_itself(app)).map(|update| {
        let address = update.download_url.clone();
        let install: Install = Arc::new(move |bytes| update.install(bytes).map_err(|error| fault(&error)));
        Package { address, install }
    });
    Ok(Some(Offer { release, package }))
}

/// Only what a person put on this computer for themselves is changed by this program. A package belongs to the system, and
/// what Windows installed for everybody to an administrator.
fn installs_itself(app: &AppHandle) -> bool {
    match tauri::utils::platform::bundle_type() {
        _ if stand_in().is_some() => true,
        // Unpacked by hand, there is no file that could be replaced.
        Some(BundleType::AppImage) => is_an_appimage(app),
        Some(BundleType::Nsis | BundleType::App) => true,
        _ => false,
    }
}

#[cfg(target_os = "linux")]
fn is_an_appimage(app: &AppHandle) -> bool {
    tauri::Manager::env(app).appimage.is_some()
}

#[cfg(not(target_os = "linux"))]
const fn is_an_appimage(_: &AppHandle) -> bool {
    false
}

/// The journeys let a file stand for the program.
fn stand_in() -> Option<std::path::PathBuf> {
    #[cfg(feature = "journeys")]
    if let Some(file) = std::env::var_os("STEWARD_UPDATE_FILE") {
        return Some(file.into());
    }
    None
}

fn fault(error: &Error) -> UpdateFault {
    let said = error.to_string();
    match error {
        Error::Minisign(_)
        | Error::Base64(_)
        | Error::SignatureUtf8(_)
        | Error::SignedVersionMismatch { .. }
        | Error::MissingSignedVersion => UpdateFault::NotOurs { said },
        _ => UpdateFault::NotInstalled { said },
    }
}
