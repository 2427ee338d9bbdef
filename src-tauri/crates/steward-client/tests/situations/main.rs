//! The client against real sockets: certificates, ways, redirects, accidents, and answers of every kind.
//!
//! Every key and certificate here is made for one test and thrown away with it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod alerts;
mod answers;
mod client_certificates;
mod decoders;
mod file_ends;
mod gateways;
mod limits;
mod log_servers;
mod mail_servers;
mod once;
mod protocols;
mod proxies;
mod redirects;
mod support;
mod timeouts;
mod tls_settings;
mod transfers;
mod trust;
