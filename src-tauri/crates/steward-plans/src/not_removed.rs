//! Sets that no rule keeps and that could not be removed: they take up space until a user does something.

use std::io::{Error, ErrorKind};

use serde::{Deserialize, Serialize};
use steward_core::model::numbers::Millis;

/// A set that could not be removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NotRemoved {
    /// Name of its folder; the path of the folder of the plan if none of its sets could be removed.
    pub name: String,
    /// Time when the first run began after which it could not be removed.
    pub since: Millis,
    /// Reason after the last run.
    pub why: WhyNotRemoved,
}

/// Reason why a set could not be removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WhyNotRemoved {
    /// The system does not allow changes of the folder or of one of its files.
    NotAllowed,
    /// Another program has a file open.
    InUse,
    /// A file is missing, or differs from what the app wrote.
    Changed,
    /// Another reason.
    Other {
        /// Message of the system.
        said: String,
    },
}

impl WhyNotRemoved {
    /// Returns the reason of an error.
    pub(crate) fn of(error: &Error) -> Self {
        match error.kind() {
            _ if is_in_use(error) => Self::InUse,
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Self::NotAllowed,
            ErrorKind::InvalidData | ErrorKind::NotFound => Self::Changed,
            _ => Self::Other { said: error.to_string() },
        }
    }

    /// Returns its name, for messages.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::NotAllowed => "notAllowed",
            Self::InUse => "inUse",
            Self::Changed => "changed",
            Self::Other { .. } => "other",
        }
    }
}

/// Returns whether an error means that another program has a file open. The errors of Windows are known by their code
/// only.
fn is_in_use(error: &Error) -> bool {
    const SHARING_VIOLATION: i32 = 32;
    const LOCK_VIOLATION: i32 = 33;
    error.kind() == ErrorKind::ResourceBusy
        || cfg!(windows) && matches!(error.raw_os_error(), Some(SHARING_VIOLATION | LOCK_VIOLATION))
}

/// Returns the sets that could not be removed after a run that began at `began`, of which those in `before` could not
/// be removed after earlier ones either.
pub(crate) fn since(
    failed: Vec<(String, WhyNotRemoved)>,
    before: &[NotRemoved],
    began: Millis,
) -> Vec<NotRemoved> {
    let failed = failed.into_iter().map(|(name, why)| {
        let since = before.iter().find(|one| one.name == name).map_or(began, |one| one.since);
        NotRemoved { name, since, why }
    });
    failed.collect()
}
