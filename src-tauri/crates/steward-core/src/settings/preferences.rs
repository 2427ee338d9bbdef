//! Preferences of the user, which the policy of the organization overrides.
//!
//! [`PreferencesStore`] stores them.

mod log_server;
mod overrides;
mod store;
mod values;

pub use log_server::LogServer;
pub use log_server::host_name;
pub use overrides::{Choices, Setting};
pub use store::PreferencesStore;
pub use values::{Language, Preferences, ProgramConnection, Theme};
