//! A data store item in one line of a table, without secrets.

use serde::Serialize;
use serde_json::Value;

use crate::views::data_item::{
    first, is_secret_at, list, masked, name_or_path, number, text, texts, yes_or_no,
};
use crate::views::numbers::Millis;

/// A data store item in one line. Empty where the site says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemRow {
    /// Its place in the answer, from 0: what it is asked for by.
    pub item: u32,
    /// Identifier.
    pub id: String,
    /// Name; the last part of the path where the site gives none.
    pub name: String,
    /// Path within the data store.
    pub path: String,
    /// Type.
    pub r#type: String,
    /// Where the data is: a folder, or a database and its machine.
    pub location: String,
    /// Provider.
    pub provider: String,
    /// Description.
    pub description: String,
    /// Revision.
    pub revision: String,
    /// What it is for.
    pub purposes: String,
    /// The machines it runs on.
    pub machines: String,
    /// Whether its data is managed.
    pub is_managed: Option<bool>,
    /// Whether the system manages it.
    pub system_managed: Option<bool>,
    /// When it was registered.
    pub created: Option<Millis>,
    /// When it was changed.
    pub modified: Option<Millis>,
}

impl ItemRow {
    /// Reads an item. Any field may be missing or of another type.
    #[must_use]
    pub fn of(place: u32, item: &Value) -> Self {
        let info = &item["info"];
        let encrypted = texts(&item["encryptAttributes"]);
        let plain = |path: &str, value: &Value| masked(&text(value), is_secret_at(path, &encrypted)).0;
        let shown = |path: &str| plain(path, at(item, path));
        let either = |one: &str, other: &str| shown(if at(item, one).is_null() { other } else { one });
        let machines = list(&info["machines"]).iter();
        let machines: Vec<String> =
            machines.map(|machine| plain("info.machines.name", &machine["name"])).collect();
        let path = shown("path");
        Self {
            item: place,
            id: shown("id"),
            name: name_or_path(shown("name"), &path),
            path,
            r#type: shown("type"),
            location: masked(&location(item, &encrypted), false).0,
            provider: either("provider", "info.provider"),
            description: shown("description"),
            revision: shown("revision"),
            purposes: either("purposes", "info.purposes"),
            machines: machines.join(", "),
            is_managed: yes_or_no(&info["isManaged"]),
            system_managed: yes_or_no(first(&item["systemManaged"], &info["systemManaged"])),
            created: number(&item["meta"]["created"]).map(Millis),
            modified: number(&item["meta"]["modified"]).map(Millis),
        }
    }
}

/// Where the data is, from the few parts of an item that say so and are no secrets.
fn location(item: &Value, encrypted: &[String]) -> String {
    // What the site names as encrypted is nothing to read from.
    let said = |path: &str| {
        if is_secret_at(path, encrypted) { String::new() } else { text(at(item, path)) }
    };
    let plain = ["info.path", "clientPath", "info.objectStore", "info.hostName"];
    if let Some(plain) = plain.into_iter().map(said).find(|plain| !plain.is_empty()) {
        return plain;
    }
    let connection = said("info.connectionString");
    if connection.starts_with('{') {
        let parts: Value = serde_json::from_str(&connection).unwrap_or_default();
        return text(first(&parts["path"], &parts["objectStore"]));
    }
    let part = |wanted: &str| {
        let found = connection
            .split(';')
            .find_map(|part| part.split_once('=').filter(|(key, _)| key.trim().eq_ignore_ascii_case(wanted)));
        found.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    [part("DATABASE"), part("SERVER")].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// What stands at a dotted path.
fn at<'a>(item: &'a Value, path: &str) -> &'a Value {
    path.split('.').fold(item, |value, name| &value[name])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn where_the_data_is_stands_in_the_row_and_its_password_does_not() {
        let at = |item: Value| ItemRow::of(0, &item).location;
        let connection = "ENCRYPTED_PASSWORD=canary;SERVER=db1;INSTANCE=sde:x;DATABASE=roads;USER=gis";
        assert_eq!(at(json!({ "info": { "connectionString": connection } })), "roads · db1");
        assert_eq!(at(json!({ "info": { "path": "\\\\nas\\gis\\aerial" } })), "\\\\nas\\gis\\aerial");
        let folder = json!({ "path": "/net/share/7", "secretAccessKey": "canary" }).to_string();
        assert_eq!(at(json!({ "info": { "connectionString": folder } })), "/net/share/7");
        assert_eq!(at(json!({ "info": { "connectionString": "{half" } })), "");
        assert_eq!(at(json!({})), "");
        let named = json!({
            "encryptAttributes": ["info.connectionString", "info.path"],
            "info": { "connectionString": connection, "path": "/net/canary" },
        });
        assert_eq!(at(named), "", "the site says that these are secrets");
    }

    #[test]
    fn a_secret_in_a_field_of_the_row_is_masked() {
        let item = json!({
            "path": "/cloudStores/x?sig=canary1", "name": "token=canary2", "type": "password: canary3",
            "description": "https://sam:canary4@db1/", "info": { "path": "https://b/x?accountKey=canary5" },
        });

        let row = serde_json::to_string(&ItemRow::of(0, &item)).unwrap();

        assert!(!row.contains("canary"), "{row}");
    }
}
