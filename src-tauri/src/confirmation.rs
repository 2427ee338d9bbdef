//! What a person types before something that cannot simply be taken back: the name of the site.

use crate::problem::{Fault, Problem};
use crate::sites::{Site, SiteKind};

/// What an import wants typed; empty when nothing. The practice site is there to be replaced.
pub(crate) fn for_import(site: &Site) -> &str {
    if site.kind == SiteKind::Practice { "" } else { site.name.trim() }
}

/// What a deactivation wants typed; empty when nothing. Only where people wait for what webhooks tell.
pub(crate) fn for_deactivation(site: &Site) -> &str {
    if site.kind == SiteKind::Production { site.name.trim() } else { "" }
}

/// Refuses what was typed, unless it is what was wanted.
pub(crate) fn check(typed: &str, wanted: &str) -> Result<(), Problem> {
    if wanted.is_empty() || typed.trim() == wanted {
        return Ok(());
    }
    Err(Problem::form("confirmation", Fault::NotTheSitesName))
}
