//! What a policy has.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use url::Url;

use crate::settings::preferences::{Choices, Setting};

/// Policy of the organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Path of the file; `None` if there is none.
    pub file: Option<PathBuf>,
    /// Settings that apply until a user chooses.
    pub defaults: Choices,
    /// Settings that a user cannot change.
    pub locked: Choices,
    /// Client IDs for sign-in with the browser, by portal. They apply in place of those that a user enters.
    pub client_ids: BTreeMap<Url, String>,
    /// Whether a user can check for updates.
    pub updates: bool,
    /// Faults of the file; empty if it is valid.
    pub faults: Vec<PolicyFault>,
}

/// A fault of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum PolicyFault {
    /// The file cannot be read.
    Unreadable {
        /// Message of the system or the parser.
        said: String,
    },
    /// A key is unknown: misspelled, or from a newer version.
    UnknownKey {
        /// Key with its section, for example `locked.them`.
        key: String,
    },
    /// A value is invalid.
    BadValue {
        /// Key with its section, for example `locked.theme`.
        key: String,
        /// Reason why it is invalid.
        said: String,
    },
}

/// The policy, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PolicyView {
    /// Path of the file.
    pub file: String,
    /// Settings that are managed by the organization.
    pub locked: Vec<Setting>,
    /// Faults of the file; empty if it is valid.
    pub faults: Vec<PolicyFault>,
}

impl Default for Policy {
    /// Returns a policy without settings, which allows updates.
    fn default() -> Self {
        Self {
            file: None,
            defaults: Choices::default(),
            locked: Choices::default(),
            client_ids: BTreeMap::new(),
            updates: true,
            faults: Vec::new(),
        }
    }
}

impl Policy {
    /// Returns the policy for the window; `None` if there is no file.
    #[must_use]
    pub fn view(&self) -> Option<PolicyView> {
        let file = self.file.as_ref()?.display().to_string();
        Some(PolicyView { file, locked: self.locked.settings(), faults: self.faults.clone() })
    }
}
