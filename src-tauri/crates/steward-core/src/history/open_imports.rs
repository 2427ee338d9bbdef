//! Imports of a portal whose outcome is not known.

use steward_journal::{Filter, Outcome};

use crate::history::record::History;
use crate::model::ids::SiteId;
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;

/// Returns whether an import of a portal has begun whose outcome is not known, neither by a response nor by a user.
///
/// # Errors
/// [`Problem::Unexpected`] if the journal cannot be read.
pub async fn has_open_portal_import(history: &History, site: &SiteId) -> Result<bool, Problem> {
    let open = Filter {
        site: Some(site.0.clone()),
        operation: Some(OperationKey::ImportPortal.name().to_owned()),
        outcomes: vec![Outcome::Sent, Outcome::Unknown],
        ..Filter::default()
    };
    let imports = history.journal(move |journal| journal.records(&open)).await?;
    Ok(imports.iter().any(|import| !import.is_resolved))
}
