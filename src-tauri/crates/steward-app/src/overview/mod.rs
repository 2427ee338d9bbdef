//! The overview of a site: what needs attention, worst first, and the facts of its portal and servers.
//!
//! [`Overviews`] puts it together from the history and from the last checks, and sends nothing.
//! [`check_site`] checks the components of a site again.

mod check;
mod components;
mod concerns;
mod expiries;
mod recoverable;
mod recoverable_facts;

pub use check::{ComponentCheck, check_site};
pub use components::ComponentFacts;
pub use concerns::{Concern, ConcernAbout, ConcernTone};
pub use recoverable::{
    CopyKind, CopyPlace, DataStores, PartRecovery, Recoverability, RecoverablePart, RecoverableTo,
    WhyNotKnown,
};

use futures_util::future::try_join_all;
use serde::Serialize;
use steward_core::access::checked_facts::find;
use steward_core::expiry;
use steward_core::model::checked::ComponentChecks;
use steward_core::model::expiry::{Expiry, ExpiryGap, ExpiryPart};
use steward_core::model::ids::SiteId;
use steward_core::model::numbers::{Millis, count};
use steward_core::model::problem::Problem;
use steward_core::model::service_check::ServiceCheck;
use steward_core::operations::refresh_invitation::unsaved_invitations::UnsavedInvitations;
use steward_core::proof::watch::Proofs;
use steward_core::site_context::SiteContext;
use steward_core::sites::Site;
use steward_plans::saved::SavedPlans;

/// Overview of a site.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteOverview {
    /// What needs attention, worst first.
    pub concerns: Vec<Concern>,
    /// Portal, and then the servers in their order.
    pub components: Vec<ComponentFacts>,
    /// Time of the last check of services or invitations; `null` if none was made.
    pub checked_at: Option<Millis>,
    /// Whether the invitations of the portal and the state of every service were returned, and no later check failed.
    pub is_checked: bool,
    /// What expires within 60 days and needs no attention yet, in order of expiration.
    pub expires: Vec<Expiry>,
    /// Expirations that are not known.
    pub expiry_gaps: Vec<ExpiryGap>,
    /// Time to which the site can be restored.
    pub recoverable: Recoverability,
}

/// A site in the list of all sites.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SiteSummary {
    /// Site.
    pub site: SiteId,
    /// Worst concern; `null` if nothing needs attention.
    pub worst: Option<Concern>,
    /// Number of other concerns.
    pub more: u32,
    /// Time of the last check of services or invitations; `null` if none was made.
    pub checked_at: Option<Millis>,
    /// Whether the invitations of the portal and the state of every service were returned, and no later check failed.
    pub is_checked: bool,
    /// Time to which the site can be restored, as on its overview.
    pub recoverable: Recoverability,
    /// What expires within 60 days, or has expired, in order of expiration.
    pub expires: Vec<Expiry>,
    /// Number of components with expirations that are not known.
    pub expiry_gaps: u32,
}

/// Services and facts that overviews are made of.
#[derive(Clone, Copy)]
pub struct Overviews<'s> {
    /// Sites, history, and last checks.
    pub context: &'s SiteContext,
    /// Refreshed invitations whose files are not saved.
    pub unsaved: &'s UnsavedInvitations,
    /// Backup plans.
    pub plans: &'s SavedPlans,
    /// Checks whether sites are back.
    pub proofs: &'s Proofs,
}

impl Overviews<'_> {
    /// Returns the overview of a site. Sends nothing.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the site is not saved, or the history cannot be read.
    pub async fn of_site(self, site: &SiteId) -> Result<SiteOverview, Problem> {
        let Self { context, unsaved, plans, proofs } = self;
        let site = context.access.sites.get(site)?;
        recoverable_facts::look_again(context, &site, plans).await?;
        let checks = context.access.checked.all();
        let found = concerns::Found::read(&context.history, unsaved).await?;
        let plans = plans.states(context, &site, &plans.progress()).await?;
        let components = components::facts(context, &site, &checks, &plans).await?;
        let recoverable = recoverable_facts::of_site(context, &site, &checks, &plans).await?;
        let now = Millis::now();
        let mut expires = expiries::of_site(&site, &checks, &plans, now);
        let proof = proofs.of(context, &site.id);
        let concerns = found.of(&site, &checks, &plans, &expires, &recoverable, proof.as_ref());
        expires.retain(|expiry| !expiries::needs_attention(expiry, now));
        Ok(SiteOverview {
            concerns,
            expires,
            expiry_gaps: expiry::gaps(&site, &checks),
            recoverable,
            components,
            checked_at: last_check(&site, &checks),
            is_checked: is_checked(&site, &checks),
        })
    }

    /// Returns the worst concern of each saved site. Sends nothing.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the history cannot be read.
    pub async fn of_all_sites(self) -> Result<Vec<SiteSummary>, Problem> {
        let Self { context, unsaved, plans, proofs } = self;
        let sites = context.access.sites.all();
        // All sites at the same time: a drive that does not respond delays each of them by a second.
        try_join_all(sites.iter().map(|site| recoverable_facts::look_again(context, site, plans))).await?;
        let checks = context.access.checked.all();
        let found = concerns::Found::read(&context.history, unsaved).await?;
        let (now, progress) = (Millis::now(), plans.progress());
        let mut summaries = Vec::new();
        for site in &sites {
            let plans = plans.states(context, site, &progress).await?;
            let recoverable = recoverable_facts::of_site(context, site, &checks, &plans).await?;
            let expires = expiries::of_site(site, &checks, &plans, now);
            let proof = proofs.of(context, &site.id);
            let concerns = found.of(site, &checks, &plans, &expires, &recoverable, proof.as_ref());
            let mut concerns = concerns.into_iter();
            summaries.push(SiteSummary {
                site: site.id.clone(),
                worst: concerns.next(),
                more: count(concerns.len()),
                checked_at: last_check(site, &checks),
                is_checked: is_checked(site, &checks),
                recoverable,
                expires,
                expiry_gaps: components_with_gaps(&expiry::gaps(site, &checks)),
            });
        }
        Ok(summaries)
    }
}

/// Returns the number of components with gaps. Those of one component are adjacent.
fn components_with_gaps(gaps: &[ExpiryGap]) -> u32 {
    // Not counted: firewalls often close the port of a presented certificate.
    let gaps = gaps.iter().filter(|gap| gap.part != ExpiryPart::PresentedCertificates);
    let mut servers: Vec<_> = gaps.map(|gap| &gap.server).collect();
    servers.dedup();
    count(servers.len())
}

/// Returns the time of the last check of the services or the invitations of a site.
fn last_check(site: &Site, checks: &[ComponentChecks]) -> Option<Millis> {
    let components = site.components();
    let found = components.iter().filter_map(|component| find(checks, component));
    found.filter_map(|checks| checks.services.checked_at.max(checks.invitations.checked_at)).max()
}

/// Returns whether every part of a site was checked and returned: otherwise the site is not called well.
fn is_checked(site: &Site, checks: &[ComponentChecks]) -> bool {
    let is_checked = |checks: Option<&ComponentChecks>| {
        checks.is_some_and(|checks| match &checks.target.server {
            Some(_) => checks.services.last().is_some_and(ServiceCheck::is_whole),
            None => checks.invitations.last().is_some(),
        })
    };
    site.components().iter().all(|component| is_checked(find(checks, component)))
}
