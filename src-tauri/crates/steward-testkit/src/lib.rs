//! Situations for tests. Used by no shipped code.

mod fault_proxy;
#[cfg(feature = "window")]
pub mod window;

pub use fault_proxy::{Fault, FaultProxy};
