//! Services that all work on a site shares, and the last check before a request that changes it.

use steward_client::{Endpoint, Permit};

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

/// Reason why a request that changes a site must not be sent.
pub(crate) enum Refusal {
    /// The user pressed Stop.
    Stopped,
    /// The site was locked, the user signed in or out, or the intent could not be written.
    Because(Problem),
}

impl Refusal {
    /// Returns the problem; `None` after Stop.
    pub(crate) fn problem(self) -> Option<Problem> {
        match self {
            Self::Stopped => None,
            Self::Because(problem) => Some(problem),
        }
    }
}

impl SiteContext {
    /// Returns the permit to send one request that changes a site. `write_intent` puts the intent on disk; nothing but
    /// [`may_go_on`](Self::may_go_on) and Stop is checked between that and the request.
    ///
    /// # Errors
    /// [`Refusal::Because`] with the errors of `write_intent` and [`may_go_on`](Self::may_go_on).
    #[expect(clippy::disallowed_methods, reason = "the only place that permits a change")]
    pub(crate) async fn permit<'e>(
        &self,
        endpoint: &'e Endpoint,
        operation: &Operation,
        site: &Site,
        run: &Run,
        write_intent: impl Future<Output = Result<(), Problem>>,
    ) -> Result<Permit<'e>, Refusal> {
        let ready = run.unless_stopped(endpoint.ready()).await.ok_or(Refusal::Stopped)?;
        write_intent.await.map_err(Refusal::Because)?;
        ready.permit(|| match run.is_stopped() {
            true => Err(Refusal::Stopped),
            false => self.may_go_on(operation, site, run).map_err(Refusal::Because),
        })
    }

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
