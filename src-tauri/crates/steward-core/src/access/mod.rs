//! The way to a site: connections, sign-in, sessions, and how long a token lasts.

pub(crate) mod admin_url;
pub mod browser_sign_in;
pub(crate) mod connection;
pub mod discovery;
pub mod found_site;
pub mod sessions;
pub mod sign_in;
pub mod token_expiry;
