//! Failed deliveries of webhooks, which is all that a server lists of deliveries.

use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use steward_client::listing;
use steward_client::webhooks::ServiceWebhooks;

use crate::access::Access;
use crate::model::ids::Target;
use crate::model::numbers::Millis;
use crate::model::problem::Problem;

/// Maximum number of webhooks that are read, each with a request.
const MOST: usize = 200;

/// Maximum number of concurrent requests, to limit the load on the server.
const AT_ONCE: usize = 4;

/// Webhook whose failed deliveries are requested.
#[derive(Debug, Clone, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WebhookOfService {
    /// Path of the service.
    pub service: String,
    /// Identifier of the webhook.
    pub webhook: String,
}

/// Failed deliveries of a webhook since its last activation. Servers list no others.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct WebhookDeliveries {
    /// Path of the service.
    pub service: String,
    /// Identifier of the webhook.
    pub webhook: String,
    /// Number of failed deliveries; `null` if the server does not list them.
    pub failures: Option<u32>,
    /// Time of the first failed delivery; `null` if there is none, or the server does not return it.
    pub first: Option<Millis>,
    /// Time of the last failed delivery; `null` as for `first`.
    pub last: Option<Millis>,
}

/// Returns the failed deliveries of the first 200 of these webhooks.
///
/// # Errors
/// - An error of the client if the connection or the session fails.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::server`].
pub async fn failed_deliveries(
    access: &Access,
    target: &Target,
    asked: &[WebhookOfService],
) -> Result<Vec<WebhookDeliveries>, Problem> {
    let site = access.sites.at(target)?;
    let server = access.server(&site).await?;
    let read = stream::iter(asked.iter().take(MOST).cloned())
        .map(|WebhookOfService { service, webhook }| async {
            let of_service = ServiceWebhooks::at(&service);
            let failed = listing::failed_deliveries(&server, &of_service, &webhook).await?;
            Ok(WebhookDeliveries {
                service,
                webhook,
                failures: failed.map(|failed| failed.count),
                first: failed.and_then(|failed| failed.first).map(Millis),
                last: failed.and_then(|failed| failed.last).map(Millis),
            })
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await;
    match read {
        Ok(read) => Ok(read),
        Err(error) => Err(access.problem_at(&server, &site, &error).await),
    }
}
