//! Destination of a portal export: a folder, or object storage with a pointer file in a folder.

use super::remote::Remote;
use super::{ExportFolder, Gaps, PortalContent};
use crate::folders::Folders;
use crate::off_thread::off_thread;
use crate::release::Release;
use crate::wire::{ApiError, Parameters};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// First release whose portal export needs no location.
const LOCATION_IS_OPTIONAL: Release = Release::new(12, 0);

const EXTENSION: &str = "portalsite";

pub(crate) struct Target {
    destination: Arc<ExportFolder>,
    remote: Option<Remote>,
    /// Whether no location was given.
    pub(crate) is_own: bool,
}

impl Target {
    /// Returns the destination in the parameters of operation 1. Without a location, it is a folder of the site, which
    /// portals have since 12.0.
    pub(crate) fn named_by(
        parameters: &Parameters,
        folders: &Folders,
        release: Release,
    ) -> Result<Target, ApiError> {
        let remote = Remote::named_by(parameters, folders)?;
        let destination = match parameters.text("location") {
            Some(location) => ExportFolder::at(location, folders)?,
            None if release >= LOCATION_IS_OPTIONAL && remote.is_none() => {
                ExportFolder::inside(folders.portal_exports.clone(), folders)
            }
            None => return Err(ApiError::bad_request("'location' must be specified.")),
        };
        let is_own = parameters.text("location").is_none();
        Ok(Target { destination: Arc::new(destination), remote, is_own })
    }

    pub(crate) fn unable_to_write(&self) -> ApiError {
        self.destination.unable_to_write()
    }

    /// Checks whether an export can be written, and returns a message if something could not be removed afterwards.
    pub(crate) async fn probe(&self) -> Result<Option<String>, ApiError> {
        let destination = Arc::clone(&self.destination);
        off_thread(move || destination.probe()).await?;
        match &self.remote {
            Some(remote) => remote.probe().await,
            None => Ok(None),
        }
    }

    /// Writes the export. Returns the path of the file at `location` and what the export lacks.
    pub(crate) async fn write(&self, content: PortalContent) -> Result<(PathBuf, Gaps), ApiError> {
        let destination = Arc::clone(&self.destination);
        let Some(remote) = &self.remote else {
            return off_thread(move || {
                let file = destination.begin()?;
                let (_, gaps) = content.write(file.as_file()).map_err(|why| destination.write_error(why))?;
                Ok((destination.publish(file, EXTENSION)?, gaps))
            })
            .await;
        };
        // Create the pointer file first: if the folder is not writable, nothing is uploaded.
        let file = off_thread({
            let destination = Arc::clone(&destination);
            move || destination.begin()
        })
        .await?;
        let (pointer, gaps) = remote.receive(EXTENSION, move |parts| content.write(parts)).await?;
        let text = serde_json::to_vec_pretty(&pointer)?;
        let published = off_thread(move || {
            file.as_file().write_all(&text).map_err(|cause| destination.failed(&cause))?;
            destination.publish(file, EXTENSION)
        })
        .await;
        if published.is_err() {
            remote.remove(&pointer).await;
        }
        Ok((published?, gaps))
    }
}
