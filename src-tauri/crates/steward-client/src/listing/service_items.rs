//! Items of a portal that stand for a service, with the URL of the service.

use serde::Deserialize;

use super::gap::Gap;
use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list_if_any, text, used, whole};

/// Items of one page, the most that a portal returns.
const PAGE: u32 = 100;

/// Most items that a search of a portal returns.
const MOST: u32 = 10_000;

/// An item that stands for a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceItem {
    /// Identifier.
    pub id: String,
    /// Title.
    pub title: String,
    /// URL of the service, or of a layer of it; empty if it has none that can be used.
    pub url: String,
}

/// Returns the items of a portal that stand for services. Where the portal does not return all, there is a gap.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if a response contains no items.
/// - A connection or session error of [`ClientError`].
pub async fn service_items(
    portal: &Endpoint,
    portal_id: &str,
) -> Result<(Vec<ServiceItem>, Option<Gap>), ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Found {
        #[serde(default, deserialize_with = "whole")]
        total: Option<i64>,
        #[serde(default, deserialize_with = "whole")]
        next_start: Option<i64>,
        #[serde(default, deserialize_with = "list_if_any")]
        results: Option<Vec<Item>>,
    }
    #[derive(Deserialize)]
    struct Item {
        #[serde(default, deserialize_with = "text")]
        id: String,
        #[serde(default, deserialize_with = "text")]
        title: String,
        #[serde(default, deserialize_with = "used")]
        url: String,
    }
    let expected = "the items of services";
    let (wanted, page) = (format!("orgid:{portal_id} AND typekeywords:Service"), PAGE.to_string());
    let (mut items, mut start, mut total) = (Vec::new(), 1, None);
    while start <= i64::from(MOST) {
        let from = start.to_string();
        let query = [("q", wanted.as_str()), ("start", &from), ("num", &page), ("sortField", "created")];
        let found: Found = portal.get_list(&["sharing", "rest", "search"], &query, expected).await?;
        let results = found.results.ok_or_else(|| no_list(expected))?;
        let of_page =
            results.into_iter().map(|one| ServiceItem { id: one.id, title: one.title, url: one.url });
        items.extend(of_page);
        total = found.total;
        match found.next_start {
            Some(next) if next > start => start = next,
            _ => break,
        }
    }
    let gap = match total {
        None => Some(Gap::NotListed { reason: "the response contains no total".to_owned() }),
        total => Gap::between(items.len(), total),
    };
    Ok((items, gap))
}
