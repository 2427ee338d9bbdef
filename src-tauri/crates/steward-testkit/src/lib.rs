//! Situations for tests. Used by no shipped code.

mod fault_proxy;
mod recording_site;
#[cfg(feature = "storage")]
pub mod storage;
#[cfg(feature = "window")]
pub mod window;

pub use fault_proxy::{Fault, FaultProxy};
pub use recording_site::{Asked, RecordingSite};
