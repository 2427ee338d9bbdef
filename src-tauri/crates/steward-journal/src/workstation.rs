//! Where the program runs, and as whom.

use std::sync::OnceLock;

use crate::redact;

/// The account of the operating system and the computer that something was done with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Workstation {
    /// The account's name; empty where the system does not tell, and in records of earlier versions.
    pub user: String,
    /// The computer's name; empty likewise.
    pub computer: String,
}

impl Workstation {
    /// This one.
    #[must_use]
    pub fn this() -> &'static Self {
        static THIS: OnceLock<Workstation> = OnceLock::new();
        THIS.get_or_init(|| Self {
            user: whoami::username().unwrap_or_default(),
            computer: whoami::hostname().unwrap_or_default(),
        })
    }

    /// The same without secrets.
    pub(crate) fn redacted(&self) -> Self {
        Self { user: redact::text(&self.user), computer: redact::text(&self.computer) }
    }
}
