//! What a site, and this computer, show of a request whose outcome is unknown.
//!
//! Each operation has its own `check_outcome`, which looks by a [`Look`] and adds a [`CheckFact`] for each thing that it
//! finds. [`files`], [`uploads`] and [`webhooks`] are shared by several of them. Nothing here has an effect.

mod fact;
pub(crate) mod files;
mod look;
mod suggestion;
pub(crate) mod uploads;
pub(crate) mod webhooks;

pub use fact::CheckFact;
pub(crate) use look::{Look, at_theirs};
pub use suggestion::Suggestion;
