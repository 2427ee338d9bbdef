//! From what a person pastes to the addresses of a site.

use steward_client::finding::{self, NotAnAddress};

use crate::access::found_site::{FoundServerView, FoundView};
use crate::host::Host;
use crate::model::ids::SiteId;
use crate::model::problem::{Fault, Problem};
use crate::sites::ConnectionForm;

/// The finding itself.
pub async fn look(
    host: &Host,
    site: Option<&SiteId>,
    pasted: &str,
    connection: &ConnectionForm,
) -> Result<FoundView, Problem> {
    let site = site.map(|site| host.sites.get(site)).transpose()?;
    let http = host.connections.drafted(site.as_ref(), connection).await?;
    let why = |fault| match fault {
        NotAnAddress::Empty => Fault::Required,
        NotAnAddress::Scheme | NotAnAddress::Unreadable => Fault::NotAnAddress,
    };
    let found = finding::find(&http, pasted).await.map_err(|fault| Problem::form("pasted", why(fault)))?;
    Ok(FoundView {
        site: found.site.map(Into::into),
        traces: found.traces.into_iter().map(Into::into).collect(),
    })
}

/// The servers of a portal.
pub async fn servers(host: &Host, site: &SiteId) -> Result<Vec<FoundServerView>, Problem> {
    let portal = host.portal(&host.sites.get(site)?).await?;
    let found = finding::find_servers(&portal).await.map_err(|error| Problem::from_client(&error, site))?;
    Ok(found.servers.into_iter().map(Into::into).collect())
}
