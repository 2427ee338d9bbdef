//! Checks the keyring by writing, reading, and deleting an entry.

use std::time::{Duration, Instant};

use steward_vault::{KeyringError, Secret, SecretStore};

use super::check_result::{Advice, Check, CheckResult, FactName, State};

/// Name of the entry. It is constant, so that the next check deletes what an interrupted one left.
const ENTRY: &str = "examination";

/// Time limit, because the user waits for the result.
const LIMIT: Duration = Duration::from_secs(20);

/// Duration above which the keyring delays every sign-in.
const SLUGGISH: Duration = Duration::from_secs(2);

pub(super) async fn check(vault: &dyn SecretStore) -> CheckResult {
    let finding = CheckResult::new(Check::Keyring).fact(FactName::Kind, keyring_name());
    let began = Instant::now();
    let answer = tokio::time::timeout(LIMIT, round_trip(vault))
        .await
        .unwrap_or(Err(Fault::Keyring(KeyringError::Slow)));
    let took = began.elapsed();
    let finding = finding.span(FactName::AnsweredIn, took.as_millis());
    match answer {
        Ok(()) if took > SLUGGISH => finding.say(State::Advice, Advice::KeyringIsSlow),
        Ok(()) => finding,
        Err(Fault::Changed) => finding.say(State::Trouble, Advice::KeyringRefuses),
        Err(Fault::Keyring(error)) => {
            let advice = match error {
                KeyringError::Absent(_) => Advice::InstallKeyring,
                KeyringError::Locked(_) => Advice::UnlockKeyring,
                KeyringError::Slow => Advice::KeyringIsSlow,
                KeyringError::Failed(_) | KeyringError::Gone => Advice::KeyringRefuses,
            };
            finding.fact(FactName::Said, crate::model::problem::causes(&error)).say(State::Trouble, advice)
        }
    }
}

enum Fault {
    Keyring(KeyringError),
    /// The value that was read differs from the one that was stored.
    Changed,
}

impl From<KeyringError> for Fault {
    fn from(error: KeyringError) -> Self {
        Self::Keyring(error)
    }
}

async fn round_trip(vault: &dyn SecretStore) -> Result<(), Fault> {
    let value = Secret::new(uuid::Uuid::new_v4().to_string());
    vault.set(ENTRY, value.clone()).await?;
    let found = vault.get(ENTRY).await?;
    vault.forget(ENTRY).await?;
    if found == Some(value) { Ok(()) } else { Err(Fault::Changed) }
}

/// Returns the name of the keyring of this system.
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
