//! Situations for tests. Used by no shipped code.

mod browser;
mod fault_proxy;
mod mishap;
mod recording_site;
mod releases;
#[cfg(feature = "storage")]
pub mod storage;
#[cfg(feature = "window")]
pub mod window;

pub use browser::{Browser, Led};
pub use fault_proxy::{Fault, FaultProxy};
pub use mishap::Mishap;
pub use recording_site::{Asked, RecordingSite};
pub use releases::{ReleaseKey, ReleasePlace};
