//! Computer and system account that the program runs with, stored with every history entry.

use std::sync::OnceLock;

use steward_redact as redact;

/// Computer and account of the operating system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workstation {
    /// Name of the account; empty if the system does not report it.
    pub user: String,
    /// Name of the computer; empty as for [`user`](Self::user).
    pub computer: String,
}

impl Workstation {
    /// Returns the current computer and account, read once.
    #[must_use]
    pub fn this() -> &'static Self {
        static THIS: OnceLock<Workstation> = OnceLock::new();
        THIS.get_or_init(|| Self {
            user: whoami::username().unwrap_or_default(),
            computer: whoami::hostname().unwrap_or_default(),
        })
    }

    /// Returns a copy without secrets.
    pub(crate) fn redacted(&self) -> Self {
        Self { user: redact::text(&self.user), computer: redact::text(&self.computer) }
    }
}
