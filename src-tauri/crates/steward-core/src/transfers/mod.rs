//! File transfers between a site and this disk: downloads and uploads.

pub(crate) mod earlier_file;
pub(crate) mod export_download;
pub mod export_entries;
pub mod export_verification;
pub mod file_verification;
pub mod recorded_export;
pub mod stored_file;
pub mod upload;
pub(crate) mod uploads_before;

use std::sync::Arc;

use crate::files::selected_paths::SelectedPaths;
use crate::model::retry_policy::RetryPolicy;
use crate::transfers::upload::UploadStore;

/// Services that downloads and uploads need in addition to the site.
pub struct Transfers {
    /// Dialogs that choose a file, or where to save one.
    pub dialogs: Arc<SelectedPaths>,
    /// Uploads that are not complete.
    pub uploads: Arc<UploadStore>,
    /// Retries of interrupted transfers.
    pub retry_policy: RetryPolicy,
    /// Attempts to reach a server that restarts after an import.
    pub server_restart: RetryPolicy,
}
