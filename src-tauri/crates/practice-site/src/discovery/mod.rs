//! What neighbouring resources answer: enough for a client to find its way to the seven operations.

pub(crate) mod collaborations;
pub(crate) mod portal;
pub(crate) mod roles;
pub(crate) mod server;
pub(crate) mod services;
pub(crate) mod system;
pub(crate) mod workspaces;

/// The release that this site follows.
pub(crate) const VERSION: f64 = 11.1;
pub(crate) const FULL_VERSION: &str = "11.1.0";
