//! A resource as it is stored, and the SHA-256 by which a snapshot is recognized.

use serde_json::Error;
use sha2::{Digest as _, Sha256};

use crate::fields::Fields;
use crate::key::{Gap, Key, Kind};

/// Fields of a resource as they are stored, with their SHA-256. Equal fields are equal values.
#[derive(Debug, Clone)]
pub struct Value {
    pub(crate) sha256: [u8; 32],
    pub(crate) fields: String,
}

impl Value {
    /// Returns the fields as they are stored.
    #[must_use]
    pub fn of(fields: &Fields) -> Self {
        // A map of texts can always be serialized.
        let fields = serde_json::to_string(fields).unwrap_or_default();
        Self { sha256: Sha256::digest(&fields).into(), fields }
    }

    /// Returns the fields.
    ///
    /// # Errors
    /// Never for a value that [`of`](Self::of) made.
    pub fn fields(&self) -> Result<Fields, Error> {
        serde_json::from_str(&self.fields)
    }
}

/// Returns the SHA-256 of a snapshot: of what was read, each in the order of its key with its hash, and of what was not.
pub(crate) fn of_snapshot<'a>(values: impl IntoIterator<Item = (&'a Key, &'a [u8])>, gaps: &[Gap]) -> String {
    let mut hash = Sha256::new();
    let mut line = |kind: Kind, parts: [&[u8]; 3]| {
        hash.update(kind.name());
        for part in parts {
            hash.update(b"\0");
            hash.update(part);
        }
        hash.update(b"\n");
    };
    for (key, sha256) in values {
        line(key.kind, [key.place.as_bytes(), key.name.as_bytes(), sha256]);
    }
    for gap in gaps {
        line(gap.kind, [gap.place.as_bytes(), gap.name.as_bytes(), gap.reason.as_bytes()]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
