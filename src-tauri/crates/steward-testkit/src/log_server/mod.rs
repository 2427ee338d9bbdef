//! Log servers that take syslog over TLS: one of our own, which misbehaves on request, and rsyslog of the distribution.

mod certificates;
mod receiver;
mod rsyslog;

pub use certificates::LogCertificates;
pub use receiver::{LogReceiver, Reading};
pub use rsyslog::Rsyslog;
