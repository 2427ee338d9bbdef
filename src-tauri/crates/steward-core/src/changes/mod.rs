//! Snapshots of the configuration of sites, and what differs between them. Nothing is changed on a site.
//!
//! [`Snapshots`](snapshots::Snapshots) takes, lists and compares them. [`reading`] reads a site, and `steward-changes` keeps and
//! compares what it read.
//!
//! Invariant: a snapshot never delays or fails anything else. What could not be read is named in it.

mod by_app;
mod file;
mod learning;
mod reading;
pub mod snapshots;
pub mod view;

pub use steward_changes::{Cause, Key, Kind};

use steward_changes::StoreError;

use crate::model::problem::Problem;

/// Requests at once to a site.
const AT_ONCE: usize = 2;

fn unexpected(error: &StoreError) -> Problem {
    Problem::Unexpected { message: error.to_string() }
}
