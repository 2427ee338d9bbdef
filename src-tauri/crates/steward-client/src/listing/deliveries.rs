//! Failed deliveries of webhooks.
//!
//! A server lists failures only, and removes them when the webhook is deactivated: a webhook without one might have
//! delivered everything, or nothing.

use serde::Deserialize;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::webhooks::ServiceWebhooks;
use crate::wire::{list_if_any, whole};

/// Failed deliveries of a webhook. What a receiver responded is not kept: it can repeat the key in its URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedDeliveries {
    /// Number of those that the server still lists.
    pub count: u32,
    /// Time of the first of them, in milliseconds since 1970. `None` if the server returns none.
    pub first: Option<i64>,
    /// Time of the last one, as `first`.
    pub last: Option<i64>,
}

/// Returns the failed deliveries of a webhook. `None` if the server does not list them, for example before version
/// 11.2.
///
/// # Errors
/// A connection or session error of [`ClientError`].
pub async fn failed_deliveries(
    server: &Endpoint,
    service: &ServiceWebhooks,
    webhook: &str,
) -> Result<Option<FailedDeliveries>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Wire {
        #[serde(default, deserialize_with = "list_if_any")]
        webhook_notification_status: Option<Vec<Failure>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Failure {
        #[serde(default, deserialize_with = "whole")]
        invoked_timestamp: Option<i64>,
    }
    // Without an ID, the path would be that of another request.
    if webhook.is_empty() {
        return Ok(None);
    }
    let path = service.path(&[webhook, "notificationStatus"]);
    let listed = server.get_list::<Wire>(&path, &[], "the failed deliveries of a webhook").await;
    let failures = match listed {
        Ok(listed) => listed.webhook_notification_status,
        Err(error) if error.is_of_one_resource() => None,
        Err(error) => return Err(error),
    };
    Ok(failures.map(|failures| {
        let times = || failures.iter().filter_map(|one| one.invoked_timestamp);
        let count = u32::try_from(failures.len()).unwrap_or(u32::MAX);
        FailedDeliveries { count, first: times().min(), last: times().max() }
    }))
}
