//! The client against a running practice site, and against small servers for what no practice site can be.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod canned;
mod clocks;
mod data_stores;
mod discovery;
mod federated_servers;
mod imports;
mod in_the_browser;
mod invitations;
mod loopback;
mod rehearsal;
mod sessions;
mod signing_in;
