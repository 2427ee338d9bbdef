//! Actions that are recorded in the history and are not operations.
//!
//! Sites are added, changed, unlocked, and removed; users sign in and out; the connection of the app is changed.

pub mod browser_sign_in;
pub mod certificate_files;
pub mod preferences;
pub mod profile_files;
pub(crate) mod protection;
pub(crate) mod record;
pub mod sign_in;
pub mod sites;
pub mod unlock;
