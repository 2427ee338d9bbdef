//! Checks that a record belongs to the current server of a site.

use steward_journal::Intent;

use crate::model::operation::{Component, Operation, OperationKey};
use crate::model::problem::Problem;
use crate::sites::Site;

/// Checks that the requests of a record were sent to the current server of the site.
///
/// # Errors
/// [`Problem::PreconditionFailed`] with `OtherServer` if they were sent to another server of the site.
pub(crate) fn must_be_here(site: &Site, intent: &Intent) -> Result<(), Problem> {
    let is_portal = OperationKey::named(&intent.operation)
        .is_some_and(|key| Operation::of(key).component == Component::Portal);
    let request = intent.requests.first().map(|request| &request.address);
    // The record of an upload has no request.
    let uploaded_to = || intent.parameters.iter().find(|(name, _)| name == "origin").map(|(_, value)| value);
    match request.or_else(uploaded_to) {
        Some(address) if !is_portal => site.must_be_of_current_server(address),
        _ => Ok(()),
    }
}
