//! Destination of a portal export: a folder, or object storage with a pointer file in a folder.

use super::remote::Remote;
use super::{ExportFolder, Gaps, PortalContent};
use crate::folders::Folders;
use crate::off_thread::off_thread;
use crate::wire::{ApiError, Parameters};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

const EXTENSION: &str = "portalsite";

pub(crate) struct Target {
    destination: Arc<ExportFolder>,
    remote: Option<Remote>,
}

impl Target {
    /// Returns the destination in the parameters of operation 1.
    pub(crate) fn named_by(parameters: &Parameters, folders: &Folders) -> Result<Target, ApiError> {
        let Some(location) = parameters.text("location") else {
            return Err(ApiError::bad_request("'location' must be specified."));
        };
        let remote = Remote::named_by(parameters, folders)?;
        Ok(Target { destination: Arc::new(ExportFolder::at(location, folders)?), remote })
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
