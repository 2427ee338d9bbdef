//! The marks of a site, read-only and production. Neither is lost without a reason: not by changing the site, not by
//! removing it, and not by a second site at one of its addresses that does not have it.
//!
//! The reason for a read-only site is that of its unlock, which is in the history. For a production site it is typed with
//! the change, and stands in the record of that.

use url::Url;

use crate::host::Host;
use crate::locks;
use crate::problem::{Fault, Problem};
use crate::sites::{Site, SiteKind};

/// Rejects a site as it would be saved, where a mark is lost by that for which there is no reason.
///
/// # Errors
/// Which mark, and of which site.
pub(crate) fn may_save(host: &Host, drafted: &Site, reason: &str) -> Result<(), Problem> {
    let is_production = drafted.kind == SiteKind::Production;
    for other in host.sites.all() {
        if other.id == drafted.id {
            let leaves = other.addresses().any(|place| !has(drafted, place));
            if other.read_only && (leaves || !drafted.read_only) {
                host.may_write(&other)?;
            } else if other.kind == SiteKind::Production && (leaves || !is_production) {
                locks::checked_reason(reason)?;
            }
        } else if other.addresses().any(|place| has(drafted, place)) {
            if other.read_only && !drafted.read_only && host.may_write(&other).is_err() {
                return Err(Problem::form("readOnly", Fault::ReadOnlyElsewhere));
            }
            if other.kind == SiteKind::Production && !is_production && locks::checked_reason(reason).is_err()
            {
                return Err(Problem::form("kind", Fault::ProductionElsewhere));
            }
        }
    }
    Ok(())
}

/// Rejects the removal of a site whose mark would be lost by that for which there is no reason.
///
/// # Errors
/// Which mark.
pub(crate) fn may_remove(host: &Host, site: &Site, reason: &str) -> Result<(), Problem> {
    if site.read_only {
        return host.may_write(site);
    }
    if site.kind == SiteKind::Production {
        locks::checked_reason(reason)?;
    }
    Ok(())
}

/// Whether a site has this address. Letters of either case are one to many web adaptors, and http leads to where https
/// does.
fn has(site: &Site, address: &Url) -> bool {
    let place = |url: &Url| {
        let path = url.path().trim_end_matches('/').to_ascii_lowercase();
        (url.host_str().map(str::to_owned), url.port(), path)
    };
    site.addresses().any(|own| place(own) == place(address))
}
