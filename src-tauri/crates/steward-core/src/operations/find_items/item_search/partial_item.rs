//! Part of an item that is read while the response is received.

use serde::de::IgnoredAny;
use steward_client::HeadFields;

use super::columns;
use crate::model::item_row::{ItemRow, encrypted, shown};

/// Sort key and type of an item, read while others are received. Reading 100,000 complete rows would delay the first
/// ones too long.
pub struct Head {
    /// Sort key of the path; `None` if it is empty.
    pub(super) path: Option<Vec<u8>>,
    /// Type, as in its row.
    pub(super) r#type: String,
}

impl Head {
    /// Reads an item; `None` if it is not JSON.
    #[must_use]
    pub fn of(item: &str) -> Option<Self> {
        let (path, r#type) = if let Some(fields) = HeadFields::read(item) {
            let encrypted = encrypted(fields.encrypt_attributes);
            (shown("path", fields.path, &encrypted), shown("type", fields.r#type, &encrypted))
        } else {
            serde_json::from_str::<IgnoredAny>(item).ok()?;
            let ItemRow { path, r#type, .. } = ItemRow::of(0, item);
            (path, r#type)
        };
        Some(Self { path: columns::text_key(&path), r#type })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::find_items::item_search::ItemColumn;

    #[test]
    fn the_head_of_an_item_is_as_its_row() {
        let items = [
            r#"{"path":"/a?sig=canary","type":"egdb"}"#,
            r#"{"path":7,"type":["a","b"]}"#,
            r#"{"path":"/a","type":"egdb","path":"/b"}"#,
            r#"{"encryptAttributes":["path"],"path":"canary"}"#,
            "{}",
            "[1]",
        ];
        for item in items {
            let (head, row) = (Head::of(item).unwrap(), ItemRow::of(0, item));
            assert_eq!((head.path, head.r#type), (ItemColumn::Path.key(&row), row.r#type), "{item}");
        }
        assert!(Head::of(r#"{"path":tru}"#).is_none());
    }
}
