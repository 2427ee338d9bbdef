//! Setup of a new machine, except for Rust and Node.

pub(crate) mod clean_root;
pub(crate) mod crates;
pub(crate) mod front_end;
pub(crate) mod log_server;
mod node;
pub(crate) mod packager;
pub(crate) mod packages;
mod python;
pub(crate) mod storage_servers;
pub(crate) mod vendor_client;
pub(crate) mod zig;
pub(crate) mod zizmor;
