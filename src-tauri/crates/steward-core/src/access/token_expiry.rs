//! Token expiry compared with the duration of long operations.
//!
//! `prolong` renews a token before an operation, and `outlook` reports the expiry to the window.

use std::time::Duration;

use serde::Serialize;
use steward_client::{Endpoint, TokenExpiry};

use crate::history::record::History;
use crate::model::numbers::Millis;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::sites::TargetSite;

/// Expiry of the token, and the duration of the operation.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenExpiryCheck {
    /// Time of expiry; `null` if the site did not return it.
    pub ends_at: Option<Millis>,
    /// Longest duration of the operation on this site, in seconds; `null` if it was not performed there.
    pub took_before: Option<u32>,
    /// Seconds by which the token is likely to expire too early; `null` if it is not.
    pub short_by: Option<u32>,
}

/// Renews a token that would expire during an operation, if that is possible without the user. Otherwise, the operation
/// continues: the site might not allow longer tokens.
pub(crate) async fn prolong(
    history: &History,
    site: &TargetSite,
    operation: OperationKey,
    endpoint: &Endpoint,
) {
    let took = took_before(history, site, operation).await;
    renew_if_short(endpoint, took).await;
}

/// Renews a token that would expire within `took` and a margin, if that is possible without the user: a request that
/// changes the site is not sent again with another token.
pub(crate) async fn renew_if_short(endpoint: &Endpoint, took: Option<Duration>) {
    if !matches!(endpoint.token_expiry(took).await, TokenExpiry::Short { .. }) {
        return;
    }
    if let Err(error) = endpoint.renew_token().await {
        tracing::info!(%error, "the token is short, and no other could be had");
    }
}

/// Returns the expiry of the token, for display before an operation.
pub(crate) async fn outlook(
    history: &History,
    site: &TargetSite,
    operation: OperationKey,
    endpoint: &Endpoint,
) -> TokenExpiryCheck {
    let took = took_before(history, site, operation).await;
    let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    let mut outlook = TokenExpiryCheck { ends_at: None, took_before: took.map(seconds), short_by: None };
    outlook.ends_at = endpoint.token_ends_at().await.map(Millis);
    if let TokenExpiry::Short { by } = endpoint.token_expiry(took).await {
        outlook.short_by = Some(seconds(by));
    }
    outlook
}

/// Returns the longest duration of an operation on a site; `None` if it is not known.
pub async fn took_before(history: &History, site: &TargetSite, operation: OperationKey) -> Option<Duration> {
    let (id, server) = (site.id.0.clone(), site.recorded_server().to_owned());
    known(history.journal(move |journal| journal.longest(&id, &server, operation.name())).await)
}

/// Returns a duration from the history; `None` if it has none or cannot be read, which must not prevent the operation.
fn known(took: Result<Option<i64>, Problem>) -> Option<Duration> {
    let took = took.inspect_err(|problem| tracing::warn!(?problem, "a duration is not known"));
    took.ok().flatten().and_then(|took| u64::try_from(took).ok()).map(Duration::from_millis)
}

/// Returns the usual duration of an operation on a site, by its last successes; `None` if it is not known.
pub(crate) async fn usual(history: &History, site: &TargetSite, operation: OperationKey) -> Option<Duration> {
    let (id, server) = (site.id.0.clone(), site.recorded_server().to_owned());
    known(history.journal(move |journal| journal.usual(&id, &server, operation.name())).await)
}
