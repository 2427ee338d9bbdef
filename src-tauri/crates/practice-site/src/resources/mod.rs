//! Further resources of portal and server that clients read before they call an operation.

pub(crate) mod collaborations;
pub(crate) mod content;
pub(crate) mod portal;
pub(crate) mod roles;
pub(crate) mod server;
pub(crate) mod services;
pub(crate) mod system;
pub(crate) mod workspaces;

/// Implemented release, as `currentVersion` and as `fullVersion`.
pub(crate) const VERSION: f64 = 11.1;
pub(crate) const FULL_VERSION: &str = "11.1.0";
