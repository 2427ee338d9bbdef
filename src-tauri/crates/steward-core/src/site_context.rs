//! Services that all work on a site shares, and the last check before a request that changes it.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use steward_client::{Endpoint, Permit};
use tokio::sync::OwnedMutexGuard;

use crate::access::Access;
use crate::history::record::History;
use crate::model::deployment::Environment;
use crate::model::ids::{SiteId, Target};
use crate::model::operation::{Impact, Operation};
use crate::model::problem::{PreconditionFailure, Problem};
use crate::runs::{Admission, Run, RunRegistry, RunView};
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::read_only::{self, ReadOnlyLocks};
use crate::sites::{Site, TargetSite};

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
    /// Readings of whole sites.
    pub readings: Readings,
}

/// Turns of the checks that read a whole site: that of the overview, and that of whether a site is back. Each sends at
/// most two requests at once; they take turns, so that a site never receives more.
#[derive(Default)]
pub struct Readings(Mutex<HashMap<SiteId, Arc<tokio::sync::Mutex<()>>>>);

impl Readings {
    /// Waits until no other reading of the site runs. The turn ends when the result is dropped.
    pub(crate) async fn turn(&self, site: &SiteId) -> OwnedMutexGuard<()> {
        let turn = {
            // Changed by single inserts, so that a panic leaves the map consistent.
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(site.clone()).or_default())
        };
        turn.lock_owned().await
    }
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

/// A component of a site, and its session, as they were when a dialog was opened.
pub(crate) struct Shown {
    pub(crate) site: TargetSite,
    turn: u64,
}

impl SiteContext {
    /// Returns a component and its session before a dialog is opened for them, for [`check_shown`](Self::check_shown) after
    /// it.
    pub(crate) fn shown(&self, target: &Target) -> Result<Shown, Problem> {
        let site = self.access.sites.at(target)?;
        Ok(Shown { turn: self.access.turn(&site), site })
    }

    /// Checks that the component has the URLs of when the dialog was opened, and that no user signed in or out since.
    pub(crate) fn check_shown(&self, shown: &Shown) -> Result<(), Problem> {
        let site = self.access.sites.at(&shown.site.target())?;
        site.must_be_where(&shown.site)?;
        self.access.check_still_signed_in(&site, shown.turn)
    }

    /// Returns the import that runs on a site, whatever name the site is saved with.
    #[must_use]
    pub fn running_import(&self, site: &Site) -> Option<RunView> {
        self.runs.all().into_iter().find(self.imports(site))
    }

    /// Returns the import that runs on a site, or waits until one begins.
    pub(crate) async fn when_an_import_runs(&self, site: &Site) -> RunView {
        self.runs.when_one_runs(self.imports(site)).await
    }

    /// Returns a predicate that accepts the imports of a site, whatever name it is saved with.
    fn imports(&self, site: &Site) -> impl Fn(&RunView) -> bool + use<'_> {
        let (id, endpoints) = (site.id.clone(), site.endpoints());
        move |run| {
            let is_here = |other: Site| !other.endpoints().is_disjoint(&endpoints);
            run.act.is_none()
                && Operation::of(run.operation).impact == Impact::Replaces
                && (run.site == id || self.access.sites.get(&run.site).is_ok_and(is_here))
        }
    }

    /// Waits until no other reading of a site is in progress, and then runs `reading`. An import of the site ends the
    /// wait and the reading.
    ///
    /// # Errors
    /// The import that is running, or that began meanwhile. Nothing is requested after it began.
    pub async fn unless_importing<T>(
        &self,
        site: &Site,
        reading: impl Future<Output = T>,
    ) -> Result<T, RunView> {
        let _turn = self.readings.turn(&site.id).await;
        tokio::select! {
            biased;
            import = self.when_an_import_runs(site) => Err(import),
            read = reading => Ok(read),
        }
    }

    /// Returns the permit to send one request that changes a site. `write_intent` writes the intent to disk; after
    /// that, only Stop and [`check_may_continue`](Self::check_may_continue) are checked before the request.
    #[expect(clippy::disallowed_methods, reason = "the only place that permits a change")]
    pub(crate) async fn permit<'e>(
        &self,
        endpoint: &'e Endpoint,
        operation: &Operation,
        site: &TargetSite,
        run: &Run,
        write_intent: impl Future<Output = Result<(), Problem>>,
    ) -> Result<Permit<'e>, Refusal> {
        let ready = run.unless_stopped(endpoint.ready()).await.ok_or(Refusal::Stopped)?;
        write_intent.await.map_err(Refusal::Because)?;
        let permit = ready.permit(|| match run.is_stopped() {
            true => Err(Refusal::Stopped),
            false => self.check_may_continue(operation, site, run).map_err(Refusal::Because),
        })?;
        run.mark_sent();
        Ok(permit)
    }

    /// Checks that a site may be changed: neither it nor another saved site at one of its endpoints is read-only and
    /// locked. Every change calls this once, when the user starts it: a change may end after its unlock has expired.
    /// `operation` is the name of the change in the audit trail.
    pub(crate) fn may_write(&self, site: &Site, operation: &str) -> Result<(), Problem> {
        let checked = self.same_sites(site).iter().try_for_each(|same| self.locks.is_open(same));
        self.history.with_refusal(checked, operation)
    }

    /// Extends the lock of a run to the endpoints that were learned after it began, for example servers that the portal
    /// lists.
    pub(crate) fn lock_learned(&self, site: &Site, run: &Run) -> Result<(), Problem> {
        run.lock_more(self.endpoints(site))
    }

    /// Returns the saved sites that share an endpoint with a site, including the site.
    fn same_sites(&self, site: &Site) -> Vec<Site> {
        let endpoints = self.endpoints(site);
        let mut sites = self.access.sites.all();
        sites.retain(|other| other.id == site.id || !self.endpoints(other).is_disjoint(&endpoints));
        sites
    }

    /// Returns a production site that shares an endpoint with a site, whatever name or URL it is saved with.
    ///
    /// `with_listed` also compares the servers that the portal of the site lists. After an import of another portal's
    /// export, pass `false`: the portal then lists the servers of the other one.
    #[must_use]
    pub fn production_at(&self, site: &Site, with_listed: bool) -> Option<Site> {
        let own = if with_listed { self.endpoints(site) } else { site.endpoints() };
        let mut sites = self.access.sites.all().into_iter();
        sites.find(|one| one.environment == Environment::Production && !self.endpoints(one).is_disjoint(&own))
    }

    /// Returns the endpoints of a site: those of its saved addresses, and those that its portal listed.
    fn endpoints(&self, site: &Site) -> BTreeSet<NormalizedEndpoint> {
        let mut endpoints = site.endpoints();
        endpoints.extend(self.access.learned_endpoints(&site.id));
        endpoints
    }

    /// Returns the state of a site, which [`check_may_continue`](Self::check_may_continue) later compares.
    pub(crate) fn admission(&self, site: &TargetSite) -> Admission {
        let read_only = self.same_sites(site).into_iter().filter(|same| same.read_only);
        Admission {
            read_only: read_only.map(|same| (same.id.clone(), self.locks.times_locked(&same.id))).collect(),
            turn: self.access.turn(site),
            known: self.access.remembered(site),
        }
    }

    /// Checks that an operation may still be sent: since the run was admitted, no saved site at its endpoints was marked
    /// read-only or locked again, and no user signed in or out. An unlock may expire meanwhile.
    pub(crate) fn check_may_continue(
        &self,
        operation: &Operation,
        site: &TargetSite,
        run: &Run,
    ) -> Result<(), Problem> {
        let begun = run.admission_or_set(|| self.admission(site));
        self.access.sites.get(&site.id)?;
        let is_as_begun =
            |same: &Site| begun.read_only.get(&same.id) == Some(&self.locks.times_locked(&same.id));
        let mut same = self.same_sites(site).into_iter().filter(|same| same.read_only);
        if operation.impact.changes_the_site()
            && let Some(locked) = same.find(|same| !is_as_begun(same))
        {
            return self.history.with_refusal(Err(read_only::locked(&locked)), operation.key.name());
        }
        self.access.check_still_signed_in(site, begun.turn)
    }

    /// Checks that an import may still be sent after its safety backup, which can take hours.
    ///
    /// # Errors
    /// - [`Problem::PreconditionFailed`] if the site was unlocked for the import, and locked again.
    /// - Those of [`check_may_continue`](Self::check_may_continue).
    pub(crate) fn may_go_on_after_backup(
        &self,
        operation: &Operation,
        site: &TargetSite,
        run: &Run,
    ) -> Result<(), Problem> {
        let begun = run.admission_or_set(|| self.admission(site));
        self.check_may_continue(operation, site, run).map_err(|problem| match problem {
            Problem::ReadOnly { .. } if !begun.read_only.is_empty() => {
                Problem::precondition_failed(PreconditionFailure::LockedMeanwhile)
            }
            problem => problem,
        })
    }
}
