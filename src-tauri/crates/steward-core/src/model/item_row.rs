//! Data store items as rows of a table, with secrets masked.
//!
//! [`ItemRow::of`] reads an item of any shape.

use serde::Serialize;
use serde_json::Value;
use steward_client::{Field, InfoFields, ItemFields};
use steward_redact as redact;

use crate::model::data_item::{EncryptedPaths, list, masked, name_or_path, number, text, yes_or_no};
use crate::model::numbers::Millis;

/// A data store item in one row. Fields that the site does not return are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemRow {
    /// Index in the response, from 0. Requests for the details of an item refer to it.
    pub item: u32,
    /// Identifier of the item, as returned by the site; may be empty.
    pub id: String,
    /// Name; the last part of the path where the site gives none.
    pub name: String,
    /// Path within the data store.
    pub path: String,
    /// Type as returned by the site.
    pub r#type: String,
    /// Location of the data: a folder, or a database and its machine.
    pub location: String,
    /// Provider as returned by the site.
    pub provider: String,
    /// Description, as returned by the site.
    pub description: String,
    /// Revision, as returned by the site.
    pub revision: String,
    /// Purposes, separated by commas.
    pub purposes: String,
    /// Names of its machines, separated by commas.
    pub machines: String,
    /// Value of `isManaged`; `null` if the site does not return it.
    pub is_managed: Option<bool>,
    /// Value of `systemManaged`; `null` if the site does not return it.
    pub system_managed: Option<bool>,
    /// Time of registration.
    pub created: Option<Millis>,
    /// Time of the last change.
    pub modified: Option<Millis>,
}

impl ItemRow {
    /// Reads an item. Any field may be missing or of another type; anything but a JSON object yields an empty row.
    #[must_use]
    pub fn of(place: u32, item: &str) -> Self {
        Self::read(place, item).unwrap_or_else(|| {
            // If a field occurs twice, the last one counts, as in a parsed item.
            let once = serde_json::from_str::<Value>(item).unwrap_or_default().to_string();
            Self::read(place, &once).unwrap_or_else(|| Self::shown(place, &ItemFields::default()))
        })
    }

    fn read(place: u32, item: &str) -> Option<Self> {
        Some(Self::shown(place, &ItemFields::read(item)?))
    }

    fn shown(place: u32, item: &ItemFields<'_>) -> Self {
        let (info, meta) = (item.info(), item.meta());
        let encrypted = encrypted(item.encrypt_attributes);
        let shown = |path: &str, field: Field<'_>| shown(path, field, &encrypted);
        let own_or = |name, own: Field<'_>, in_info, other| {
            if own.is_said() { shown(name, own) } else { shown(in_info, other) }
        };
        let machines = info.machines.value();
        let machines = list(&machines).iter();
        let machines: Vec<String> =
            machines.map(|machine| plain("info.machines.name", text(&machine["name"]), &encrypted)).collect();
        let path = shown("path", item.path);
        Self {
            item: place,
            id: shown("id", item.id),
            name: name_or_path(shown("name", item.name), &path),
            path,
            r#type: shown("type", item.r#type),
            location: steward_client::shown(masked(&location(item, &info, &encrypted), false).0),
            provider: own_or("provider", item.provider, "info.provider", info.provider),
            description: shown("description", item.description),
            revision: shown("revision", item.revision),
            purposes: own_or("purposes", item.purposes, "info.purposes", info.purposes),
            machines: steward_client::shown(machines.join(", ")),
            is_managed: yes_or_no(&info.is_managed.value()),
            system_managed: yes_or_no(&item.system_managed.or(info.system_managed).value()),
            created: number(&meta.created.value()).map(Millis),
            modified: number(&meta.modified.value()).map(Millis),
        }
    }
}

/// Returns the paths that the site lists as encrypted.
pub(crate) fn encrypted(attributes: Field<'_>) -> EncryptedPaths {
    EncryptedPaths::of(&attributes.value())
}

/// Returns the field at a path of an item as text, with secrets masked.
pub(crate) fn shown(path: &str, field: Field<'_>, encrypted: &EncryptedPaths) -> String {
    plain(path, field_text(field), encrypted)
}

fn plain(path: &str, text: String, encrypted: &EncryptedPaths) -> String {
    let hidden = encrypted.has(path);
    // The usual case: avoid a new text for each of a hundred thousand fields.
    let text = if !hidden && redact::is_harmless(&text) { text } else { masked(&text, hidden).0 };
    steward_client::shown(text)
}

/// Returns the location of the data, from the fields of an item that are not secrets.
fn location(item: &ItemFields<'_>, info: &InfoFields<'_>, encrypted: &EncryptedPaths) -> String {
    // Fields that the site lists as encrypted are skipped.
    let said = |(path, field): (&str, Field<'_>)| {
        if encrypted.has(path) { String::new() } else { field_text(field) }
    };
    let plain = [
        ("info.path", info.path),
        ("clientPath", item.client_path),
        ("info.objectStore", info.object_store),
        ("info.hostName", info.host_name),
    ];
    if let Some(plain) = plain.into_iter().map(said).find(|plain| !plain.is_empty()) {
        return plain;
    }
    let connection = said(("info.connectionString", info.connection_string));
    if connection.starts_with('{') {
        let parts = InfoFields::read(&connection).unwrap_or_default();
        return field_text(parts.path.or(parts.object_store));
    }
    let part = |wanted: &str| {
        let found = connection
            .split(';')
            .find_map(|part| part.split_once('=').filter(|(key, _)| key.trim().eq_ignore_ascii_case(wanted)));
        found.map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
    };
    [part("DATABASE"), part("SERVER")].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// Returns a field as text.
fn field_text(field: Field<'_>) -> String {
    field.text().unwrap_or_else(|| text(&field.value()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn where_the_data_is_stands_in_the_row_and_its_password_does_not() {
        let at = |item: Value| ItemRow::of(0, &item.to_string()).location;
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

        let row = serde_json::to_string(&ItemRow::of(0, &item.to_string())).unwrap();

        assert!(!row.contains("canary"), "{row}");
    }

    #[test]
    fn a_field_that_stands_there_twice_counts_as_the_last_one() {
        let row = ItemRow::of(0, r#"{"name":"old","info":{"isManaged":true},"name":"roads"}"#);

        assert_eq!((row.name.as_str(), row.is_managed), ("roads", Some(true)));
    }

    #[test]
    fn a_long_text_of_an_item_is_cut_in_its_row_and_in_its_details() {
        let long = "x".repeat(8 * 1024 + 1);
        let item = json!({ "path": "/a", "description": long, "info": { "path": long, "machines": [{ "name": long }] } });
        let is_cut = |text: &str| text.ends_with("… [8144 / 8193 bytes]");

        let row = ItemRow::of(0, &item.to_string());
        let details = crate::model::data_item::DataStoreItem::of(&item);

        assert!(is_cut(&row.description) && is_cut(&row.location) && is_cut(&row.machines));
        assert!(is_cut(&details.description));
        let values = details.info.iter().filter(|value| is_cut(&value.value));
        assert_eq!(values.count(), 3, "each value is cut for itself");
    }
}
