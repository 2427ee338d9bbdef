//! Facts of all components that were checked, in one file, so that they are shown after a restart without a request.

use std::path::PathBuf;

use crate::files::JsonStore;
use crate::model::checked::{
    Checked, CheckedExpiries, CheckedSession, CheckedSessionEnd, ComponentChecks, ExpiryFact,
};
use crate::model::ids::{SiteId, TokenFor};
use crate::model::numbers::Millis;
use crate::sites::{Sites, TargetSite};

/// Facts of components, each of its last check.
pub struct CheckedFacts(JsonStore<Vec<ComponentChecks>>);

impl CheckedFacts {
    /// Reads the stored facts.
    pub fn open(file: PathBuf) -> Self {
        Self(JsonStore::open(file))
    }

    /// Reads the stored facts, which another process writes.
    pub fn open_read_only(file: PathBuf) -> Self {
        Self(JsonStore::open_read_only(file))
    }

    /// Returns the facts of all components.
    pub fn all(&self) -> Vec<ComponentChecks> {
        self.0.get()
    }

    /// Changes the facts of a component, unless its site was removed or moved since they were requested.
    pub(crate) fn note(&self, sites: &Sites, site: &TargetSite, note: impl FnOnce(&mut ComponentChecks)) {
        self.0.update(|all| {
            // Check while the facts are locked: if the site is removed meanwhile, its facts are removed after this
            // change.
            if !sites.get(&site.id).is_ok_and(|now| site.is_within(&now)) {
                return;
            }
            let mut checks = find(all, site).cloned().unwrap_or_else(|| nothing(site));
            note(&mut checks);
            all.retain(|other| other.target != checks.target);
            all.push(checks);
        });
    }

    /// Removes what is known about a session that ended. The session of a portal can also be that of its servers.
    pub(crate) fn session_ended(&self, site: &SiteId, whose: &TokenFor) {
        let is_meant = |checks: &ComponentChecks| match whose {
            TokenFor::Portal => true,
            TokenFor::Server(server) => checks.target.server.as_ref() == Some(server),
        };
        self.0.change(|all| {
            let of_site = all.iter_mut().filter(|checks| checks.target.site == *site);
            for checks in of_site.filter(|checks| is_meant(checks)) {
                let had_user =
                    checks.session.value.as_ref().is_some_and(|session| session.username.is_some());
                // A server that was reached through the portal might have a token of its own.
                let is_its_own = match whose {
                    TokenFor::Portal => checks.target.server.is_none(),
                    TokenFor::Server(_) => true,
                };
                if had_user && is_its_own {
                    checks.note_session(None, None);
                } else {
                    checks.session = Checked::default();
                }
            }
        });
    }

    /// Removes the facts of a site.
    pub(crate) fn forget(&self, site: &SiteId) {
        self.0.change(|all| all.retain(|checks| checks.target.site != *site));
    }
}

impl ComponentChecks {
    /// Notes which user is signed in; `None` if no user is.
    pub(crate) fn note_session(&mut self, username: Option<String>, expires_at: Option<Millis>) {
        let before = self.session.value.as_ref().filter(|before| before.username == username);
        let since = before.map_or_else(Millis::now, |before| before.since);
        self.session.returned(Some(CheckedSession { username, expires_at, since }));
    }

    /// Notes when an invitation expires that was refreshed. One that the last check did not return is not added.
    pub(crate) fn note_refresh(&mut self, collaboration: &str, invitation: &str, expires_at: Millis) {
        let all = self.invitations.value.iter_mut().flatten();
        for one in all.filter(|one| one.collaboration_id == collaboration && one.invitation_id == invitation)
        {
            one.expires_at = expires_at;
        }
    }

    /// Notes when a user has to sign in again; `None` if that is not known, or a stored password signs in.
    pub(crate) fn note_session_end(&mut self, at: Option<Millis>) {
        let before = self.expiries.session.filter(|before| Some(before.at) == at);
        let seen_at = before.map_or_else(Millis::now, |before| before.seen_at);
        self.expiries.session = at.map(|at| CheckedSessionEnd { at, seen_at });
    }
}

/// Returns the facts of a component among those of all.
pub fn find<'a>(all: &'a [ComponentChecks], site: &TargetSite) -> Option<&'a ComponentChecks> {
    let (target, address) = (site.target(), address_of(site));
    all.iter().find(|checks| checks.target == target && checks.address == address)
}

pub(crate) fn nothing(site: &TargetSite) -> ComponentChecks {
    ComponentChecks {
        target: site.target(),
        address: address_of(site),
        version: Checked::default(),
        session: Checked::default(),
        services: Checked::default(),
        certificate: Checked::default(),
        invitations: Checked::default(),
        invitations_gap: String::new(),
        reactivated: Checked::default(),
        expiries: CheckedExpiries::default(),
        hosted: Checked::default(),
        backups: ExpiryFact::default(),
        hosting: Checked::default(),
        export_files: Checked::default(),
        machine: Checked::default(),
    }
}

pub(crate) fn address_of(site: &TargetSite) -> String {
    let address = match site.server() {
        Some(server) => Some(&server.address),
        None => site.portal.as_ref().map(|portal| &portal.address),
    };
    address.map(ToString::to_string).unwrap_or_default()
}
