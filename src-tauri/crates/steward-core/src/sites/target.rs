//! The component of a saved site that an operation goes to.
//!
//! [`Sites::at`](super::Sites::at) returns it, with the settings that the site has at that moment.

use std::ops::Deref;

use super::{SavedServer, Site};
use crate::model::deployment::DeploymentType;
use crate::model::ids::{ServerId, Target, TokenFor};
use crate::model::operation::Component;
use crate::model::problem::{PreconditionFailure, Problem};

/// A saved site, and the component of it that an operation goes to: its portal, or one of its servers.
///
/// It dereferences to the site: what is the same for all components is read as from the site itself.
#[derive(Debug, Clone)]
pub struct TargetSite {
    site: Site,
    /// Position of the server; `None` for the portal.
    server: Option<usize>,
}

impl Deref for TargetSite {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

impl TargetSite {
    /// Finds the component of a site.
    pub(crate) fn of(site: Site, target: &Target) -> Result<Self, Problem> {
        let place = |id: &ServerId| site.servers.iter().position(|server| server.id == *id);
        let server = match &target.server {
            None => None,
            Some(id) => Some(place(id).ok_or_else(server_changed)?),
        };
        Ok(Self { site, server })
    }

    /// Returns the server; `None` for the portal.
    #[must_use]
    pub fn server(&self) -> Option<&SavedServer> {
        self.server.and_then(|place| self.site.servers.get(place))
    }

    /// Returns the server.
    ///
    /// # Errors
    /// [`Problem::NoAddress`] for the portal.
    pub fn must_be_server(&self) -> Result<&SavedServer, Problem> {
        self.server().ok_or(Problem::NoAddress { component: Component::Server })
    }

    /// Returns the identifiers of this component.
    #[must_use]
    pub fn target(&self) -> Target {
        Target { site: self.site.id.clone(), server: self.server().map(|server| server.id.clone()) }
    }

    /// Returns the name of the server; `None` for the portal, and if the site has no other server to tell it from.
    #[must_use]
    pub fn server_name(&self) -> Option<String> {
        let server = self.server().filter(|_| self.site.servers.len() > 1)?;
        self.site.name_of_server(&server.id)
    }

    /// Returns the text that begins the name of a file about this component: the name of the server, or of the site.
    pub(crate) fn name_in_files(&self) -> String {
        self.server_name().unwrap_or_else(|| self.site.name.clone())
    }

    /// Returns the identifier of the server as stored in records; empty for the portal.
    pub fn recorded_server(&self) -> &str {
        self.server().map(|server| server.id.0.as_str()).unwrap_or_default()
    }

    /// Returns the component whose session sends the requests.
    pub fn token(&self) -> TokenFor {
        match self.server() {
            Some(server) => TokenFor::Server(server.id.clone()),
            None => TokenFor::Portal,
        }
    }

    /// Returns whether the server is the administration of a Kubernetes deployment: part of the portal itself, below its
    /// web context.
    pub fn has_own_administration(&self) -> bool {
        self.deployment_type == DeploymentType::Kubernetes
            && matches!((&self.portal, self.server()), (Some(portal), Some(server)) if portal.contains(&server.address))
    }

    /// Checks that the portal or server has the URLs that it had in `shown`, an earlier state of the site.
    pub(crate) fn must_be_where(&self, shown: &Self) -> Result<(), Problem> {
        if self.own_addresses() == shown.own_addresses() { Ok(()) } else { Err(server_changed()) }
    }
}

impl Site {
    /// Returns the portal of the site, and then its servers in their order.
    pub fn components(&self) -> Vec<TargetSite> {
        let portal = self.portal.iter().map(|_| None);
        let all = portal.chain((0..self.servers.len()).map(Some));
        all.map(|server| TargetSite { site: self.clone(), server }).collect()
    }
}

fn server_changed() -> Problem {
    Problem::precondition_failed(PreconditionFailure::ServerChanged)
}

#[cfg(test)]
impl Site {
    /// Returns the current server of the site, for tests.
    pub(crate) fn at_current(self) -> TargetSite {
        let target = self.current_target();
        TargetSite::of(self, &target).unwrap()
    }
}
