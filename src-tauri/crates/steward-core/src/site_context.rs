//! Services that all work on a site shares.

use crate::access::Access;
use crate::history::record::History;
use crate::model::operation::{Component, Operation};
use crate::model::problem::Problem;
use crate::runs::{Admission, Run, RunRegistry};
use crate::sites::Site;
use crate::sites::read_only::ReadOnlyLocks;

/// Services that operations, uploads, sign-ins and changes of a site share: access, history, running operations, and
/// read-only locks.
pub struct SiteContext {
    /// Saved sites, connections, and sessions.
    pub access: Access,
    /// Records of what is sent and changed.
    pub history: History,
    /// Running operations.
    pub runs: RunRegistry,
    /// Unlocks of read-only sites.
    pub locks: ReadOnlyLocks,
}

impl SiteContext {
    /// Returns the state of a site, to compare it before a request is sent.
    pub(crate) fn admission(&self, site: &Site, component: Component) -> Admission {
        Admission {
            read_only: site.read_only,
            times_locked: self.locks.times_locked(&site.id),
            turn: self.access.turn(site, component),
            known: self.access.remembered(site),
        }
    }

    /// Checks that an operation may still be sent: since the run was admitted, the site was not marked read-only or
    /// locked again, and no user signed in or out. An unlock may expire meanwhile.
    ///
    /// # Errors
    /// - [`Problem::ReadOnly`] if the operation changes the site, and the site was marked read-only or locked.
    /// - [`Problem::SignIn`] if the user signed in or out.
    /// - [`Problem::Unexpected`] if the site is not saved.
    pub(crate) fn may_go_on(&self, operation: &Operation, site: &Site, run: &Run) -> Result<(), Problem> {
        let begun = run.admitted_as(|| self.admission(site, operation.component));
        let is_read_only = self.access.sites.get(&site.id)?.read_only;
        let is_locked_again = self.locks.times_locked(&site.id) != begun.times_locked;
        if operation.impact.changes_the_site() && is_read_only && (!begun.read_only || is_locked_again) {
            return Err(Problem::ReadOnly { site: site.id.clone() });
        }
        self.access.is_still_signed_in(site, operation.component, begun.turn)
    }
}
