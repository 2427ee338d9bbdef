//! What a person types before something that cannot simply be taken back: the name of the site.

use url::{Host, Url};

use crate::model::deployment::SiteKind;
use crate::model::ids::PRACTICE;
use crate::model::problem::{Fault, Problem};
use crate::sites::Site;

/// What an import wants typed; empty when nothing. The practice site is there to be replaced.
pub(crate) fn for_import(site: &Site) -> &str {
    if is_ours(site) { "" } else { site.name.trim() }
}

/// Whether it is the practice site of this program. A form could call any site so, or lead the practice site away.
fn is_ours(site: &Site) -> bool {
    let is_here = |address: &Url| match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    site.kind == SiteKind::Practice && site.id.0 == PRACTICE && site.addresses().all(is_here)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_practice_site_of_this_program_is_replaced_without_its_name_typed() {
        let at = |id: &str, kind, address: &str| {
            let mut site = Site { kind, name: "City".to_owned(), portal: None, ..Site::example(id) };
            site.servers[0].address = address.parse().unwrap();
            for_import(&site).to_owned()
        };
        let here = "https://127.0.0.1:4711/server";
        assert_eq!(at(PRACTICE, SiteKind::Practice, here), "");
        assert_eq!(at("another", SiteKind::Practice, here), "City");
        assert_eq!(at(PRACTICE, SiteKind::Practice, "https://gis.example.org/server"), "City");
        assert_eq!(at(PRACTICE, SiteKind::Test, here), "City");
    }
}
