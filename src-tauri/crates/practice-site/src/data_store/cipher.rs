//! Encryption of secrets stored in the database: passwords in connection strings, and the attributes that a data store
//! item lists in `encryptAttributes`. Clients see the encrypted form, as on real servers.
//!
//! [`Cipher::prepare`] loads the key, [`Cipher::lock_item`] encrypts an item.

use crate::users_file::write_private;
use crate::wire::ApiError;
use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use serde_json::{Map, Value};
use std::path::Path;

/// Prefix of an encrypted text.
const MARK: &str = "{crypt}";
/// Prefix of the name of an encrypted entry in a connection string.
const LOCKED: &str = "ENCRYPTED_";
const NONCE: usize = 12;
const CONNECTION_STRINGS: [&str; 2] = ["connectionString", "connectionStringHA"];

/// Encryption with the site's key, which is not part of exports.
pub(crate) struct Cipher(ChaCha20Poly1305);

impl Cipher {
    /// Loads the key from `file`. Creates it if the file is missing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written, or does not contain a key.
    pub(crate) fn prepare(file: &Path) -> anyhow::Result<Cipher> {
        let key: [u8; 32] = if file.exists() {
            let key = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
            key.try_into().map_err(|_| anyhow::anyhow!("{} is damaged", file.display()))?
        } else {
            let mut key = [0; 32];
            getrandom::fill(&mut key).context("the operating system gave no randomness")?;
            write_private(file, &key)?;
            key
        };
        Ok(Cipher(ChaCha20Poly1305::new(&Key::from(key))))
    }

    /// Encrypts every secret of a data store item that is not encrypted yet.
    ///
    /// # Errors
    /// Code 500 if the encryption fails.
    pub(crate) fn lock_item(&self, item: &mut Value) -> Result<(), ApiError> {
        let to_lock: Vec<String> = named_secrets(item).collect();
        for path in to_lock {
            if let Some(Value::String(text)) = item.pointer_mut(&path) {
                self.lock_text(text)?;
            }
        }
        for name in CONNECTION_STRINGS {
            if let Some(Value::String(text)) = item["info"].get_mut(name) {
                *text = self.lock_connection(text)?;
            }
        }
        match &mut item["info"] {
            Value::Object(info) => self.lock_entries(info),
            _ => Ok(()),
        }
    }

    /// Returns why an encrypted secret of this item is unusable. `None` if all secrets can be decrypted with this
    /// site's key.
    pub(crate) fn unusable_secret(&self, item: &Value) -> Option<String> {
        let alone = named_secrets(item).filter_map(|path| {
            let locked = item.pointer(&path)?.as_str()?.strip_prefix(MARK)?;
            (!self.opens(locked)).then(|| path.trim_start_matches('/').replace('/', "."))
        });
        let in_connections = CONNECTION_STRINGS.iter().flat_map(|name| {
            let text = item["info"][*name].as_str().unwrap_or_default();
            text.split(';').filter_map(move |entry| {
                let (key, locked) = entry.split_once('=')?;
                (key.starts_with(LOCKED) && !self.opens(locked)).then(|| format!("{key} in {name}"))
            })
        });
        alone.chain(in_connections).next()
    }

    fn lock_connection(&self, text: &str) -> Result<String, ApiError> {
        if let Ok(Value::Object(mut entries)) = serde_json::from_str(text) {
            self.lock_entries(&mut entries)?;
            return Ok(Value::Object(entries).to_string());
        }
        let entries = text.split(';').map(|entry| match entry.split_once('=') {
            Some((key, secret)) if is_secret(key) => Ok(format!("{LOCKED}{key}={}", self.lock(secret)?)),
            _ => Ok(entry.to_owned()),
        });
        Ok(entries.collect::<Result<Vec<_>, ApiError>>()?.join(";"))
    }

    /// Encrypts entries with a secret name at any depth: connection strings of cloud stores are objects.
    fn lock_entries(&self, entries: &mut Map<String, Value>) -> Result<(), ApiError> {
        for (key, value) in entries {
            match value {
                Value::String(text) if is_secret(key) => self.lock_text(text)?,
                Value::Object(entries) => self.lock_entries(entries)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn lock_text(&self, text: &mut String) -> Result<(), ApiError> {
        if !text.is_empty() && !text.starts_with(MARK) {
            *text = format!("{MARK}{}", self.lock(text)?);
        }
        Ok(())
    }

    fn lock(&self, secret: &str) -> Result<String, ApiError> {
        let mut nonce = [0; NONCE];
        getrandom::fill(&mut nonce).context("the operating system gave no randomness")?;
        let locked = self.0.encrypt(&Nonce::from(nonce), secret.as_bytes());
        let locked = locked.map_err(|_| anyhow::anyhow!("a secret could not be encrypted"))?;
        Ok(URL_SAFE_NO_PAD.encode([nonce.as_slice(), &locked].concat()))
    }

    fn opens(&self, locked: &str) -> bool {
        let bytes = URL_SAFE_NO_PAD.decode(locked).unwrap_or_default();
        bytes
            .split_first_chunk::<NONCE>()
            .is_some_and(|(nonce, locked)| self.0.decrypt(&Nonce::from(*nonce), locked).is_ok())
    }
}

/// Returns JSON pointers to values that are secret as a whole: those listed by the item, and database passwords.
fn named_secrets(item: &Value) -> impl Iterator<Item = String> {
    let named = item["encryptAttributes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let whole = named.filter(|path| !CONNECTION_STRINGS.iter().any(|name| path.ends_with(name)));
    let pointers: Vec<String> = whole
        .chain(["info.JDBCConnection.password"])
        .map(|path| format!("/{}", path.replace('.', "/")))
        .collect();
    pointers.into_iter()
}

fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    !key.starts_with("encrypted_")
        && (key.starts_with("pass")
            || ["password", "pwd", "secret", "accountkey"].iter().any(|word| key.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn cipher() -> Cipher {
        let folder = tempfile::tempdir().unwrap();
        Cipher::prepare(&folder.path().join("key")).unwrap()
    }

    #[test]
    fn secrets_are_encrypted_once_and_require_the_same_key() {
        let ours = cipher();
        let mut item = json!({
            "encryptAttributes": ["info.connectionString", "info.token"],
            "info": {
                "token": "hush-1",
                "connectionString": "SERVER=db1;PASSWORD=hush-2;USER=gis",
                "connectionStringHA": r#"{"accessKeyId":"A","secretAccessKey":"hush-3"}"#,
                "JDBCConnection": { "username": "gis", "password": "hush-4" },
            },
        });
        ours.lock_item(&mut item).unwrap();
        let text = item.to_string();
        assert!(!text.contains("hush"), "{text}");
        assert!(text.contains("SERVER=db1;ENCRYPTED_PASSWORD=") && text.contains(";USER=gis"), "{text}");
        assert_eq!(ours.unusable_secret(&item), None);
        assert!(cipher().unusable_secret(&item).is_some());

        let once = item.clone();
        ours.lock_item(&mut item).unwrap();
        assert_eq!(item, once);
    }
}
