//! Whether what a record is about is where a request would go now.

use steward_journal::Intent;

use crate::model::operation::{Area, Key};
use crate::model::problem::Problem;
use crate::sites::Site;

/// Refuses what was done on another server of the site than the one that is worked with.
pub(crate) fn must_be_here(site: &Site, intent: &Intent) -> Result<(), Problem> {
    let is_portal = Key::named(&intent.operation).is_some_and(|key| key.operation().area == Area::Portal);
    match intent.requests.first() {
        Some(request) if !is_portal => site.must_be_of_chosen_server(&request.address),
        _ => Ok(()),
    }
}
