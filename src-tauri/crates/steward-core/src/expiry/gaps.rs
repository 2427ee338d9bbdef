//! Gaps in what is known about expirations on a site. What it returns depends on its arguments only.

use crate::access::checked_facts::find;
use crate::model::checked::{Checked, CheckedExpiries, ComponentChecks, ExpiryFact};
use crate::model::deployment::DeploymentType;
use crate::model::expiry::{ExpiryGap, ExpiryGapReason, ExpiryPart};
use crate::sites::Site;

/// Returns the gaps that the last check of expirations on a site left; empty if it read everything.
#[must_use]
pub fn gaps(site: &Site, checks: &[ComponentChecks]) -> Vec<ExpiryGap> {
    let mut gaps = Vec::new();
    for (place, component) in site.components().iter().enumerate() {
        let checks = find(checks, component);
        let mut add = |part, why: Option<ExpiryGapReason>| {
            let (site, server) = (site.id.clone(), component.target().server);
            gaps.extend(why.map(|why| ExpiryGap { site, server, part, why }));
        };
        let is_offered = returns_expiries(site);
        let of =
            |why: Option<ExpiryGapReason>| if is_offered { why } else { Some(ExpiryGapReason::NotOffered) };
        let expiries = checks.map(|checks| &checks.expiries);
        add(ExpiryPart::Licenses, of(gap(expiries.map(|all| &all.licenses))));
        add(ExpiryPart::MachineCertificates, of(gap(expiries.map(|all| &all.machine_certificates))));
        add(ExpiryPart::PresentedCertificates, expiries.and_then(presented));
        if place == 0 {
            add(ExpiryPart::OwnCertificates, gap(expiries.map(|all| &all.own_certificates)));
        }
        if component.server().is_none() {
            // A reason that an earlier check stored does not count after a check that returned all invitations.
            let gap = checks.filter(|checks| checks.invitations.failed_at.is_some());
            let gap = gap.map(|checks| &checks.invitations_gap);
            add(ExpiryPart::Invitations, missing(checks.map(|checks| &checks.invitations), gap));
        }
    }
    gaps
}

/// Returns why ports were not reached. A port without a known URL is not a gap.
fn presented(expiries: &CheckedExpiries) -> Option<ExpiryGapReason> {
    let machines = expiries.machine_certificates.checked.value.iter().flatten();
    let ports = machines.filter_map(|one| one.presented.as_ref()).filter(|one| !one.reason.is_empty());
    let reasons = ports.map(|one| format!("{}: {}", one.host, one.reason));
    let reasons: Vec<_> = reasons.chain(expiries.services_url.gap.clone()).collect();
    (!reasons.is_empty()).then(|| ExpiryGapReason::Failed { reason: reasons.join("; ") })
}

/// Returns whether the administration of a site has the resources for licenses and certificates.
pub(super) fn returns_expiries(site: &Site) -> bool {
    !matches!(site.deployment_type, DeploymentType::Kubernetes | DeploymentType::Online)
}

fn gap<T>(fact: Option<&ExpiryFact<T>>) -> Option<ExpiryGapReason> {
    missing(fact.map(|fact| &fact.checked), fact.and_then(|fact| fact.gap.as_ref()))
}

fn missing<T>(checked: Option<&Checked<T>>, reason: Option<&String>) -> Option<ExpiryGapReason> {
    let failed = |reason: Option<&String>| {
        Some(ExpiryGapReason::Failed { reason: reason.cloned().unwrap_or_default() })
    };
    match checked {
        Some(checked) if checked.failed_at.is_some() => failed(reason),
        Some(checked) if checked.checked_at.is_some() => reason.and_then(|reason| failed(Some(reason))),
        _ => Some(ExpiryGapReason::NotChecked),
    }
}
