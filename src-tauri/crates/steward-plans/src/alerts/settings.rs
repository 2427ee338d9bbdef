//! Channels of alerts in the settings of the app: shown, saved, deleted, and tried.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use steward_core::access::Access;
use steward_core::files::JsonStore;
use steward_core::history::record::History;
use steward_core::model::alert_channel::ChannelKind;
use steward_core::model::problem::{FieldError, Problem};
use steward_core::model::retry_policy::RetryPolicy;
use steward_core::settings::policy::{AlertsRule, Policy};
use steward_core::site_context::SiteContext;

use super::channel::{AlertChannel, AlertSettings, ChannelForm};
use super::desktop::Desktop;
use super::fault::AlertFault;
use super::secrets::ChannelSecrets;
use super::send::{AlertSender, desktop_channel};
use super::state::{AlertStore, Delivery};
use crate::plan::ChannelId;

/// Name of the file.
pub(crate) const FILE: &str = "alerts.json";

/// Name of alerts in the audit trail if the policy does not allow a channel.
const ALERTS: &str = "alerts";

/// Saved channels, and the data folder, which has the results of their last alerts.
pub struct AlertChannels {
    kept: JsonStore<AlertSettings>,
    data_folder: PathBuf,
}

/// Channels, as shown in the window, with the rules of the organization.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct AlertsView {
    /// Saved channels.
    pub channels: Vec<ChannelView>,
    /// Last alert as a desktop notification; `null` if there was none.
    pub desktop: Option<Delivery>,
    /// Kinds of channels that the policy of the organization allows.
    pub allowed: Vec<ChannelKind>,
    /// Hosts that the policy allows; `null` for any.
    pub hosts: Option<Vec<String>>,
    /// Whether each plan needs a channel besides the desktop.
    pub is_required: bool,
}

/// A channel, as shown in the window.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ChannelView {
    /// Channel.
    pub channel: AlertChannel,
    /// Whether the policy of the organization allows its kind and its host.
    pub is_allowed: bool,
    /// Last alert through the channel; `null` if there was none.
    pub last: Option<Delivery>,
}

/// Channel that a test alert is sent through.
#[derive(Clone, Deserialize, specta::Type)]
#[serde(tag = "kind", content = "form", rename_all = "camelCase")]
pub enum TestedChannel {
    /// The desktop.
    Desktop,
    /// A channel as entered in the form, saved or not.
    Channel(Box<ChannelForm>),
}

impl AlertChannels {
    /// Opens the channels of a data folder.
    #[must_use]
    pub fn open(data_folder: &Path) -> Self {
        let kept = JsonStore::open(data_folder.join(FILE)).noted();
        Self { kept, data_folder: data_folder.to_owned() }
    }

    /// Reads the channels for the runner, which does not write them.
    pub(crate) fn read(data_folder: &Path) -> AlertSettings {
        JsonStore::open_read_only(data_folder.join(FILE)).get()
    }

    /// Returns the saved channels.
    #[must_use]
    pub fn settings(&self) -> AlertSettings {
        self.kept.get()
    }

    /// Sets the language of alerts: that of the window.
    pub fn speak(&self, language: &str) {
        self.kept.change(|kept| language.clone_into(&mut kept.language));
    }

    /// Returns the channels for the window.
    #[must_use]
    pub fn view(&self, policy: &Policy) -> AlertsView {
        let mut last = AlertStore::deliveries(&self.data_folder);
        let channels = self.kept.get().channels.into_iter().map(|channel| ChannelView {
            is_allowed: policy.allows_alerts_by(channel.means.kind(), &channel.means.host()),
            last: last.remove(&channel.id),
            channel,
        });
        AlertsView {
            channels: channels.collect(),
            desktop: last.remove(&desktop_channel()),
            allowed: ChannelKind::ALL.into_iter().filter(|kind| policy.allows_channel(*kind)).collect(),
            hosts: policy.alert_hosts.clone(),
            is_required: policy.alerts_rule() == AlertsRule::Required,
        }
    }

    /// Saves a channel, and its secrets in the keyring.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a field is invalid, or the policy of the organization does not allow the channel.
    /// - [`Problem::Keyring`] if the keyring cannot be written.
    /// - [`Problem::File`] if the channels cannot be written.
    pub async fn save(
        &self,
        context: &SiteContext,
        policy: &Policy,
        form: ChannelForm,
    ) -> Result<AlertsView, Problem> {
        let SiteContext { access, history, .. } = context;
        let (channel, secrets) = self.checked(access, form).await?;
        let is_taken = |other: &AlertChannel| other.id != channel.id && other.name == channel.name;
        let others = self.kept.get().channels;
        if others.iter().any(is_taken) {
            return Err(Problem::form("name", FieldError::NameTaken));
        }
        allowed(policy, history, &channel).await?;
        secrets.store(access.vault(), &channel.id).await?;
        self.kept.try_change(|kept| {
            match kept.channels.iter_mut().find(|saved| saved.id == channel.id) {
                Some(saved) => *saved = channel,
                None => kept.channels.push(channel),
            }
            Ok(())
        })?;
        Ok(self.view(policy))
    }

    /// Deletes a channel and its secrets. Alerts of a plan that still names it fail with [`AlertFault::NotThere`].
    ///
    /// # Errors
    /// - [`Problem::Keyring`] if the keyring cannot be written.
    /// - [`Problem::File`] if the channels cannot be written.
    pub async fn delete(
        &self,
        context: &SiteContext,
        policy: &Policy,
        id: &ChannelId,
    ) -> Result<AlertsView, Problem> {
        ChannelSecrets::forget(context.access.vault(), id).await?;
        self.kept.try_change(|kept| {
            kept.channels.retain(|channel| channel.id != *id);
            Ok(())
        })?;
        Ok(self.view(policy))
    }

    /// Sends a test by a channel, and returns why it did not arrive; `None` if the receiver took it.
    ///
    /// # Errors
    /// - [`Problem::Form`] if a field is invalid, or the policy of the organization does not allow the channel.
    /// - [`Problem::Keyring`] if a stored secret cannot be read.
    pub async fn test(
        &self,
        context: &SiteContext,
        policy: &Policy,
        desktop: &dyn Desktop,
        tested: TestedChannel,
    ) -> Result<Option<AlertFault>, Problem> {
        let SiteContext { access, history, .. } = context;
        let settings = self.settings();
        // No repetitions: a user waits for the result.
        let retry_policy = RetryPolicy::none();
        let sender = AlertSender { access, history, policy, settings: &settings, desktop, retry_policy };
        let form = match tested {
            TestedChannel::Desktop => return Ok(sender.test_desktop().await.err()),
            TestedChannel::Channel(form) => *form,
        };
        let (channel, secrets) = self.checked(access, form).await?;
        allowed(policy, history, &channel).await?;
        Ok(sender.test(&channel, &secrets).await.err())
    }

    async fn checked(
        &self,
        access: &Access,
        form: ChannelForm,
    ) -> Result<(AlertChannel, ChannelSecrets), Problem> {
        let id = form.id.clone().unwrap_or_else(|| ChannelId(uuid::Uuid::new_v4().to_string()));
        let saved = self.kept.get().channels.into_iter().find(|channel| channel.id == id);
        let before = match &saved {
            // The keyring is not read if the form has all secrets.
            Some(saved) if form.address.is_none() || form.password.is_none() => {
                Some((saved, ChannelSecrets::read(access.vault(), &id).await?.unwrap_or_default()))
            }
            _ => None,
        };
        form.checked(id, before)
    }
}

/// Checks whether the policy allows a channel, and tells the audit trail if it does not.
async fn allowed(policy: &Policy, history: &History, channel: &AlertChannel) -> Result<(), Problem> {
    let (kind, host) = (channel.means.kind(), channel.means.host());
    if policy.allows_alerts_by(kind, &host) {
        return Ok(());
    }
    history.refused_by_policy(ALERTS, None).await;
    let field = match (policy.allows_channel(kind), kind) {
        (false, _) => "kind",
        (true, ChannelKind::Mail) => "host",
        (true, _) => "address",
    };
    Err(Problem::form(field, FieldError::NotAllowed))
}
