//! Numbers of what a portal has, as far as the user may see it.
//!
//! Each function reads one page of one element, because a portal returns the total with every page.

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list, text, whole};

/// Largest number of types that are counted. Portals have about a hundred.
const MOST_TYPES: &str = "200";

/// Number of items of a portal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemCounts {
    /// All items.
    pub total: u32,
    /// Items by type, as the portal spells it and in its order. Empty if the portal does not count them by type.
    pub by_type: Vec<(String, u32)>,
}

/// Returns the number of items of a portal.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response has no total.
/// - A connection or session error of [`ClientError`].
pub async fn item_counts(portal: &Endpoint, portal_id: &str) -> Result<ItemCounts, ClientError> {
    #[derive(Deserialize)]
    struct Found {
        #[serde(default, deserialize_with = "whole")]
        total: Option<i64>,
        #[serde(default)]
        aggregations: Option<Aggregations>,
    }
    #[derive(Deserialize)]
    struct Aggregations {
        #[serde(default, deserialize_with = "list")]
        counts: Vec<Counts>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Counts {
        #[serde(default, deserialize_with = "text")]
        field_name: String,
        #[serde(default, deserialize_with = "list")]
        field_values: Vec<FieldValue>,
    }
    #[derive(Deserialize)]
    struct FieldValue {
        #[serde(deserialize_with = "text")]
        value: String,
        #[serde(default, deserialize_with = "whole")]
        count: Option<i64>,
    }
    let of_portal = of_portal(portal_id);
    let query = [("q", of_portal.as_str()), ("num", "1"), ("countFields", "type"), ("countSize", MOST_TYPES)];
    let expected = "the number of items";
    let found: Found = portal.get(&["sharing", "rest", "search"], &query, expected).await?;
    let counts = found.aggregations.into_iter().flat_map(|aggregations| aggregations.counts);
    let types = counts.filter(|counts| counts.field_name == "type").flat_map(|counts| counts.field_values);
    let by_type = types.filter_map(|one| Some((one.value, u32::try_from(one.count?).ok()?))).collect();
    Ok(ItemCounts { total: number(found.total, expected)?, by_type })
}

/// Returns the number of users of a portal.
///
/// # Errors
/// As [`item_counts`].
pub async fn user_count(portal: &Endpoint, portal_id: &str) -> Result<u32, ClientError> {
    total(portal, &["sharing", "rest", "portals", portal_id, "users"], None, "the number of users").await
}

/// Returns the number of groups of a portal.
///
/// # Errors
/// As [`item_counts`].
pub async fn group_count(portal: &Endpoint, portal_id: &str) -> Result<u32, ClientError> {
    let query = of_portal(portal_id);
    total(portal, &["sharing", "rest", "community", "groups"], Some(&query), "the number of groups").await
}

/// Returns the number of collaborations of a portal.
///
/// # Errors
/// As [`item_counts`].
pub async fn collaboration_count(portal: &Endpoint, portal_id: &str) -> Result<u32, ClientError> {
    let path = ["sharing", "rest", "portals", portal_id, "collaborations"];
    total(portal, &path, None, "the number of collaborations").await
}

async fn total(
    portal: &Endpoint,
    path: &[&str],
    search: Option<&str>,
    expected: &'static str,
) -> Result<u32, ClientError> {
    #[derive(Deserialize)]
    struct Page {
        #[serde(default, deserialize_with = "whole")]
        total: Option<i64>,
    }
    let mut query = vec![("start", "1"), ("num", "1")];
    query.extend(search.map(|search| ("q", search)));
    let page: Page = portal.get(path, &query, expected).await?;
    number(page.total, expected)
}

/// Returns the search for all that belongs to a portal. Without it, a portal also finds what is shared with everyone.
fn of_portal(portal_id: &str) -> String {
    format!("orgid:{portal_id}")
}

/// Returns a total. A portal returns -1 for one that it did not count.
fn number(total: Option<i64>, expected: &'static str) -> Result<u32, ClientError> {
    total
        .and_then(|total| u32::try_from(total).ok())
        .ok_or_else(|| ClientError::unreadable(expected, "the response contains no total"))
}
