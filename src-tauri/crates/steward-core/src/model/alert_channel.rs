//! Kinds of channels for alerts, which the policy of the organization names.

use serde::{Deserialize, Serialize};

/// Kind of a channel by which an alert reaches a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ChannelKind {
    /// Notification of the desktop.
    Desktop,
    /// Signed JSON, for programs of the organization.
    Webhook,
    /// Message to Slack or Mattermost.
    Slack,
    /// Card in Microsoft Teams.
    Teams,
    /// Mail.
    Mail,
    /// Regular sign that a plan runs, sent to a monitoring service that alerts if it is missing.
    Heartbeat,
}

impl ChannelKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Desktop, Self::Webhook, Self::Slack, Self::Teams, Self::Mail, Self::Heartbeat];

    /// Returns the name in the policy file and in the audit trail.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Webhook => "webhook",
            Self::Slack => "slack",
            Self::Teams => "teams",
            Self::Mail => "mail",
            Self::Heartbeat => "heartbeat",
        }
    }
}
