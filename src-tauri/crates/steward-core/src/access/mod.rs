//! Access to sites: discovery, connections, sessions, and token expiry.

pub(crate) mod admin_url;
pub mod checked_facts;
pub mod connection;
pub mod discovery;
pub mod found_site;
pub mod links;
pub(crate) mod listed;
mod listed_server;
pub mod machine;
mod own_certificates;
pub(crate) mod pending_sign_ins;
pub mod recorded_secrets;
pub mod sessions;
mod site_access;
pub mod token_expiry;

pub use site_access::Access;
