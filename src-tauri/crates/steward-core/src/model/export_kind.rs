//! What kind of export a file is, by the end of its name.

use crate::model::operation::Component;
use crate::model::problem::{FieldError, Problem};

/// Endings of files that other tools and operations write.
const OF_SERVERS: &str = ".agssite";
const OF_PORTALS: &str = ".portalsite";
/// Backup of the disaster recovery tool, which contains files of both.
const OF_BOTH: &str = ".webgissite";

/// Checks by its name that a file is not an export of another kind, which this component cannot import.
///
/// # Errors
/// [`Problem::Form`] of `field` if it is.
pub(crate) fn check(component: Component, field: &str, path: &str) -> Result<(), Problem> {
    let (others, error) = match component {
        Component::Portal => (OF_SERVERS, FieldError::NotAPortalExport),
        Component::Server => (OF_PORTALS, FieldError::NotAServerExport),
    };
    let path = path.trim().to_ascii_lowercase();
    if path.ends_with(others) || path.ends_with(OF_BOTH) {
        return Err(Problem::form(field, error));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_kind_is_named_and_any_other_name_is_left_to_the_site() {
        for (component, path, error) in [
            (Component::Portal, "/backups/Oct-06.agssite", Some(FieldError::NotAPortalExport)),
            (Component::Portal, "C:\\b\\20240511-FULL.WebGISsite", Some(FieldError::NotAPortalExport)),
            (Component::Portal, "/backups/a.portalsite", None),
            (Component::Portal, "/backups/a", None),
            (Component::Server, "/backups/a.portalsite", Some(FieldError::NotAServerExport)),
            (Component::Server, "/backups/a.webgissite", Some(FieldError::NotAServerExport)),
            (Component::Server, "i7c1f0a52", None),
        ] {
            let expected = error.map(|error| Problem::form("location", error));
            assert_eq!(check(component, "location", path).err(), expected, "{path}");
        }
    }
}
