//! Situations for tests: servers, faults, and the driven window. Used by no shipped code.

mod browser;
mod fault_injection;
mod fault_proxy;
mod free_port;
mod http;
mod log_server;
mod mail_server;
mod moved_sessions;
mod releases;
mod seeded_site;
pub mod storage;
mod test_server;
mod until;
#[cfg(feature = "window")]
pub mod window;

pub use browser::{Browser, Led};
pub use fault_injection::InjectedFault;
pub use fault_proxy::{Fault, FaultProxy};
pub use free_port::ClosedPort;
pub use log_server::{LogCertificates, LogReceiver, Reading, Rsyslog};
pub use mail_server::{MailFault, MailReceiver, MailTls, TakenMail};
pub use moved_sessions::move_sessions;
pub use releases::{ReleaseKey, ReleasePlace};
pub use seeded_site::{SINCE_THE_EXPORT, seeded_site};
pub use test_server::{Reply, Request, TestServer};
pub use until::{find_within, until, until_some};
