//! Secrets of data store items: passwords in connection strings, and the attributes that an item lists in
//! `encryptAttributes`.
//!
//! Real servers encrypt them. This site never connects to a data store, so it keeps no secret: a random text takes its
//! place, in the form of an encrypted one.

use crate::wire::ApiError;
use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

/// Prefix of an encrypted text.
const MARK: &str = "{crypt}";
/// Prefix of the name of an encrypted entry in a connection string.
const ENCRYPTED: &str = "ENCRYPTED_";
/// Length of an encrypted text before its encoding, in bytes.
const LENGTH: usize = 48;
const CONNECTION_STRINGS: [&str; 2] = ["connectionString", "connectionStringHA"];

/// Replaces every secret of a data store item that does not look encrypted.
pub(crate) fn replace_secrets(item: &mut Value) -> Result<(), ApiError> {
    let named: Vec<String> = named_secrets(item).collect();
    for path in named {
        if let Some(Value::String(text)) = item.pointer_mut(&path) {
            replace_text(text)?;
        }
    }
    for name in CONNECTION_STRINGS {
        if let Some(Value::String(text)) = item["info"].get_mut(name) {
            *text = without_secrets(text)?;
        }
    }
    match &mut item["info"] {
        Value::Object(info) => replace_entries(info),
        _ => Ok(()),
    }
}

fn without_secrets(connection: &str) -> Result<String, ApiError> {
    if let Ok(Value::Object(mut entries)) = serde_json::from_str(connection) {
        replace_entries(&mut entries)?;
        return Ok(Value::Object(entries).to_string());
    }
    let entries = connection.split(';').map(|entry| match entry.split_once('=') {
        Some((key, _)) if is_secret(key) => Ok(format!("{ENCRYPTED}{key}={}", random_text()?)),
        _ => Ok(entry.to_owned()),
    });
    Ok(entries.collect::<Result<Vec<_>, ApiError>>()?.join(";"))
}

/// Replaces entries with a secret name at any depth: connection strings of cloud stores are objects.
fn replace_entries(entries: &mut Map<String, Value>) -> Result<(), ApiError> {
    for (key, value) in entries {
        match value {
            Value::String(text) if is_secret(key) => replace_text(text)?,
            Value::Object(entries) => replace_entries(entries)?,
            _ => {}
        }
    }
    Ok(())
}

fn replace_text(text: &mut String) -> Result<(), ApiError> {
    if !text.is_empty() && !text.starts_with(MARK) {
        *text = format!("{MARK}{}", random_text()?);
    }
    Ok(())
}

fn random_text() -> Result<String, ApiError> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).context("the operating system gave no randomness")?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
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

    #[test]
    fn secrets_are_replaced_once() {
        let mut item = json!({
            "encryptAttributes": ["info.connectionString", "info.token"],
            "info": {
                "token": "hush-1",
                "connectionString": "SERVER=db1;PASSWORD=hush-2;USER=gis",
                "connectionStringHA": r#"{"accessKeyId":"A","secretAccessKey":"hush-3"}"#,
                "JDBCConnection": { "username": "gis", "password": "hush-4" },
            },
        });
        replace_secrets(&mut item).unwrap();
        let text = item.to_string();
        assert!(!text.contains("hush"), "{text}");
        assert!(text.contains("SERVER=db1;ENCRYPTED_PASSWORD=") && text.contains(";USER=gis"), "{text}");

        let once = item.clone();
        replace_secrets(&mut item).unwrap();
        assert_eq!(item, once);
    }
}
