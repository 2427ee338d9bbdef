//! What a site, and this computer, show of a request whose outcome is unknown.
//!
//! Each operation has its own `check_outcome`, which looks by a [`CheckedRequest`] and adds a [`CheckFact`] for each thing that it
//! finds. [`files`], [`uploads`] and [`webhooks`] are shared by several of them. Nothing here has an effect.

mod checked_request;
mod fact;
pub(crate) mod files;
mod suggestion;
pub(crate) mod uploads;
pub(crate) mod webhooks;

pub(crate) use checked_request::{CheckedRequest, at_theirs};
pub use fact::CheckFact;
pub use suggestion::Suggestion;
