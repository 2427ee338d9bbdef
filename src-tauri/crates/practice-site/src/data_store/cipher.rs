//! The lock on secrets that rest in the database: passwords in connection strings, and whatever an item says is to
//! be encrypted. What a caller sees is the locked form, as real servers show it.

use crate::users_file::write_private;
use crate::wire::Refusal;
use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::aead::{Aead as _, KeyInit as _};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use serde_json::{Map, Value};
use std::path::Path;

/// Before a locked text that stands alone.
const MARK: &str = "{crypt}";
/// Before the name of a locked entry of a connection string.
const LOCKED: &str = "ENCRYPTED_";
const NONCE: usize = 12;
const CONNECTION_STRINGS: [&str; 2] = ["connectionString", "connectionStringHA"];

/// This site's key, which is in no export.
pub(crate) struct Cipher(ChaCha20Poly1305);

impl Cipher {
    /// The key in `file`, made when it is not there.
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

    /// Locks every secret of a data item that is not locked yet.
    pub(crate) fn lock_item(&self, item: &mut Value) -> Result<(), Refusal> {
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

    /// What is wrong with a locked secret of this item: one that another site locked cannot be used here.
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

    fn lock_connection(&self, text: &str) -> Result<String, Refusal> {
        if let Ok(Value::Object(mut entries)) = serde_json::from_str(text) {
            self.lock_entries(&mut entries)?;
            return Ok(Value::Object(entries).to_string());
        }
        let entries = text.split(';').map(|entry| match entry.split_once('=') {
            Some((key, secret)) if is_secret(key) => Ok(format!("{LOCKED}{key}={}", self.lock(secret)?)),
            _ => Ok(entry.to_owned()),
        });
        Ok(entries.collect::<Result<Vec<_>, Refusal>>()?.join(";"))
    }

    /// Whatever is called like a secret, at any depth: the connection strings of cloud stores are objects.
    fn lock_entries(&self, entries: &mut Map<String, Value>) -> Result<(), Refusal> {
        for (key, value) in entries {
            match value {
                Value::String(text) if is_secret(key) => self.lock_text(text)?,
                Value::Object(entries) => self.lock_entries(entries)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn lock_text(&self, text: &mut String) -> Result<(), Refusal> {
        if !text.is_empty() && !text.starts_with(MARK) {
            *text = format!("{MARK}{}", self.lock(text)?);
        }
        Ok(())
    }

    fn lock(&self, secret: &str) -> Result<String, Refusal> {
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

/// JSON pointers to what is a secret as a whole: what the item itself names, and the password of a database.
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
    fn every_form_of_a_secret_is_locked_once_and_opens_with_the_same_key_only() {
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
