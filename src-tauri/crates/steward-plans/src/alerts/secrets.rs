//! Addresses and passwords of channels, in the keyring.

use crate::plan::ChannelId;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use steward_core::model::problem::Problem;
use steward_vault::{Secret, SecretStore};

/// Secrets of a channel.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ChannelSecrets {
    /// Whole address; empty for mail.
    pub(super) address: String,
    /// Password of the mail server, or key to sign with; empty for none.
    pub(super) password: String,
}

impl ChannelSecrets {
    /// Reads those of a channel; `None` if there are none.
    pub(super) async fn read(vault: &dyn SecretStore, id: &ChannelId) -> Result<Option<Self>, Problem> {
        let stored: Option<Secret<String>> = vault.get(&entry(id)).await?;
        Ok(stored.and_then(|text| serde_json::from_str(text.expose()).ok()))
    }

    /// Stores those of a channel.
    pub(super) async fn store(&self, vault: &dyn SecretStore, id: &ChannelId) -> Result<(), Problem> {
        let text = serde_json::to_string(self).context("the secrets of a channel cannot be written down")?;
        Ok(vault.set(&entry(id), Secret::new(text)).await?)
    }

    /// Deletes those of a channel.
    pub(super) async fn forget(vault: &dyn SecretStore, id: &ChannelId) -> Result<(), Problem> {
        vault.forget(&entry(id)).await?;
        Ok(())
    }
}

fn entry(id: &ChannelId) -> String {
    format!("alerts/{}", id.0)
}
