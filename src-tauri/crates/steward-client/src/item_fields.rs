//! The fields of a data store item that a line of a table shows. The rest is skipped: as trees, a hundred thousand items
//! would take seconds.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A field, as the site wrote it; nothing where the site says nothing.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

/// Of an item.
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

/// Of an item, before its line is shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct HeadFields<'a> {
    #[serde(borrow)]
    pub path: Field<'a>,
    pub r#type: Field<'a>,
    pub encrypt_attributes: Field<'a>,
}

/// Of its `info`.
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

/// Of its `meta`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "they are called as the specification calls them")]
pub struct MetaFields<'a> {
    #[serde(borrow)]
    pub created: Field<'a>,
    pub modified: Field<'a>,
}

impl<'a> ItemFields<'a> {
    /// Reads an item; `None` for what is no object, or has a field twice.
    #[must_use]
    pub fn read(item: &'a str) -> Option<Self> {
        object(item)
    }

    /// What its `info` says; nothing where that is no object.
    #[must_use]
    pub fn info(&self) -> InfoFields<'a> {
        self.info.0.and_then(|info| InfoFields::read(info.get())).unwrap_or_default()
    }

    /// What its `meta` says; nothing where that is no object.
    #[must_use]
    pub fn meta(&self) -> MetaFields<'a> {
        self.meta.0.and_then(|meta| object(meta.get())).unwrap_or_default()
    }
}

impl<'a> HeadFields<'a> {
    /// Reads an item; `None` for what is no object, or has a field twice.
    #[must_use]
    pub fn read(item: &'a str) -> Option<Self> {
        object(item)
    }
}

impl<'a> InfoFields<'a> {
    /// Reads an `info`, or what has its fields; `None` for what is no object, or has a field twice.
    #[must_use]
    pub fn read(info: &'a str) -> Option<Self> {
        object(info)
    }
}

fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    // A list would be read as a struct without its names.
    text.starts_with('{').then(|| serde_json::from_str(text).ok())?
}

impl Field<'_> {
    /// This one, or another where the site does not say it.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        if self.is_said() { self } else { other }
    }

    /// Whether the site says it.
    #[must_use]
    pub const fn is_said(self) -> bool {
        self.0.is_some()
    }

    /// Its text; `None` where it is none.
    #[must_use]
    pub fn text(self) -> Option<String> {
        serde_json::from_str(self.0?.get()).ok()
    }

    /// Whatever it is; `null` where the site does not say it, or nests it too deeply.
    #[must_use]
    pub fn value(self) -> Value {
        self.0.and_then(|field| serde_json::from_str(field.get()).ok()).unwrap_or_default()
    }
}
