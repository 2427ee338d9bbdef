//! Protection of read-only and production sites.
//!
//! Neither property is lost without a reason: not by changing or removing the site, and not by a second site at one of
//! its addresses, whichever was saved first. [`may_save`] and [`may_remove`] are the checks. The reason for a read-only
//! site is that of its unlock. For a production site it is entered with the change, and stored in its record.

use url::Url;

use crate::model::deployment::Environment;
use crate::model::problem::{FieldError, Problem};
use crate::sites::endpoints::NormalizedEndpoint;
use crate::sites::read_only::{self, ReadOnlyLocks};
use crate::sites::{Site, Sites};

/// Checks that saving a site does not remove a protection without a reason.
pub(crate) fn may_save(
    sites: &Sites,
    locks: &ReadOnlyLocks,
    drafted: &Site,
    reason: &str,
) -> Result<(), Problem> {
    let is_production = drafted.environment == Environment::Production;
    for other in sites.all() {
        if other.id == drafted.id {
            let leaves = other.addresses().any(|place| !has(drafted, place));
            if other.read_only && (leaves || !drafted.read_only) {
                locks.is_open(&other)?;
            } else if other.environment == Environment::Production && (leaves || !is_production) {
                read_only::checked_reason(reason)?;
            }
        } else if other.addresses().any(|place| has(drafted, place)) {
            if other.read_only && !drafted.read_only && locks.is_open(&other).is_err() {
                return Err(Problem::form("readOnly", FieldError::ReadOnlyElsewhere));
            }
            if other.environment == Environment::Production
                && !is_production
                && !drafted.is_built_in()
                && read_only::checked_reason(reason).is_err()
            {
                return Err(Problem::form("environment", FieldError::ProductionElsewhere));
            }
        }
    }
    Ok(())
}

/// Returns the other sites at an address of `saved` that do not have its protection.
pub(crate) fn to_mark_like(sites: &Sites, saved: &Site) -> Vec<Site> {
    let lacks_mark = |other: &Site| {
        let marked = marked_like(other.clone(), saved);
        (marked.read_only, marked.environment) != (other.read_only, other.environment)
    };
    let mut others = sites.all();
    others.retain(|other| other.id != saved.id && other.addresses().any(|place| has(saved, place)));
    others.retain(lacks_mark);
    others
}

/// Returns a site with the protection of another one added to its own.
pub(crate) fn marked_like(site: Site, other: &Site) -> Site {
    let is_raised = other.environment == Environment::Production && !site.is_built_in();
    let kind = if is_raised { Environment::Production } else { site.environment };
    Site { read_only: site.read_only || other.read_only, environment: kind, ..site }
}

/// Checks that removing a site does not remove a protection without a reason.
pub(crate) fn may_remove(locks: &ReadOnlyLocks, site: &Site, reason: &str) -> Result<(), Problem> {
    if site.read_only {
        return locks.is_open(site);
    }
    if site.environment == Environment::Production {
        read_only::checked_reason(reason)?;
    }
    Ok(())
}

/// Returns whether a site has this address, in any spelling.
fn has(site: &Site, address: &Url) -> bool {
    site.endpoints().contains(&NormalizedEndpoint::of(address))
}
