//! Number of items of one type.

use serde::{Deserialize, Serialize};

/// A type, and the number of its items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct TypeCount {
    /// Type, as returned by the site; may be empty.
    pub r#type: String,
    /// Number of items.
    pub count: u32,
}
