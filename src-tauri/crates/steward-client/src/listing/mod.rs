//! Lists that forms offer for selection: services, server uploads, data store roots, participants, invitations.

mod collaborations;
mod configuration;
mod deliveries;
mod federation;
mod gap;
mod licenses;
mod machine_certificates;
mod machines;
mod manifests;
mod parts;
mod portal_counts;
mod search_index;
mod service_items;
mod service_list;
mod service_states;
mod services;
mod uploads;
mod vendor_backups;

pub use collaborations::{Invitation, Participant, invitation, invitations, participant, participants};
pub use configuration::{elements, resource};
pub use deliveries::{FailedDeliveries, failed_deliveries};
pub use federation::{ValidatedServer, Validity, validated_servers};
pub use gap::Gap;
pub use licenses::{License, Licenses, portal_licenses, server_licenses};
pub use machine_certificates::{MachineCertificate, machine_certificate, portal_certificate, time_zone};
pub use machines::{machine_url, machines};
pub use manifests::{ServiceName, data_connections, service_names};
pub use portal_counts::{ItemCounts, collaboration_count, group_count, item_counts, user_count};
pub use search_index::{IndexCount, search_index};
pub use service_items::{ServiceItem, service_items};
pub use service_list::{ServiceList, UnlistedFolder};
pub use service_states::{ServiceState, ServiceStates, UnreadableServices, service_states};
pub use services::{AT_ONCE, Service, Webhook, services, services_in};
pub(crate) use uploads::lacks_upload;
pub use uploads::{StoredUpload, all_uploads, uploads};
pub use vendor_backups::{REPORTS_BACKUPS, VendorBackups, vendor_backups};

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::list_of_used;
use parts::{are_few, no_list};

/// Returns the root paths of the data store, for example `/enterpriseDatabases`. One that is too long is empty.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no such list.
/// - A connection or session error of [`ClientError`].
pub async fn data_roots(server: &Endpoint) -> Result<Vec<String>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Items {
        #[serde(default, deserialize_with = "list_of_used")]
        root_items: Option<Vec<Option<String>>>,
    }
    let expected = "the roots of the data store";
    let items: Items = server.get(&["admin", "data", "items"], &[], expected).await?;
    let roots = items.root_items.ok_or_else(|| no_list(expected))?;
    are_few(&roots, expected)?;
    Ok(roots.into_iter().map(Option::unwrap_or_default).collect())
}
