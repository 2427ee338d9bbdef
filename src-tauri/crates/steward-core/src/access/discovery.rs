//! Discovery of a site from a pasted URL.
//!
//! [`look`] finds a portal and servers; [`servers`] lists the servers of a saved portal.

use steward_client::discovery::{self, NotAnAddress};

use crate::access::Access;
use crate::access::found_site::{FoundServerView, FoundSiteView, FoundView};
use crate::model::ids::SiteId;
use crate::model::problem::{FieldError, Problem};
use crate::model::typed::trimmed;
use crate::sites::{ConnectionForm, name_found};

/// Finds the site behind a pasted URL, over the connection of a form. Reports all requests that were tried.
///
/// # Errors
/// - [`Problem::Form`] if the text is not a URL, or a field of the connection is invalid.
/// - [`Problem::File`] if a certificate file cannot be read.
/// - [`Problem::Keyring`] if a password cannot be read from the keyring.
/// - [`Problem::Unexpected`] if `site` is not saved.
pub async fn look(
    access: &Access,
    site: Option<&SiteId>,
    pasted: &str,
    connection: &ConnectionForm,
) -> Result<FoundView, Problem> {
    let site = site.map(|site| access.sites.get(site)).transpose()?;
    let http = access.connections.drafted(site.as_ref(), connection).await?;
    let why = |fault| match fault {
        NotAnAddress::Empty => FieldError::Required,
        NotAnAddress::Scheme | NotAnAddress::Unreadable => FieldError::NotAnAddress,
    };
    let found = discovery::find(&http, trimmed(pasted)).await;
    let found = found.map_err(|fault| Problem::form("pasted", why(fault)))?;
    let mut found_site: Option<FoundSiteView> = found.site.map(Into::into);
    name_found(&[], found_site.iter_mut().flat_map(|site| &mut site.servers).map(|server| &mut server.form));
    Ok(FoundView { site: found_site, traces: found.traces.into_iter().map(Into::into).collect() })
}

/// Returns the servers that the portal of a site lists. Those that are saved have an identifier.
///
/// # Errors
/// - [`Problem::Rejected`] or another error of the client if the portal does not return them.
/// - [`Problem::Unexpected`] if the site is not saved.
/// - Those of [`Access::portal`].
pub async fn servers(access: &Access, site: &SiteId) -> Result<Vec<FoundServerView>, Problem> {
    let saved = access.sites.get(site)?;
    let portal = access.portal(&saved).await?;
    let found = discovery::find_servers(&portal).await.map_err(|error| Problem::from_client(&error, site))?;
    let mut servers: Vec<FoundServerView> = found.servers.into_iter().map(Into::into).collect();
    name_found(&saved.servers, servers.iter_mut().map(|server| &mut server.form));
    Ok(servers)
}
