//! Confirmation of high-impact operations: the user types the name of the site.

use steward_client::is_this_computer;

use crate::model::deployment::Environment;
use crate::model::ids::PRACTICE;
use crate::model::problem::{FieldError, Problem};
use crate::sites::Site;

/// Returns the text to type before an import; empty for the practice site, which requires none.
pub(crate) fn for_import(site: &Site) -> &str {
    if is_ours(site) { "" } else { site.name.trim() }
}

/// Returns whether a site is the practice site: by its identifier and its local addresses. The environment alone can be
/// set in the form of any site.
fn is_ours(site: &Site) -> bool {
    site.environment == Environment::Practice
        && site.id.0 == PRACTICE
        && site.addresses().all(is_this_computer)
}

/// Returns the text to type before a webhook deactivation; empty except for production sites.
pub(crate) fn for_deactivation(site: &Site) -> &str {
    if site.environment == Environment::Production { site.name.trim() } else { "" }
}

/// Checks the typed text.
pub(crate) fn check(typed: &str, wanted: &str) -> Result<(), Problem> {
    if wanted.is_empty() || typed.trim() == wanted {
        return Ok(());
    }
    Err(Problem::form("confirmation", FieldError::NotTheSitesName))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_practice_site_of_this_program_is_replaced_without_its_name_typed() {
        let at = |id: &str, kind, address: &str| {
            let mut site =
                Site { environment: kind, name: "City".to_owned(), portal: None, ..Site::example(id) };
            site.servers[0].address = address.parse().unwrap();
            for_import(&site).to_owned()
        };
        let here = "https://127.0.0.1:4711/server";
        assert_eq!(at(PRACTICE, Environment::Practice, here), "");
        assert_eq!(at("another", Environment::Practice, here), "City");
        assert_eq!(at(PRACTICE, Environment::Practice, "https://gis.example.org/server"), "City");
        assert_eq!(at(PRACTICE, Environment::Test, here), "City");
    }
}
