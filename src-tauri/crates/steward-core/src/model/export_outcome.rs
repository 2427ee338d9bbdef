//! Result of a portal export or a server export.

use serde::Serialize;
use steward_client::operations::ExportReply;
use steward_client::{ServerType, stored_id};
use steward_journal::Facts;
use url::Url;

/// Result of an export, by the specification. `success with warning` is neither an error nor a plain success: it has
/// its own variant, so that no component can forget it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "status", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ExportOutcome {
    /// `validate` was set, and the destination can be written. No file was written.
    Checked,
    /// As `checked`, and the site returned warnings.
    CheckedWithWarnings {
        /// Warnings of the site; empty if it returned none besides the status.
        messages: Vec<String>,
    },
    /// The file was written.
    Written {
        /// Path of the file, or URL of the server upload; empty if the site returned none.
        location: String,
        /// Whether it is a URL.
        is_url: bool,
    },
    /// The file was written, and the site returned warnings.
    WrittenWithWarnings {
        /// Path of the file, or URL of the server upload; empty if the site returned none.
        location: String,
        /// Whether it is a URL.
        is_url: bool,
        /// Warnings of the site; empty if it returned none besides the status.
        messages: Vec<String>,
    },
}

impl ExportOutcome {
    /// Returns the result of a check that wrote no file.
    pub(crate) fn of_check(reply: ExportReply) -> Self {
        if reply.warns() { Self::CheckedWithWarnings { messages: reply.messages } } else { Self::Checked }
    }

    /// Returns whether a file was written.
    pub(crate) const fn is_written(&self) -> bool {
        matches!(self, Self::Written { .. } | Self::WrittenWithWarnings { .. })
    }

    /// Returns the path of the file, or the URL of the server upload; `None` if no file was written, or the site returned
    /// none.
    pub fn location(&self) -> Option<&str> {
        match self {
            Self::Written { location, .. } | Self::WrittenWithWarnings { location, .. } => {
                Some(location.as_str()).filter(|location| !location.is_empty())
            }
            Self::Checked | Self::CheckedWithWarnings { .. } => None,
        }
    }

    /// Returns the warnings of the site; `None` if it did not warn.
    pub fn warnings(&self) -> Option<&[String]> {
        match self {
            Self::CheckedWithWarnings { messages } | Self::WrittenWithWarnings { messages, .. } => {
                Some(messages)
            }
            Self::Checked | Self::Written { .. } => None,
        }
    }

    /// Returns the result of an export that wrote a file.
    pub(crate) fn of(reply: ExportReply) -> Self {
        let is_url = is_url(&reply.location);
        if reply.warns() {
            Self::WrittenWithWarnings { location: reply.location, is_url, messages: reply.messages }
        } else {
            Self::Written { location: reply.location, is_url }
        }
    }
}

/// Returns whether a location is a URL, not a path. The drive letter of a Windows path parses as a scheme.
pub(crate) fn is_url(location: &str) -> bool {
    Url::parse(location).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Returns whether two locations that a site returned can be those of one file, which some systems spell in several ways: with
/// the other slash, empty parts, or in another letter case.
pub(crate) fn can_be_one_file(one: &str, other: &str) -> bool {
    let parts = |location: &str| -> Vec<String> {
        let parts = location.trim().split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
        parts.map(str::to_lowercase).collect()
    };
    parts(one) == parts(other)
}

/// Returns the facts of an export that the site wrote to a location.
pub(crate) fn facts_at(location: &str) -> Facts {
    let is_path = !location.is_empty() && !is_url(location);
    let site_path = is_path.then(|| location.to_owned());
    Facts { upload: stored_id(location), site_path, ..Facts::default() }
}

/// Content that a server export does not include, by the specification or by the documents of a server type. The text
/// is in the window's message catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ExcludedItem {
    /// Cache tiles and tiling schemes.
    CacheTiles,
    /// Service data that was not copied to the server when publishing.
    ServiceData,
    /// Log messages.
    Logs,
    /// Name and password of the primary site administrator.
    PrimaryAdministrator,
    /// Statistics.
    Statistics,
    /// Configurations of web adaptors.
    WebAdaptors,
    /// Notebooks, settings of containers, and jobs, of a notebook server.
    Notebooks,
    /// Data pipelines, and the items that they created, of a data pipelines server.
    DataPipelines,
}

impl ExcludedItem {
    /// Returns the items of a server type, in the order of the checklist after an import.
    #[must_use]
    pub fn of(server_type: Option<&ServerType>) -> Vec<Self> {
        let own = match server_type {
            Some(ServerType::Notebook) => Some(Self::Notebooks),
            Some(ServerType::DataPipelines) => Some(Self::DataPipelines),
            _ => None,
        };
        let all = [
            Self::CacheTiles,
            Self::ServiceData,
            Self::Logs,
            Self::PrimaryAdministrator,
            Self::Statistics,
            Self::WebAdaptors,
        ];
        own.into_iter().chain(all).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_export_lacks_begins_with_what_is_of_the_type_of_the_server() {
        let usual = ExcludedItem::of(None);
        assert_eq!(usual.len(), 6);
        for (server_type, own) in [
            (ServerType::Gis, None),
            (ServerType::Mission, None),
            (ServerType::Notebook, Some(ExcludedItem::Notebooks)),
            (ServerType::DataPipelines, Some(ExcludedItem::DataPipelines)),
        ] {
            let expected: Vec<_> = own.into_iter().chain(usual.iter().copied()).collect();
            assert_eq!(ExcludedItem::of(Some(&server_type)), expected, "{server_type:?}");
        }
    }

    #[test]
    fn a_site_wrote_an_export_to_a_path_or_among_its_uploads() {
        let url = "https://srv1:6443/arcgis/admin/uploads/i7c1f0a52";
        for (location, upload, site_path) in [
            (url, Some("i7c1f0a52"), None),
            ("https://gis.example.org/elsewhere", None, None),
            ("", None, None),
            ("/srv/https:/a.agssite", None, Some("/srv/https:/a.agssite")),
            ("C:\\Backups\\a.agssite", None, Some("C:\\Backups\\a.agssite")),
            ("http-exports/a.agssite", None, Some("http-exports/a.agssite")),
        ] {
            let facts = facts_at(location);
            assert_eq!(
                (facts.upload.as_deref(), facts.site_path.as_deref()),
                (upload, site_path),
                "{location}"
            );
        }
    }
}
