//! The first machine of a server, which tells two servers behind one host from one server under two URLs.

use steward_client::{ClientError, Endpoint, listing};

use super::Access;
use crate::sites::TargetSite;
use crate::sites::endpoints::NormalizedEndpoint;

/// Reads the administration URL of the first machine of a server, by its name, and notes it; `None` if the server returns none.
///
/// # Errors
/// Those of [`listing::machines`].
pub async fn read_first(
    access: &Access,
    component: &TargetSite,
    server: &Endpoint,
) -> Result<Option<String>, ClientError> {
    let read = first(server).await;
    access.note_checked(component, |checks| match &read {
        Ok(url) => checks.machine.returned(url.clone()),
        Err(_) => checks.machine.failed(),
    });
    read
}

async fn first(server: &Endpoint) -> Result<Option<String>, ClientError> {
    let (mut machines, _) = listing::machines(server).await?;
    machines.sort();
    let Some(first) = machines.first() else { return Ok(None) };
    let url = listing::machine_url(server, first).await?;
    Ok(url.map(|url| NormalizedEndpoint::of(&url).to_string()))
}
