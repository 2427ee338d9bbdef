//! What ties Site Steward together, without its window: the services, and what needs attention on each site.
//!
//! The desktop shell creates a [`steward::Steward`] and passes the commands of the window to the crates below; tests do
//! the same without a window. This crate does not depend on Tauri, a dialog library, or a keyring.

pub mod overview;
pub mod steward;
