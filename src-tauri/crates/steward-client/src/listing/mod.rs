//! What the forms pick from: services, uploads, data roots, participants, invitations.

mod collaborations;
mod services;
mod uploads;

pub use collaborations::{Invitation, Participant, invitation, invitations, participants};
pub use services::{Service, Webhook, service_count, services};
pub use uploads::{StoredUpload, uploads};

use serde::Deserialize;

use crate::area::Area;
use crate::error::ClientError;
use crate::wire::list_of_texts;

/// The root paths of the data store, as in `/enterpriseDatabases`.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn data_roots(server: &Area) -> Result<Vec<String>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Items {
        #[serde(default, deserialize_with = "list_of_texts")]
        root_items: Vec<String>,
    }
    let items: Items = server.get(&["admin", "data", "items"], &[], "the roots of the data store").await?;
    Ok(items.root_items)
}
