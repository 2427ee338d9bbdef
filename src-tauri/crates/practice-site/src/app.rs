//! State shared by all request handlers.
//!
//! [`App`] holds the databases, locks and background tasks of one running site. [`off_thread`] runs blocking work for a
//! handler.

use crate::deliveries::Dispatcher;
use crate::fault_injection::FaultRules;
use crate::rest_services::JobRunner;
use crate::sign_in::RateLimit;
use crate::sign_in::oauth::{Authorizations, RegisteredRedirects};
use crate::store::Store;
use crate::uploads::Locks;
use crate::wire::{ApiError, OperationLock};
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// The running site. Handlers reach it through [`crate::wire::RequestContext`].
pub(crate) struct App {
    /// Scheme, host and port in the URLs of this site, without a trailing slash.
    pub(crate) origin: String,
    /// Users, groups, items, collaborations: the content of a portal export.
    pub(crate) portal: Arc<Store>,
    /// Services, webhooks, data store items, settings: the content of a server export.
    pub(crate) server: Arc<Store>,
    /// Tokens. A separate database, so that no export contains a token and no import ends one.
    pub(crate) sessions: Arc<Store>,
    /// Sign-in pages that are waiting for a password.
    pub(crate) authorizations: Authorizations,
    /// Redirect URLs that are registered for Site Steward.
    pub(crate) registered_redirects: RegisteredRedirects,
    /// Recent failed sign-ins, which delay further attempts.
    pub(crate) rate_limit: RateLimit,
    /// Features, jobs and webhook deliveries: state of running services. Not part of exports and imports.
    pub(crate) runtime: Arc<Store>,
    /// Delivery of webhook payloads.
    pub(crate) dispatcher: Dispatcher,
    /// Execution of geoprocessing jobs.
    pub(crate) job_runner: JobRunner,
    pub(crate) folders: Folders,
    /// Lock of administrative portal operations: one at a time.
    pub(crate) portal_lock: OperationLock,
    /// Lock of administrative server operations: one at a time.
    pub(crate) server_lock: OperationLock,
    /// Locks per upload, for changes to it.
    pub(crate) upload_locks: Locks,
    /// Locks per upload, for the next part in sequence. If both locks are needed, take this one first.
    pub(crate) next_parts: Locks,
    /// Active simulated faults.
    pub(crate) faults: FaultRules,
    /// Cancelled when the site stops. Long operations check it and end early.
    pub(crate) stopping: CancellationToken,
}

impl App {
    pub(crate) fn portal_url(&self) -> String {
        format!("{}/portal", self.origin)
    }

    pub(crate) fn server_url(&self) -> String {
        format!("{}/server", self.origin)
    }
}

/// Folders below the data folder.
#[derive(Clone)]
pub(crate) struct Folders {
    pub(crate) root: PathBuf,
    /// Portal content. Contains the content directory whose name is in the database.
    pub(crate) portal: PathBuf,
    /// Server uploads: one folder each, named by the upload ID.
    pub(crate) uploads: PathBuf,
    /// Data of published services.
    pub(crate) service_data: PathBuf,
    /// Jobs, output, cache and system directories of the server configuration.
    pub(crate) directories: PathBuf,
    /// Temporary files of exports and imports. Emptied at startup.
    pub(crate) scratch: PathBuf,
    /// One record per export being written, so that the incomplete file of a killed process is found and removed.
    pub(crate) unfinished: PathBuf,
}

impl Folders {
    /// Creates the folders below `root`.
    ///
    /// # Errors
    /// Returns an error if `root` is not a usable path or a folder cannot be created.
    pub(crate) fn prepare(root: &Path) -> anyhow::Result<Folders> {
        let root =
            std::path::absolute(root).with_context(|| format!("{} is not a usable path", root.display()))?;
        let folders = Folders {
            portal: root.join("portal"),
            uploads: root.join("server").join("uploads"),
            service_data: root.join("server").join("data"),
            directories: root.join("server").join("directories"),
            scratch: root.join("scratch"),
            unfinished: root.join("unfinished"),
            root,
        };
        let Folders { portal, uploads, service_data, directories, unfinished, .. } = &folders;
        for folder in [portal, uploads, service_data, directories, unfinished] {
            private_folder(folder)?;
        }
        Ok(folders)
    }

    /// Empties the scratch folder, whose files are useless after a restart.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be removed or created.
    pub(crate) fn clear_scratch(&self) -> anyhow::Result<()> {
        if self.scratch.exists() {
            std::fs::remove_dir_all(&self.scratch)
                .with_context(|| format!("cannot clear {}", self.scratch.display()))?;
        }
        private_folder(&self.scratch)
    }

    /// Removes the incomplete exports of a killed process, in any folder.
    ///
    /// # Errors
    /// Returns an error if the records cannot be read or removed.
    pub(crate) fn clear_unfinished(&self) -> anyhow::Result<()> {
        for note in std::fs::read_dir(&self.unfinished)? {
            let note = note?.path();
            crate::export_file::remove_unfinished(&note)?;
        }
        Ok(())
    }

    /// Removes content directories other than `named`, which an interrupted import left behind.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be listed or a directory cannot be removed.
    pub(crate) fn clear_other_content(&self, named: &str) -> anyhow::Result<()> {
        for entry in std::fs::read_dir(&self.portal)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_content = name.to_string_lossy().starts_with("content");
            if is_content && name != named && entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(entry.path())
                    .with_context(|| format!("cannot remove {}", entry.path().display()))?;
            }
        }
        Ok(())
    }
}

/// Creates a folder and its parents with access for the current user only (mode 0700 on Unix): it contains password
/// hashes and keys.
///
/// # Errors
/// Returns an error if the folder cannot be created.
pub(crate) fn private_folder(folder: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// Returns a URL below `base`. Each segment is percent-encoded; empty segments are omitted.
///
/// # Errors
/// Returns an error if `base` is not a URL.
pub(crate) fn below(base: &str, segments: &[&str]) -> anyhow::Result<Url> {
    let mut address = Url::parse(base).context("an address of this site")?;
    if let Ok(mut path) = address.path_segments_mut() {
        path.pop_if_empty().extend(segments.iter().filter(|segment| !segment.is_empty()));
    }
    Ok(address)
}

/// Runs blocking work on a thread for it, so that it does not block request handling.
///
/// # Errors
/// Returns the error of `work`, or code 500 if it panics.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.context("blocking work panicked").map_err(ApiError::from)?
}
