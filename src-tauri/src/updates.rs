//! Tauri's updater: parses the release description, verifies the signature of an installer, and installs it.
//!
//! [`updates`] connects it to [`Updates`]. It sends no request, and the window has no permission for its commands.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use steward_core::model::numbers::Millis;
use steward_core::updates::{
    Install, Offer, Package, Reader, Release, UpdateFault, UpdateListener, UpdateSource, Updates,
};
use tauri::AppHandle;
use tauri::utils::config::BundleType;
use tauri_plugin_updater::{Error, RemoteRelease, UpdaterExt};

/// Name of the plugin in the settings.
const PLUGIN: &str = "updater";

/// Sets the public key of the updater before it is created. A build without a key has no updater.
pub fn configure(config: &mut tauri::Config) {
    // Remove the settings of the packager.
    config.plugins.0.remove(PLUGIN);
    if let Some(UpdateSource { key, address }) = UpdateSource::of_this_build() {
        // The signature contains the version: an older installer under a newer number is rejected.
        let settings = json!({ "pubkey": key, "endpoints": [address], "requireSignedVersion": true });
        config.plugins.0.insert(PLUGIN.to_owned(), settings);
    }
}

/// Creates the state of updates.
///
/// # Errors
/// The error of Tauri if the updater cannot be initialized.
pub fn updates(app: &AppHandle, listener: UpdateListener) -> tauri::Result<Updates> {
    let Some(source) = UpdateSource::of_this_build() else { return Ok(Updates::new(None, listener)) };
    app.plugin(tauri_plugin_updater::Builder::new().build())?;
    let app = app.clone();
    let read: Reader = Box::new(move |offered| read(&app, offered));
    Ok(Updates::new(Some((source.address, read)), listener))
}

fn read(app: &AppHandle, offered: Value) -> Result<Option<Offer>, UpdateFault> {
    // The updater returns a newer version only with an installer for this system. The comparator also remembers one
    // without, which an app from a package is told of.
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

/// Returns whether the app can update itself: only an installation of the user. A package belongs to the package
/// manager, and an installation for all users on Windows to the administrator.
fn installs_itself(app: &AppHandle) -> bool {
    match tauri::utils::platform::bundle_type() {
        _ if stand_in().is_some() => true,
        // An unpacked AppImage has no file to replace.
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

/// Returns the file that stands for the program in end-to-end tests.
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
