//! Inventory of a portal: numbers of what it has, as far as the user may see it.

use serde::{Deserialize, Serialize};
use steward_client::{ClientError, Endpoint, describe_portal, listing};

use super::{InventoryPart, MissingPart, listed_part};
use crate::model::numbers::Millis;
use crate::model::type_count::TypeCount;

/// Content of a portal at one time. A number is `null` if the portal did not return it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PortalInventory {
    /// Time when it was taken.
    pub taken_at: Millis,
    /// Number of items.
    pub items: Option<u32>,
    /// Items by type, in the order of the portal; empty if it does not count them by type.
    pub items_by_type: Vec<TypeCount>,
    /// Number of users.
    pub users: Option<u32>,
    /// Number of groups.
    pub groups: Option<u32>,
    /// Number of collaborations.
    pub collaborations: Option<u32>,
    /// Parts that the portal did not count, with the reason.
    pub missing: Vec<MissingPart>,
}

impl PortalInventory {
    /// Counts what the portal has. A part that it does not count is named in `missing`.
    ///
    /// # Errors
    /// Those of [`describe_portal`], which renews an expired token: with one, the portal would count only what is public.
    pub async fn take(portal: &Endpoint) -> Result<Self, ClientError> {
        let portal_id = &describe_portal(portal).await?.id;
        let (items, users, groups, collaborations) = tokio::join!(
            listing::item_counts(portal, portal_id),
            listing::user_count(portal, portal_id),
            listing::group_count(portal, portal_id),
            listing::collaboration_count(portal, portal_id),
        );
        let mut missing = Vec::new();
        let items = listed_part(&mut missing, InventoryPart::Items, items);
        let by_type = items.iter().flat_map(|items| &items.by_type);
        Ok(Self {
            taken_at: Millis::now(),
            items: items.as_ref().map(|items| items.total),
            items_by_type: by_type
                .map(|(name, count)| TypeCount { r#type: name.clone(), count: *count })
                .collect(),
            users: listed_part(&mut missing, InventoryPart::Users, users),
            groups: listed_part(&mut missing, InventoryPart::Groups, groups),
            collaborations: listed_part(&mut missing, InventoryPart::Collaborations, collaborations),
            missing,
        })
    }

    /// Counts what the portal has after an export, which must not lose its result: without a session, all parts are missing.
    pub(crate) async fn take_after_export(portal: &Endpoint) -> Self {
        Self::take(portal).await.unwrap_or_else(|error| {
            use InventoryPart::{Collaborations, Groups, Items, Users};
            let parts = [Items, Users, Groups, Collaborations];
            let missing = parts.map(|part| MissingPart::of(part, None, &error)).to_vec();
            Self { taken_at: Millis::now(), missing, ..Self::default() }
        })
    }
}
