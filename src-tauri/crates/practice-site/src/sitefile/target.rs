//! Where a portal export goes: a folder, or a store with a pointer to it in a folder.

use super::remote::Remote;
use super::{Gaps, Place, PortalContent};
use crate::app::{Folders, off_thread};
use crate::wire::{Parameters, Refusal};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

const EXTENSION: &str = "portalsite";

pub(crate) struct Target {
    place: Arc<Place>,
    remote: Option<Remote>,
}

impl Target {
    /// What the parameters of operation 1 name.
    pub(crate) fn named_by(parameters: &Parameters, folders: &Folders) -> Result<Target, Refusal> {
        let Some(location) = parameters.text("location") else {
            return Err(Refusal::bad_request("'location' must be specified."));
        };
        let remote = Remote::named_by(parameters, folders)?;
        Ok(Target { place: Arc::new(Place::at(location, folders)?), remote })
    }

    pub(crate) fn unable_to_write(&self) -> Refusal {
        self.place.unable_to_write()
    }

    /// Whether an export could be written. Leaves nothing, or says what it had to leave.
    pub(crate) async fn probe(&self) -> Result<Option<String>, Refusal> {
        let place = Arc::clone(&self.place);
        off_thread(move || place.probe()).await?;
        match &self.remote {
            Some(remote) => remote.probe().await,
            None => Ok(None),
        }
    }

    /// Writes the export, and answers the file at `location` with what the export lacks.
    pub(crate) async fn write(&self, content: PortalContent) -> Result<(PathBuf, Gaps), Refusal> {
        let place = Arc::clone(&self.place);
        let Some(remote) = &self.remote else {
            return off_thread(move || {
                let file = place.begin()?;
                let (_, gaps) = content.write(file.as_file()).map_err(|why| place.unwritten(why))?;
                Ok((place.publish(file, EXTENSION)?, gaps))
            })
            .await;
        };
        // Begun first: a folder that cannot take the pointer is found before anything is sent.
        let file = off_thread({
            let place = Arc::clone(&place);
            move || place.begin()
        })
        .await?;
        let (pointer, gaps) = remote.receive(EXTENSION, move |parts| content.write(parts)).await?;
        let text = serde_json::to_vec_pretty(&pointer)?;
        let published = off_thread(move || {
            file.as_file().write_all(&text).map_err(|cause| place.failed(&cause))?;
            place.publish(file, EXTENSION)
        })
        .await;
        if published.is_err() {
            remote.remove(&pointer).await;
        }
        Ok((published?, gaps))
    }
}
