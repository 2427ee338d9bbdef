//! Content of a policy.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::Url;

use crate::model::alert_channel::ChannelKind;
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
    /// Whether the audit trail is forwarded to a log server; `None` without a rule.
    pub forwarding: Option<ForwardingRule>,
    /// The only hosts that it can be forwarded to; `None` for any.
    pub forwarding_hosts: Option<Vec<String>>,
    /// Whether backup plans are allowed; `None` without a rule.
    pub plans: Option<PlansRule>,
    /// The folder that backup sets must lie in; `None` for any.
    pub plans_folder: Option<PathBuf>,
    /// Whether alerts are sent; `None` without a rule.
    pub alerts: Option<AlertsRule>,
    /// The only channels of alerts; `None` for all.
    pub alert_channels: Option<Vec<ChannelKind>>,
    /// The only hosts that alerts can be sent to; `None` for any.
    pub alert_hosts: Option<Vec<String>>,
    /// Faults of the file; empty if it is valid.
    pub faults: Vec<PolicyFault>,
}

/// Whether backup plans are allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum PlansRule {
    /// Users can create backup plans.
    #[default]
    Allowed,
    /// Backup plans can neither be saved nor run.
    Forbidden,
}

/// Whether alerts of backup plans are sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum AlertsRule {
    /// The user chooses the channels.
    #[default]
    Allowed,
    /// Each enabled plan needs a channel besides the desktop.
    Required,
    /// No alerts are sent.
    Forbidden,
}

/// Whether the audit trail is forwarded to a log server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ForwardingRule {
    /// The user decides whether the audit trail is forwarded.
    #[default]
    Allowed,
    /// The user cannot turn forwarding off.
    Required,
    /// The audit trail is not forwarded.
    Forbidden,
}

/// Fault of the policy file.
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
    /// Whether backup plans are allowed.
    pub plans: PlansRule,
    /// Folder that must contain all backup sets; `null` for any.
    pub plans_folder: Option<String>,
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
            forwarding: None,
            forwarding_hosts: None,
            plans: None,
            plans_folder: None,
            alerts: None,
            alert_channels: None,
            alert_hosts: None,
            faults: Vec::new(),
        }
    }
}

impl Policy {
    /// Returns the policy for the window; `None` if there is no file.
    #[must_use]
    pub fn view(&self) -> Option<PolicyView> {
        let file = self.file.as_ref()?.display().to_string();
        Some(PolicyView {
            file,
            locked: self.locked.settings(),
            plans: self.plans_rule(),
            plans_folder: self.plans_folder.as_ref().map(|folder| folder.display().to_string()),
            faults: self.faults.clone(),
        })
    }

    /// Returns whether the audit trail is forwarded. A faulty file without an earlier valid version forbids it.
    #[must_use]
    pub fn forwarding_rule(&self) -> ForwardingRule {
        let usual = if self.faults.is_empty() { ForwardingRule::Allowed } else { ForwardingRule::Forbidden };
        self.forwarding.unwrap_or(usual)
    }

    /// Returns whether the audit trail can be forwarded to a host.
    #[must_use]
    pub fn allows_forwarding_to(&self, host: &str) -> bool {
        let hosts = self.forwarding_hosts.as_ref();
        self.forwarding_rule() != ForwardingRule::Forbidden
            && hosts.is_none_or(|hosts| hosts.iter().any(|one| one == host))
    }

    /// Returns whether backup plans are allowed. A faulty file without an earlier valid version allows none.
    #[must_use]
    pub fn plans_rule(&self) -> PlansRule {
        let usual = if self.faults.is_empty() { PlansRule::Allowed } else { PlansRule::Forbidden };
        self.plans.unwrap_or(usual)
    }

    /// Returns whether the sets of a plan can be stored in a folder.
    #[must_use]
    pub fn allows_set_folder(&self, folder: &Path) -> bool {
        let Some(allowed) = &self.plans_folder else { return true };
        // Links in the paths could lead elsewhere. A folder that does not exist cannot be resolved, and is not allowed.
        let real = |path: &Path| path.canonicalize();
        match (real(allowed), real(folder)) {
            (Ok(allowed), Ok(folder)) => folder.starts_with(allowed),
            _ => false,
        }
    }

    /// Returns whether alerts are sent. A faulty file without an earlier valid version allows none.
    #[must_use]
    pub fn alerts_rule(&self) -> AlertsRule {
        let usual = if self.faults.is_empty() { AlertsRule::Allowed } else { AlertsRule::Forbidden };
        self.alerts.unwrap_or(usual)
    }

    /// Returns whether alerts can be sent by a kind of channel.
    #[must_use]
    pub fn allows_channel(&self, kind: ChannelKind) -> bool {
        self.alerts_rule() != AlertsRule::Forbidden
            && self.alert_channels.as_ref().is_none_or(|channels| channels.contains(&kind))
    }

    /// Returns whether alerts can be sent to a host by a kind of channel.
    #[must_use]
    pub fn allows_alerts_by(&self, kind: ChannelKind, host: &str) -> bool {
        let hosts = self.alert_hosts.as_ref();
        self.allows_channel(kind) && hosts.is_none_or(|hosts| hosts.iter().any(|one| one == host))
    }
}
