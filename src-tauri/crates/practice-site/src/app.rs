//! What every handler shares.

use crate::data_store::Cipher;
use crate::deliveries::Courier;
use crate::mishaps::Orders;
use crate::rest_services::JobShop;
use crate::sign_in::SlowDown;
use crate::sign_in::oauth::Authorizations;
use crate::store::Store;
use crate::uploads::Locks;
use crate::wire::{Desk, Refusal};
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// The running site. Handlers reach it through [`crate::wire::Call`].
pub(crate) struct App {
    /// Scheme, host and port as the site announces itself, without a slash at the end.
    pub(crate) origin: String,
    /// Users, groups, items, collaborations: what a portal export holds.
    pub(crate) portal: Arc<Store>,
    /// Services, webhooks, data items, settings: what a server export holds.
    pub(crate) server: Arc<Store>,
    /// Tokens. A database of their own, so that no export can contain one and no import can end one.
    pub(crate) sessions: Arc<Store>,
    /// Sign-in pages that stand open.
    pub(crate) authorizations: Authorizations,
    /// Wrong passwords of late.
    pub(crate) slow_down: SlowDown,
    /// The lock on secrets of data items.
    pub(crate) cipher: Cipher,
    /// Features, jobs and deliveries: what services do while they run. No export and no import touches it.
    pub(crate) runtime: Arc<Store>,
    /// Delivers to webhooks.
    pub(crate) courier: Courier,
    /// Runs jobs.
    pub(crate) job_shop: JobShop,
    pub(crate) folders: Folders,
    /// Whoever administers the portal area sits here; one at a time.
    pub(crate) portal_desk: Desk,
    /// The same for the server area.
    pub(crate) server_desk: Desk,
    /// Who changes which upload.
    pub(crate) upload_locks: Locks,
    /// Who writes the part of an upload that is next in order. Taken before the other where both are.
    pub(crate) next_parts: Locks,
    /// What is to go wrong.
    pub(crate) mishaps: Orders,
    /// Cancelled when the site stops: long work looks at it, and gives up.
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

/// The folders below the data folder.
#[derive(Clone)]
pub(crate) struct Folders {
    pub(crate) root: PathBuf,
    /// The portal's own. The content directory is in it, under the name that the database holds.
    pub(crate) portal: PathBuf,
    /// One folder per stored upload, named by the upload's id.
    pub(crate) uploads: PathBuf,
    /// Data that services were published from.
    pub(crate) service_data: PathBuf,
    /// Jobs, output, cache and system folders that the server configuration records.
    pub(crate) directories: PathBuf,
    /// Snapshots in the making.
    pub(crate) scratch: PathBuf,
    /// One note for each export that is being written, so that a killed site's half files are found again.
    pub(crate) unfinished: PathBuf,
}

impl Folders {
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

    /// Makes the scratch folder empty: what a killed site left there is of no use.
    pub(crate) fn clear_scratch(&self) -> anyhow::Result<()> {
        if self.scratch.exists() {
            std::fs::remove_dir_all(&self.scratch)
                .with_context(|| format!("cannot clear {}", self.scratch.display()))?;
        }
        private_folder(&self.scratch)
    }

    /// Removes the half exports that a killed site left behind, wherever they were written.
    pub(crate) fn clear_unfinished(&self) -> anyhow::Result<()> {
        for note in std::fs::read_dir(&self.unfinished)? {
            let note = note?.path();
            crate::sitefile::remove_unfinished(&note)?;
        }
        Ok(())
    }

    /// Removes content directories that the database does not name: an import was cut off before or after its
    /// one moment.
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

/// Makes a folder, and those above it, for this account only: password hashes and keys live below.
pub(crate) fn private_folder(folder: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("cannot make {}", folder.display()))
}

/// An address below another one, with whatever names need to be part of an address. Empty segments are left out.
pub(crate) fn below(base: &str, segments: &[&str]) -> anyhow::Result<Url> {
    let mut address = Url::parse(base).context("an address of this site")?;
    if let Ok(mut path) = address.path_segments_mut() {
        path.pop_if_empty().extend(segments.iter().filter(|segment| !segment.is_empty()));
    }
    Ok(address)
}

/// Runs work that waits for disks away from the threads that answer.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work)
        .await
        .context("the work on the disk was cut off")
        .map_err(Refusal::from)?
}
