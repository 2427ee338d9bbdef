//! Whether the token at hand outlives a long operation.

use std::time::Duration;

use serde::Serialize;
use steward_client::{Area, TokenLife};

use crate::host::Host;
use crate::model::numbers::Millis;
use crate::model::operation::Key;
use crate::model::problem::Problem;
use crate::sites::Site;

/// What is left of the token, beside how long the operation took before.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TokenOutlook {
    /// When the token ends, if the site said so.
    pub ends_at: Option<Millis>,
    /// How long the operation took before on this site, in seconds; `null` when it never did.
    pub took_before: Option<u32>,
    /// By how many seconds it is likely to end too soon; `null` when it is not.
    pub short_by: Option<u32>,
}

/// Gets another token where the one at hand would end first and another can be had without a person. Where it cannot,
/// the operation is begun all the same: the site may allow no longer ones.
pub(crate) async fn prolong(host: &Host, site: &Site, operation: Key, area: &Area) -> Result<(), Problem> {
    let Some(session) = area.session() else { return Ok(()) };
    let took = took_before(host, site, operation).await?;
    if !matches!(session.life(took).await, TokenLife::Short { .. }) {
        return Ok(());
    }
    if let Err(error) = session.renew().await {
        tracing::info!(%error, "the token is short, and no other could be had");
    }
    Ok(())
}

/// For the window, before the operation is begun.
pub(crate) async fn outlook(
    host: &Host,
    site: &Site,
    operation: Key,
    area: &Area,
) -> Result<TokenOutlook, Problem> {
    let took = took_before(host, site, operation).await?;
    let seconds = |time: Duration| u32::try_from(time.as_secs()).unwrap_or(u32::MAX);
    let mut outlook = TokenOutlook { ends_at: None, took_before: took.map(seconds), short_by: None };
    if let Some(session) = area.session() {
        outlook.ends_at = session.ends_at().await.map(Millis);
        if let TokenLife::Short { by } = session.life(took).await {
            outlook.short_by = Some(seconds(by));
        }
    }
    Ok(outlook)
}

async fn took_before(host: &Host, site: &Site, operation: Key) -> Result<Option<Duration>, Problem> {
    let id = site.id.0.clone();
    let took = host.journal(move |journal| journal.longest(&id, operation.name())).await?;
    Ok(took.and_then(|took| u64::try_from(took).ok()).map(Duration::from_millis))
}

/// How long an operation usually takes on a site, going by its last successes there.
pub(crate) async fn usual(host: &Host, site: &Site, operation: Key) -> Result<Option<Duration>, Problem> {
    let id = site.id.0.clone();
    let took = host.journal(move |journal| journal.usual(&id, operation.name())).await?;
    Ok(took.and_then(|took| u64::try_from(took).ok()).map(Duration::from_millis))
}
