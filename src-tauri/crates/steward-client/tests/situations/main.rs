//! The client against real sockets: certificates, ways, redirects, accidents, and answers of every kind.
//!
//! Every key and certificate here is made for one test and thrown away with it.

mod answers;
mod client_certificates;
mod once;
mod proxies;
mod redirects;
mod support;
mod trust;
