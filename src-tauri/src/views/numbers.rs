//! Whole numbers that the window may hold exactly.

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Millis(#[specta(type = specta_typescript::Number)] pub i64);

impl Millis {
    /// This moment.
    #[must_use]
    pub fn now() -> Self {
        Self(jiff::Timestamp::now().as_millisecond())
    }
}

/// A size in bytes. Files of the field stay far below the 2^53 that the window can count to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Bytes(#[specta(type = specta_typescript::Number)] pub u64);
