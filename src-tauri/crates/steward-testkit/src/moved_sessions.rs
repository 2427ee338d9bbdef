//! Sessions of a site that a test has moved behind a proxy.

use futures_util::FutureExt;
use steward_vault::{MemoryStore, Secret, SecretStore};

/// Makes the stored tokens and passwords of the portal and the first server of a site those of `origin`: the app sends them to the
/// host only that they are of. Those without an origin stay so.
///
/// # Panics
/// If an entry is not a JSON object.
#[expect(clippy::unwrap_used, reason = "the keyring of a test has what the app stored")]
pub fn move_sessions(vault: &MemoryStore, site: &str, origin: &str) {
    for entry in ["portal", "password", "server/server", "server/server/password"] {
        let name = format!("{site}/{entry}");
        let Some(Ok(Some(kept))) = vault.get(&name).now_or_never() else { continue };
        let mut kept: serde_json::Value = serde_json::from_str(kept.expose()).unwrap();
        let Some(own) = kept.get_mut("origin").filter(|own| own.is_string()) else { continue };
        *own = origin.into();
        vault.set(&name, Secret::new(kept.to_string())).now_or_never().unwrap().unwrap();
    }
}
