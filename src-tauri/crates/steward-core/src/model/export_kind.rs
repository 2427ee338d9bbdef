//! What kind of export a file is, by the end of its name.

use crate::model::operation::OperationKey;
use crate::model::problem::{FieldError, Problem};

/// Endings of files that other tools and operations write.
const OF_SERVERS: &str = ".agssite";
const OF_PORTALS: &str = ".portalsite";
/// Backup of the disaster recovery tool, which contains files of both.
const OF_BOTH: &str = ".webgissite";

/// Checks by its name that a file is not an export of another kind, which the operation cannot import.
///
/// # Errors
/// [`Problem::Form`] of `field` if it is.
pub(crate) fn check(operation: OperationKey, field: &str, path: &str) -> Result<(), Problem> {
    let (others, error) = match operation {
        OperationKey::ImportPortal => (OF_SERVERS, FieldError::NotAPortalExport),
        _ => (OF_PORTALS, FieldError::NotAServerExport),
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
        use OperationKey::{ImportPortal, ImportServer};
        for (operation, path, error) in [
            (ImportPortal, "/backups/Oct-06.agssite", Some(FieldError::NotAPortalExport)),
            (ImportPortal, "C:\\b\\20240511-FULL.WebGISsite", Some(FieldError::NotAPortalExport)),
            (ImportPortal, "/backups/a.portalsite", None),
            (ImportPortal, "/backups/a", None),
            (ImportServer, "/backups/a.portalsite", Some(FieldError::NotAServerExport)),
            (ImportServer, "/backups/a.webgissite", Some(FieldError::NotAServerExport)),
            (ImportServer, "i7c1f0a52", None),
        ] {
            let expected = error.map(|error| Problem::form("location", error));
            assert_eq!(check(operation, "location", path).err(), expected, "{path}");
        }
    }
}
