//! Data store items, with secrets masked.
//!
//! [`DataStoreItem::of`] reads an item of any shape. Secrets are masked as in the history ([`redact`]), and by the paths
//! that the site lists in `encryptAttributes`. Only [`DataStoreItem::secrets`] returns them.

use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::Value;
use steward_redact as redact;
use steward_redact::masks::{hides_a_part, is_mask};

use crate::model::ancestors::Ancestors;
use crate::model::numbers::Millis;

/// Text that replaces a secret.
pub(crate) const MASK: &str = "••••••";

/// A data store item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DataStoreItem {
    /// Identifier of the item, as returned by the site; may be empty.
    pub id: String,
    /// Name; the last part of the path where the site gives none.
    pub name: String,
    /// Path within the data store.
    pub path: String,
    /// Type as returned by the site, for example `egdb` or `folder`.
    pub r#type: String,
    /// Provider, as returned by the site.
    pub provider: String,
    /// Description, as returned by the site.
    pub description: String,
    /// Revision, as returned by the site.
    pub revision: String,
    /// Value of `systemManaged`; `null` if the site does not return it.
    pub system_managed: Option<bool>,
    /// Value of `isManaged`; `null` if the site does not return it.
    pub is_managed: Option<bool>,
    /// Values of `purposes`, from the item or from its `info`; empty if the site returns none.
    pub purposes: Vec<String>,
    /// Machines that host it.
    pub machines: Vec<DataMachine>,
    /// Time of registration. The specification names no unit; deployments return milliseconds since 1970.
    pub created: Option<Millis>,
    /// Time of the last change.
    pub modified: Option<Millis>,
    /// All values of the item, by dotted path.
    pub info: Vec<NameValue>,
}

/// A machine that hosts a data store item. Texts are as returned by the site, and may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DataMachine {
    /// Host name of the machine.
    pub name: String,
    /// Port of the database; `null` if the site does not return one.
    pub db_port: Option<u32>,
    /// Operating system of the machine.
    pub platform: String,
    /// Role of the machine in the data store.
    pub role: String,
}

/// One value of an item, with its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct NameValue {
    /// Dotted path, for example `info.dbType`.
    pub name: String,
    /// Value as text. Secrets are masked, except in the result of [`DataStoreItem::secrets`].
    pub value: String,
    /// Whether the value contains a secret.
    pub secret: bool,
}

impl DataStoreItem {
    /// Reads an item. Any field may be missing or of another type.
    #[must_use]
    pub fn of(item: &Value) -> Self {
        let info_values = values(item, Secrets::Masked, |_| true);
        let item = &concealed(item);
        let info = &item["info"];
        Self {
            id: shown(&item["id"]),
            name: name(item),
            path: shown(&item["path"]),
            r#type: shown(&item["type"]),
            provider: shown(first(&item["provider"], &info["provider"])),
            description: shown(&item["description"]),
            revision: shown(&item["revision"]),
            system_managed: yes_or_no(first(&item["systemManaged"], &info["systemManaged"])),
            is_managed: yes_or_no(&info["isManaged"]),
            purposes: texts(first(&item["purposes"], &info["purposes"])),
            machines: list(&info["machines"]).iter().map(DataMachine::of).collect(),
            created: number(&item["meta"]["created"]).map(Millis),
            modified: number(&item["meta"]["modified"]).map(Millis),
            info: info_values,
        }
    }

    /// Returns the path of a value in which the site returned a mask in place of a secret; `None` if there is none. If
    /// the item were sent back, the mask would replace the secret.
    #[must_use]
    pub(crate) fn masked_by_site(item: &Value) -> Option<String> {
        let masked =
            each_value(item, Secrets::Open, &mut |value| match hides_a_secret(&value.value, value.secret) {
                true => ControlFlow::Break(value.name),
                false => ControlFlow::Continue(()),
            });
        masked.break_value()
    }

    /// Returns the values of an item that contain secrets, unmasked, for a user who reveals the secrets of one item.
    #[must_use]
    pub fn secrets(item: &Value) -> Vec<NameValue> {
        values(item, Secrets::Open, |value| value.secret)
    }
}

/// Returns whether a value is a mask, or has one in place of a secret. `is_secret` is whether the value is known to be
/// secret.
fn hides_a_secret(text: &str, is_secret: bool) -> bool {
    if is_secret && is_mask(text) {
        return true;
    }
    if let Ok(inside @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
        return DataStoreItem::masked_by_site(&inside).is_some();
    }
    let is_masked_pair = |pair: &str| {
        pair.split_once('=').is_some_and(|(name, value)| {
            let value = value.trim().trim_matches(['"', '\'']);
            redact::is_secret(name.trim()) && is_mask(value)
        })
    };
    text.split([';', '&', '?', '\n']).any(is_masked_pair)
        || text.split([' ', ',']).any(is_masked_pair)
        || (text.contains("://") && hides_a_part(text))
}

/// Returns an item with its secrets masked, in the shape that the site returned.
pub(crate) fn concealed(item: &Value) -> Value {
    let mut item = item.clone();
    let encrypted = EncryptedPaths::of(&item["encryptAttributes"]);
    conceal("", &mut item, false, &encrypted);
    item
}

fn conceal(path: &str, value: &mut Value, is_secret: bool, encrypted: &EncryptedPaths) {
    match value {
        Value::Object(fields) => {
            let named = redact::named_value(fields).map(str::to_owned);
            for (name, field) in fields {
                let path = below(path, name);
                let is_secret = is_secret || is_secret_at(&path, name, named.as_deref(), encrypted);
                conceal(&path, field, is_secret, encrypted);
            }
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|one| conceal(path, one, is_secret, encrypted));
        }
        Value::Null | Value::Bool(_) => {}
        Value::String(_) | Value::Number(_) => {
            if let (masked, true) = masked(&text(value), is_secret) {
                *value = Value::String(masked);
            }
        }
    }
}

/// Returns the name of an item, or the last part of its path if it has no name.
fn name(item: &Value) -> String {
    name_or_path(shown(&item["name"]), &shown(&item["path"]))
}

/// Returns `name`, or the last part of `path` if `name` is empty.
pub(super) fn name_or_path(name: String, path: &str) -> String {
    if !name.is_empty() {
        return name;
    }
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
}

/// Returns a value as text, with secrets masked.
pub(super) fn shown(value: &Value) -> String {
    steward_client::shown(masked(&text(value), false).0)
}

/// Returns a whole number, which some sites return as a string; `None` for anything else.
pub(super) fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}

/// Returns a Boolean, which some sites return as a string; `None` for anything else.
pub(super) fn yes_or_no(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(answer) => Some(*answer),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => None,
    }
}

impl DataMachine {
    fn of(machine: &Value) -> Self {
        Self {
            name: text(&machine["name"]),
            db_port: number(&machine["dbPort"]).and_then(|port| u32::try_from(port).ok()),
            platform: text(&machine["platform"]),
            role: text(&machine["role"]),
        }
    }
}

/// Whether the secrets among the values are masked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Secrets {
    Masked,
    Open,
}

/// Limit of the values of an item with their paths, in bytes. Each value repeats its path: an item with long names and
/// many short values would otherwise need a thousand times its size.
const MOST_VALUES: usize = 1024 * 1024;

/// Limit of a path, in bytes.
const LONGEST_PATH: usize = 512;

/// Returns the values of an item that are `wanted`, up to the limit. A last value named `…` shows that others were left
/// out.
fn values(item: &Value, secrets: Secrets, wanted: impl Fn(&NameValue) -> bool) -> Vec<NameValue> {
    let (mut values, mut bytes) = (Vec::new(), 0);
    let ended = each_value(item, secrets, &mut |value| {
        if wanted(&value) {
            bytes += size_of::<NameValue>() + value.name.len() + value.value.len();
            if bytes > MOST_VALUES && !values.is_empty() {
                return ControlFlow::Break(());
            }
            values.push(value);
        }
        ControlFlow::Continue(())
    });
    if ended.is_break() {
        values.push(NameValue { name: "…".to_owned(), value: String::new(), secret: false });
    }
    values
}

/// Passes every value of an item with its dotted path to `each`, until that ends it.
fn each_value<B>(
    item: &Value,
    secrets: Secrets,
    each: &mut dyn FnMut(NameValue) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let encrypted = EncryptedPaths::of(&item["encryptAttributes"]);
    flatten("", item, false, &encrypted, secrets, each)
}

/// Passes every value below `value` with its dotted path to `each`. `is_secret` is whether a value above is secret, and
/// `encrypted` are the paths that the site lists as encrypted.
fn flatten<B>(
    path: &str,
    value: &Value,
    is_secret: bool,
    encrypted: &EncryptedPaths,
    secrets: Secrets,
    each: &mut dyn FnMut(NameValue) -> ControlFlow<B>,
) -> ControlFlow<B> {
    match value {
        Value::Object(fields) => {
            let named = redact::named_value(fields);
            for (name, field) in fields {
                let path = below(path, name);
                let is_secret = is_secret || is_secret_at(&path, name, named, encrypted);
                flatten(&path, field, is_secret, encrypted, secrets, each)?;
            }
        }
        Value::Array(elements)
            if elements.iter().any(|element| element.is_object() || element.is_array()) =>
        {
            for (index, element) in elements.iter().enumerate() {
                let path = bounded(format!("{path}[{index}]"));
                flatten(&path, element, is_secret, encrypted, secrets, each)?;
            }
        }
        _ => {
            let plain = text(value);
            // As in the history, a Boolean is no secret: it only shows whether something is set.
            let (masked, secret) = masked(&plain, is_secret && !value.is_boolean());
            let value = if secrets == Secrets::Open { plain } else { steward_client::shown(masked) };
            each(NameValue { name: path.to_owned(), value, secret })?;
        }
    }
    ControlFlow::Continue(())
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { bounded(name.to_owned()) } else { bounded(format!("{path}.{name}")) }
}

/// Returns a path, or its beginning if it is too long.
fn bounded(path: String) -> String {
    match path.len() > LONGEST_PATH {
        true => format!("{}…", &path[..path.floor_char_boundary(LONGEST_PATH)]),
        false => path,
    }
}

/// Returns whether all that is in a field is secret: by its name, by the object's field that names it, or by the site's
/// `encryptAttributes`. Of a connection string, only some parts are.
fn is_secret_at(path: &str, name: &str, named: Option<&str>, encrypted: &EncryptedPaths) -> bool {
    encrypted.has(path) || (redact::is_secret(name) && !redact::is_connection(name)) || named == Some(name)
}

/// Paths that the site lists as encrypted in the `encryptAttributes` of an item.
pub(crate) struct EncryptedPaths(Ancestors<String>);

impl EncryptedPaths {
    pub(crate) fn of(attributes: &Value) -> Self {
        let paths = texts(attributes).into_iter().map(|path| bounded(without_numbers(&path)));
        Self(Ancestors::of('.', paths.collect()))
    }

    /// Returns whether the site lists a path, or an ancestor of it, ignoring indexes: `info.machines[1].name` is below
    /// `info.machines`.
    pub(crate) fn has(&self, path: &str) -> bool {
        !self.0.is_empty() && self.0.has(&without_numbers(path))
    }
}

fn without_numbers(path: &str) -> String {
    let parts = path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
    parts.collect()
}

/// Masks the secrets of a text: all of it if `whole`, or those that are recognized in it.
///
/// The second value is whether anything was masked.
pub(super) fn masked(text: &str, whole: bool) -> (String, bool) {
    if whole && !text.is_empty() {
        return (MASK.to_owned(), true);
    }
    match redact::text(text) {
        kept if kept == text => (kept, false),
        kept => (kept.replace(redact::MASK, MASK), true),
    }
}

fn first<'a>(one: &'a Value, other: &'a Value) -> &'a Value {
    if one.is_null() { other } else { one }
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn text(value: &Value) -> String {
    match value {
        // The usual case: avoid a list for each of a million fields.
        Value::String(text) => text.clone(),
        other => texts(other).join(", "),
    }
}

pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        other => vec![other.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::item_row::ItemRow;

    #[test]
    fn no_secret_of_an_item_reaches_the_window() {
        let item = serde_json::json!({
            "path": "/enterpriseDatabases/roads",
            "encryptAttributes": ["info.JDBCConnection.username"],
            "info": {
                "connectionString": "ENCRYPTED_PASSWORD_UTF8=canary1;SERVER=db1;password=canary2;USER=gis",
                "JDBCConnection": { "username": "canary3", "password": "{crypt}canary4", "url": "jdbc:x" },
                "machines": [ { "name": "SRV1", "accountKey": "canary5" } ],
                "container": "https://blob.example.org/x?sv=1&sig=canary6",
                "database": "postgresql://gis:canary7@db1/roads",
            }
        });

        let shown = serde_json::to_string(&DataStoreItem::of(&item)).unwrap();
        assert!(!shown.contains("canary"), "{shown}");
        assert!(shown.contains("SERVER=db1"), "what is no secret stays readable: {shown}");
        let written = concealed(&item).to_string();
        assert!(!written.contains("canary"), "{written}");
        assert!(written.contains("SERVER=db1") && written.contains("\"name\":\"SRV1\""), "{written}");
        let open = DataStoreItem::secrets(&item);
        assert_eq!(open.len(), 6, "whoever asks for them sees each, and nothing else: {open:?}");
        assert!(open.iter().all(|value| value.value.contains("canary")), "{open:?}");
    }

    #[test]
    fn what_is_in_a_secret_is_one_and_so_is_what_the_site_says() {
        let item = serde_json::json!({
            "name": "canary1", "description": "canary2", "purposes": ["token=canary3"], "provider": "canary4",
            "encryptAttributes": ["name", "description", "info.JDBCConnection", "provider", "info.machines[0].role"],
            "info": {
                "credentials": { "key": "canary5", "all": ["canary6"] },
                "JDBCConnection": { "user": { "name": "canary7" } },
                "machines": [
                    { "name": "https://gis:canary8@srv1/", "platform": "password=canary9", "role": "canary10" },
                ],
            }
        });

        for shown in [
            serde_json::to_string(&DataStoreItem::of(&item)).unwrap(),
            serde_json::to_string(&ItemRow::of(0, &item.to_string())).unwrap(),
            concealed(&item).to_string(),
        ] {
            assert!(!shown.contains("canary"), "{shown}");
        }
    }

    #[test]
    fn a_secret_is_masked_whatever_form_its_key_and_its_value_come_in() {
        let names = [
            "passphrase",
            "apiKey",
            "sharedKey",
            "storageKey",
            "signature",
            "pass",
            "passwd",
            "hookUrl",
            "api_key",
            "api-key",
            "API.KEY",
            "HOOK_URL",
            "SharedKey",
            "shared.key",
            "userPwd",
            "sasToken",
            "sas",
            "url_sig",
            "secretAccessKey",
            "Passwort",
            "contraseña",
            "PASSPHRASE",
            "dbPass",
            "privateKey",
            "clave",
            "pwd_old",
            "authKey",
            "signatureKey",
            "x-api-key",
            "credentials",
            "sessionKey",
            "pin",
        ];
        let values = |name: &str| {
            let inner = serde_json::json!({ name: "canary", "host": "db1" }).to_string();
            let outer = serde_json::json!({ "connection": inner }).to_string();
            [
                serde_json::json!({ name: "canary" }),
                serde_json::json!({ name: 91_817_161 }),
                serde_json::json!({ name: ["canary", "91817161"] }),
                serde_json::json!({ name: { "a": { "b": "canary" }, "c": [{ "d": 91_817_161 }] } }),
                serde_json::json!({ "in": { "deep": [{ name: "canary" }] } }),
                serde_json::json!({ "connectionString": inner }),
                serde_json::json!({ "settings": outer }),
                serde_json::json!({ "connectionString": format!("SERVER=db1;{name}=a canary;USER=gis") }),
                serde_json::json!({ "url": format!("https://h/x?{name}=canary&v=1") }),
                serde_json::json!({ "properties": [{ "name": name, "value": "canary" }] }),
                serde_json::json!({ "xml": format!("<add key=\"{name}\" value=\"canary\"/>") }),
            ]
        };
        for name in names {
            for info in values(name) {
                let item = serde_json::json!({ "path": "/x/y", "info": info });
                for shown in [
                    serde_json::to_string(&DataStoreItem::of(&item)).unwrap(),
                    serde_json::to_string(&ItemRow::of(0, &item.to_string())).unwrap(),
                    concealed(&item).to_string(),
                    redact::text(&item.to_string()),
                ] {
                    assert!(!shown.contains("canary") && !shown.contains("91817161"), "{item}\n{shown}");
                }
                assert!(!DataStoreItem::secrets(&item).is_empty(), "{item}");
            }
        }
        let open = serde_json::json!({
            "encryptAttributes": ["info.x"], "revision": "7",
            "info": { "host": "db1", "key": "7", "primaryKey": "id", "dbType": "x", "connectionString": "SERVER=db1;USER=gis" },
        });
        assert_eq!(concealed(&open), open);
        assert!(DataStoreItem::secrets(&open).is_empty());
    }

    #[test]
    fn an_item_of_an_older_server_is_shown_with_what_it_has() {
        let item = serde_json::json!({
            "path": "/fileShares/roads", "type": "folder", "id": 7, "totalRefCount": 3,
            "info": { "isManaged": false, "dataStoreConnectionType": "shared" }
        });

        let item = DataStoreItem::of(&item);

        assert_eq!(item.name, "roads");
        assert_eq!(item.id, "7");
        assert_eq!(item.is_managed, Some(false));
        assert_eq!(item.system_managed, None);
        assert!(item.info.iter().any(|one| one.name == "totalRefCount" && one.value == "3"));
    }

    #[test]
    fn an_item_of_a_megabyte_is_shown_without_needing_more_than_a_few() {
        // A long name over many values, and many names that the site lists as encrypted beside as many others.
        let long = "x".repeat(200_000);
        let many = (0..20_000).map(|number| (format!("f{number}"), json!(1)));
        let encrypted: Vec<_> = (0..20_000).map(|number| format!("info.f{number}.secret")).collect();
        for item in [
            json!({ "info": { long.as_str(): vec![[1]; 50_000] } }),
            json!({ "info": { long.as_str(): { "a": vec![json!({}); 100_000] } } }),
            json!({ "encryptAttributes": encrypted, "info": many.collect::<serde_json::Map<_, _>>() }),
        ] {
            let shown = DataStoreItem::of(&item).info;
            let bytes: usize = shown.iter().map(|value| value.name.len() + value.value.len()).sum();
            assert!(bytes <= MOST_VALUES, "{bytes}");
            assert_eq!(DataStoreItem::masked_by_site(&item), None);
            assert!(DataStoreItem::secrets(&item).is_empty());
            concealed(&item);
        }
        let item = json!({ "info": { long.as_str(): vec![[1]; 50_000], "z": { "password": "•••" } } });
        assert_eq!(DataStoreItem::of(&item).info.last().unwrap().name, "…", "what is left out is shown");
        assert_eq!(DataStoreItem::masked_by_site(&item).as_deref(), Some("info.z.password"));
        assert_eq!(DataStoreItem::secrets(&item).len(), 1);
    }

    #[test]
    fn anything_at_all_is_an_item() {
        for odd in ["null", "[]", "7", r#"{"info": [], "meta": 3, "path": {"a": 1}}"#] {
            let tree = serde_json::from_str(odd).unwrap();
            drop((
                DataStoreItem::of(&tree),
                DataStoreItem::secrets(&tree),
                concealed(&tree),
                ItemRow::of(0, odd),
            ));
        }
    }

    #[test]
    fn a_mask_of_the_site_in_place_of_a_secret_is_known_and_a_secret_is_none() {
        for masked in [
            json!({ "info": { "connectionString": "ENCRYPTED_PASSWORD=****;SERVER=db1" } }),
            json!({ "info": { "connectionString": "SERVER=db1;PASSWORD=<hidden>;USER=gis" } }),
            json!({ "info": { "connectionString": "host=db1 password='xxxxxxxx' user=gis" } }),
            json!({ "info": { "connectionString": "{\"accessKeyId\":\"A\",\"secretAccessKey\":\"********\"}" } }),
            json!({ "info": { "connectionString": { "password": "••••" } } }),
            json!({ "info": { "url": "postgresql://gis:****@db1/gis" } }),
            json!({ "info": { "credentials": [{ "username": "gis", "password": "[REDACTED]" }] } }),
            json!({ "info": { "properties": [{ "name": "accountKey", "value": "****7f2c" }] } }),
            json!({ "info": { "dbUser": "hidden" }, "encryptAttributes": ["info.dbUser"] }),
            json!({ "info": { "passphrase": "maskiert" } }),
        ] {
            assert!(DataStoreItem::masked_by_site(&masked).is_some(), "{masked}");
        }
        for open in [
            json!({}),
            json!({ "info": { "connectionString": "ENCRYPTED_PASSWORD=00022e68a1;SERVER=db1" } }),
            json!({ "info": { "connectionString": "PASSWORD=;SERVER=db1" } }),
            json!({ "info": { "connectionString": "{\"secretAccessKey\":\"s3cret-Key\"}" } }),
            json!({ "info": { "password": "" }, "path": "/fileShares/xxxx", "description": "To be done..." }),
            json!({ "info": { "path": "\\\\nas\\[archive]", "dataStoreConnectionType": "shared" } }),
            json!({ "info": { "password": null, "isManaged": false, "hidden": "none" } }),
        ] {
            assert_eq!(DataStoreItem::masked_by_site(&open), None, "{open}");
        }
    }
}
