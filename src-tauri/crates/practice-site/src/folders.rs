//! Folders of the site.

use anyhow::Context as _;
use std::path::{Path, PathBuf};

/// Folders below the data folder.
#[derive(Clone)]
pub(crate) struct Folders {
    pub(crate) root: PathBuf,
    /// Portal content. Contains the content directory whose name is in the database.
    pub(crate) portal: PathBuf,
    /// Exports of the portal without a location.
    pub(crate) portal_exports: PathBuf,
    /// Databases, logs, and statistics of the server.
    pub(crate) server: PathBuf,
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
    /// Creates the folders below `root` for a server of this name. Those of the portal and of temporary files are shared by
    /// all servers.
    pub(crate) fn prepare(root: &Path, server: &str) -> anyhow::Result<Folders> {
        let root =
            std::path::absolute(root).with_context(|| format!("{} is not a usable path", root.display()))?;
        let server = root.join(server);
        let folders = Folders {
            portal: root.join("portal"),
            portal_exports: root.join("portalExports"),
            uploads: server.join("uploads"),
            service_data: server.join("data"),
            directories: server.join("directories"),
            server,
            scratch: root.join("scratch"),
            unfinished: root.join("unfinished"),
            root,
        };
        let Folders { portal, portal_exports, uploads, service_data, directories, unfinished, .. } = &folders;
        for folder in [portal, portal_exports, uploads, service_data, directories, unfinished] {
            private_folder(folder)?;
        }
        Ok(folders)
    }

    /// Empties the scratch folder, whose files are useless after a restart.
    pub(crate) fn clear_scratch(&self) -> anyhow::Result<()> {
        if self.scratch.exists() {
            std::fs::remove_dir_all(&self.scratch)
                .with_context(|| format!("cannot clear {}", self.scratch.display()))?;
        }
        private_folder(&self.scratch)
    }

    /// Removes content directories other than `named`, which an interrupted import left behind.
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
pub(crate) fn private_folder(folder: &Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).with_context(|| format!("cannot make {}", folder.display()))
}
