//! Further resources of portal and server that clients read before they call an operation.

pub(crate) mod collaborations;
pub(crate) mod configuration;
pub(crate) mod content;
pub(crate) mod expiries;
pub(crate) mod portal;
pub(crate) mod portal_health;
pub(crate) mod roles;
pub(crate) mod server;
pub(crate) mod services;
pub(crate) mod system;
pub(crate) mod workspaces;
