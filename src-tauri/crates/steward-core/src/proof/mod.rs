//! Proof that a whole site is back after an import, and the check at any other time. Nothing is changed.
//!
//! [`reading`] reads what a site shows of itself, [`verdict`] judges it by its arguments alone, and [`watch`] repeats both
//! until the site is back.
//!
//! Invariant: what could not be read is *not known*. It must never pass for what is as it should be.

mod content;
mod data_stores;
mod facts;
mod federation;
mod orphans;
mod progress;
mod reading;
mod recovery;
mod verdict;
pub mod watch;

/// Maximum number of concurrent requests, so that a site that is starting is not kept busy.
const AT_ONCE: usize = 2;
