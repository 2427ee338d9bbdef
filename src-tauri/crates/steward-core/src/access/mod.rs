//! The way to a site: connections, sign-in, sessions, and how long a token lasts.

pub(crate) mod admin_url;
pub(crate) mod connection;
pub mod discovery;
pub mod found_site;
pub mod sessions;
pub mod token_expiry;
