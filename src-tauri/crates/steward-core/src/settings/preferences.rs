//! Preferences of the user, which the policy of the organization overrides.
//!
//! [`PreferencesStore`] stores them.

mod overrides;
mod store;
mod values;

pub use overrides::{Choices, Setting};
pub use store::PreferencesStore;
pub use values::{Language, Preferences, ProgramConnection, Theme};
