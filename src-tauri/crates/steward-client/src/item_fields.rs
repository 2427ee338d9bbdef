//! Fields of a data store item that a table row needs.
//!
//! All other fields are skipped: building trees for 100,000 items would take seconds. The names are those of the
//! specification.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Source text of one JSON field; empty if the item does not have the field.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

/// Fields of an item that are shown in the table.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct ItemFields<'a> {
    #[serde(borrow)]
    pub id: Field<'a>,
    pub name: Field<'a>,
    pub path: Field<'a>,
    pub r#type: Field<'a>,
    pub client_path: Field<'a>,
    pub provider: Field<'a>,
    pub description: Field<'a>,
    pub revision: Field<'a>,
    pub purposes: Field<'a>,
    pub system_managed: Field<'a>,
    pub encrypt_attributes: Field<'a>,
    pub info: Field<'a>,
    pub meta: Field<'a>,
}

/// Fields of an item that are needed before its row is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct HeadFields<'a> {
    #[serde(borrow)]
    pub path: Field<'a>,
    pub r#type: Field<'a>,
    pub encrypt_attributes: Field<'a>,
}

/// Fields of the `info` object of an item.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct InfoFields<'a> {
    #[serde(borrow)]
    pub path: Field<'a>,
    pub object_store: Field<'a>,
    pub host_name: Field<'a>,
    pub connection_string: Field<'a>,
    pub provider: Field<'a>,
    pub purposes: Field<'a>,
    pub machines: Field<'a>,
    pub is_managed: Field<'a>,
    pub system_managed: Field<'a>,
}

/// Fields of the `meta` object of an item.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct MetaFields<'a> {
    #[serde(borrow)]
    pub created: Field<'a>,
    pub modified: Field<'a>,
}

impl<'a> ItemFields<'a> {
    /// Reads an item. `None` if the text is not a JSON object or contains a field twice.
    #[must_use]
    pub fn read(item: &'a str) -> Option<Self> {
        object(item)
    }

    /// Reads the `info` object. All fields are empty if it is missing or not an object.
    #[must_use]
    pub fn info(&self) -> InfoFields<'a> {
        self.info.0.and_then(|info| InfoFields::read(info.get())).unwrap_or_default()
    }

    /// Reads the `meta` object. All fields are empty if it is missing or not an object.
    #[must_use]
    pub fn meta(&self) -> MetaFields<'a> {
        self.meta.0.and_then(|meta| object(meta.get())).unwrap_or_default()
    }
}

impl<'a> HeadFields<'a> {
    /// Reads an item. `None` if the text is not a JSON object or contains a field twice.
    #[must_use]
    pub fn read(item: &'a str) -> Option<Self> {
        object(item)
    }
}

impl<'a> InfoFields<'a> {
    /// Reads an `info` object, or another object with the same fields. `None` if the text is not a JSON object or
    /// contains a field twice.
    #[must_use]
    pub fn read(info: &'a str) -> Option<Self> {
        object(info)
    }
}

fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    // serde would accept an array as a struct without field names.
    text.starts_with('{').then(|| serde_json::from_str(text).ok())?
}

impl Field<'_> {
    /// Returns this field, or `other` if this one is missing.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.is_said() { self } else { other }
    }

    /// Returns whether the item has the field.
    #[must_use]
    pub const fn is_said(self) -> bool {
        self.0.is_some()
    }

    /// Returns the value as text. `None` if the field is missing or not a string.
    #[must_use]
    pub fn text(self) -> Option<String> {
        serde_json::from_str(self.0?.get()).ok()
    }

    /// Returns the value; `null` if the field is missing or nested too deeply.
    #[must_use]
    pub fn value(self) -> Value {
        self.0.and_then(|field| serde_json::from_str(field.get()).ok()).unwrap_or_default()
    }
}
