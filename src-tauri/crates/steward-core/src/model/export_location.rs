//! Location of an export file that is imported.

use serde::Deserialize;

/// Location of an export file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportLocation {
    /// Among the uploads of the server.
    Upload {
        /// Identifier of the upload.
        id: String,
    },
    /// In a folder of the server.
    Path {
        /// Path on the machine of the server.
        path: String,
    },
    /// On this computer: a file that the user dropped, opened, or selected in a backup set, and that is not uploaded
    /// yet.
    Here {
        /// Its path.
        path: String,
    },
}

impl ExportLocation {
    /// Returns the location in the parameter of an import, which does not show its kind: identifiers of uploads contain
    /// no separator.
    pub(crate) fn of_import(location: &str) -> Self {
        if location.contains(['/', '\\', ':']) {
            Self::Path { path: location.to_owned() }
        } else {
            Self::Upload { id: location.to_owned() }
        }
    }
}
