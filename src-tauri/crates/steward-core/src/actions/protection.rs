//! The marks of a site, read-only and production. Neither is lost without a reason: not by changing the site, not by
//! removing it, and not by a second site at one of its addresses that does not have it, whichever was saved first.
//!
//! The reason for a read-only site is that of its unlock, which is in the history. For a production site it is typed with
//! the change, and stands in the record of that.

use percent_encoding::percent_decode_str;
use url::Url;

use crate::host::Host;
use crate::model::deployment::SiteKind;
use crate::model::problem::{Fault, Problem};
use crate::sites::Site;
use crate::sites::read_only;

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
                read_only::checked_reason(reason)?;
            }
        } else if other.addresses().any(|place| has(drafted, place)) {
            if other.read_only && !drafted.read_only && host.may_write(&other).is_err() {
                return Err(Problem::form("readOnly", Fault::ReadOnlyElsewhere));
            }
            if other.kind == SiteKind::Production
                && !is_production
                && read_only::checked_reason(reason).is_err()
            {
                return Err(Problem::form("kind", Fault::ProductionElsewhere));
            }
        }
    }
    Ok(())
}

/// The other sites at an address of `saved` that lack a mark which it has, with that mark.
pub(crate) fn to_mark_like(host: &Host, saved: &Site) -> Vec<(Site, Site)> {
    let others = host.sites.all().into_iter().filter(|other| other.id != saved.id);
    others
        .filter(|other| other.addresses().any(|place| has(saved, place)))
        .filter_map(|other| {
            let mut marked = other.clone();
            marked.read_only |= saved.read_only;
            if saved.kind == SiteKind::Production {
                marked.kind = SiteKind::Production;
            }
            let is_marked = (marked.read_only, marked.kind) != (other.read_only, other.kind);
            is_marked.then_some((other, marked))
        })
        .collect()
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
        read_only::checked_reason(reason)?;
    }
    Ok(())
}

/// Returns whether a site has this address, however it is written.
fn has(site: &Site, address: &Url) -> bool {
    site.addresses().any(|own| place(own) == place(address))
}

/// What of an address tells one place from another: http leads to where https does, a host may end in a dot, and web
/// adaptors take letters of either case, encoded ones and several slashes.
fn place(url: &Url) -> (String, Option<u16>, String) {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.').to_owned();
    let path = percent_decode_str(url.path()).decode_utf8_lossy().to_lowercase();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    (host, url.port(), segments.join("/"))
}
