//! The keyring: keeps an entry for a moment.

use std::time::{Duration, Instant};

use steward_vault::{Secret, SecretStore, VaultError};

use super::check_result::{Advice, Check, FactName, Finding, State};
use crate::host::Host;

/// The entry's name. Always the same: what an examination that was broken off left behind, the next one forgets.
const ENTRY: &str = "examination";

/// A person is waiting for the findings.
const LIMIT: Duration = Duration::from_secs(20);

/// A keyring that takes longer is felt at every sign-in.
const SLUGGISH: Duration = Duration::from_secs(2);

pub(super) async fn examine(host: &Host) -> Finding {
    let finding = Finding::new(Check::Keyring).fact(FactName::Kind, keyring_name());
    let began = Instant::now();
    let answer = tokio::time::timeout(LIMIT, round_trip(host.vault()))
        .await
        .unwrap_or(Err(Fault::Vault(VaultError::Slow)));
    let took = began.elapsed();
    let finding = finding.span(FactName::AnsweredIn, took.as_millis());
    match answer {
        Ok(()) if took > SLUGGISH => finding.say(State::Advice, Advice::KeyringIsSlow),
        Ok(()) => finding,
        Err(Fault::Changed) => finding.say(State::Trouble, Advice::KeyringRefuses),
        Err(Fault::Vault(error)) => {
            let advice = match error {
                VaultError::Absent(_) => Advice::InstallKeyring,
                VaultError::Locked(_) => Advice::UnlockKeyring,
                VaultError::Slow => Advice::KeyringIsSlow,
                VaultError::Failed(_) | VaultError::Gone => Advice::KeyringRefuses,
            };
            finding.fact(FactName::Said, crate::model::problem::causes(&error)).say(State::Trouble, advice)
        }
    }
}

enum Fault {
    Vault(VaultError),
    /// What came back is not what was stored.
    Changed,
}

impl From<VaultError> for Fault {
    fn from(error: VaultError) -> Self {
        Self::Vault(error)
    }
}

async fn round_trip(vault: &dyn SecretStore) -> Result<(), Fault> {
    let value = Secret::new(uuid::Uuid::new_v4().to_string());
    vault.set(ENTRY, value.clone()).await?;
    let found = vault.get(ENTRY).await?;
    vault.forget(ENTRY).await?;
    if found == Some(value) { Ok(()) } else { Err(Fault::Changed) }
}

/// Returns the name of the store that keeps tokens on this system.
#[must_use]
pub const fn keyring_name() -> &'static str {
    if cfg!(windows) {
        "Windows Credential Manager"
    } else if cfg!(target_os = "macos") {
        "macOS Keychain"
    } else {
        "Secret Service"
    }
}
