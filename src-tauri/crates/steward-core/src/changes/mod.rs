//! Snapshots of the configuration of sites, and what differs between them. Nothing is changed on a site.
//!
//! [`Snapshots`](snapshots::Snapshots) takes and lists them. [`reading`] reads a site, and `steward-changes` keeps and
//! compares what it read. [`comparing`] is what the window does with two of them, of one site or of two.
//!
//! Invariant: a snapshot never delays or fails anything else. What could not be read is named in it.

mod by_app;
mod compared;
mod comparing;
mod file;
mod learning;
mod reading;
mod recorded;
mod sides;
pub mod snapshots;
pub mod view;

pub use steward_changes::{Cause, Change, Key, Kind, Substitution};

use steward_changes::StoreError;

use self::view::{Compared, ComparisonView, Side, SnapshotsView};
use crate::history::guided_tour::{GuidedTour, GuidedTourStep};
use crate::model::ids::{PRACTICE, PRACTICE_TEST, SiteId};
use crate::model::problem::Problem;

/// Maximum number of concurrent requests to a site.
const AT_ONCE: usize = 2;

/// Completes the steps of the guided tour that a comparison of the practice site shows.
pub fn saw_comparison(tour: &GuidedTour, compared: &Compared, found: &ComparisonView) {
    match compared {
        Compared::Since { site, .. } => {
            if site.0 == PRACTICE && !found.differences.is_empty() {
                tour.saw(GuidedTourStep::FindChange);
                if found.differences.iter().any(|one| one.accepted.is_some()) {
                    tour.saw(GuidedTourStep::AcceptChange);
                }
            }
        }
        Compared::Between { left, right } => {
            let is_of_both =
                |one: &Side, other: &Side| one.site.0 == PRACTICE && other.site.0 == PRACTICE_TEST;
            // Those without a time were proposed by the app.
            let is_added = found.substitutions.iter().any(|one| one.at.is_some() && one.values > 0);
            if is_added && (is_of_both(left, right) || is_of_both(right, left)) {
                tour.saw(GuidedTourStep::CompareSites);
            }
        }
    }
}

/// Completes the step of the guided tour that a new snapshot of the practice site is.
pub fn saw_snapshot(tour: &GuidedTour, site: &SiteId, all: &SnapshotsView) {
    if site.0 == PRACTICE && all.snapshots.first().is_some_and(|newest| newest.failure.is_empty()) {
        tour.saw(GuidedTourStep::TakeSnapshot);
    }
}

fn unexpected(error: &StoreError) -> Problem {
    Problem::Unexpected { message: error.to_string() }
}
