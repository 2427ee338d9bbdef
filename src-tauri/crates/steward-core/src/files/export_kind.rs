//! Whether an archive is an export of a server or of a portal, by the names of its entries.
//!
//! The vendor documents what an export contains, and not how its archive is laid out. So whatever is named like a part of a
//! site is recognized, in any layout. An archive without any such name is not called verified; it is not refused either,
//! because it might be the export of a version that was not available for tests.

use crate::model::operation::Component;

/// Folders and documents of a server configuration. Two of them are needed: other archives have one as well.
const OF_A_SERVER: [&str; 12] = [
    "arcgissystem",
    "clusters",
    "datastore",
    "datastores",
    "extensions",
    "machines",
    "roles",
    "security",
    "services",
    "settings",
    "usagereports",
    "webadaptors",
];
/// Folder of a server configuration that no other archive has.
const CONFIG_STORE: &str = "config-store";
/// Types of files that a database is written to.
const DATABASES: [&str; 6] = ["backup", "bak", "custom", "db", "dump", "sql"];

/// Kind of an archive, by the names of its entries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Recognized {
    /// Whether they are those of a server export.
    server: bool,
    /// Whether they are those of a portal export.
    portal: bool,
}

impl Recognized {
    /// Looks at the names of all entries.
    pub(crate) fn by<Name: AsRef<str>>(names: impl Iterator<Item = Name>) -> Self {
        let mut found = Self::default();
        let mut of_a_server = [false; OF_A_SERVER.len()];
        let (mut has_content, mut has_database) = (false, false);
        for name in names {
            if found.server && found.portal {
                break;
            }
            for part in name.as_ref().split(['/', '\\']) {
                let part = part.to_ascii_lowercase();
                let mut words = part.split('.');
                let first = words.next().unwrap_or_default();
                found.server |= first == CONFIG_STORE || words.clone().any(is_service_type);
                found.portal |= first.contains("portal");
                has_content |= first == "content" || first == "items";
                has_database |=
                    first == "db" || first == "database" || words.any(|word| DATABASES.contains(&word));
                if let Some(at) = OF_A_SERVER.iter().position(|known| *known == first) {
                    of_a_server[at] = true;
                }
            }
        }
        found.server |= of_a_server.into_iter().filter(|is_there| *is_there).count() > 1;
        found.portal |= has_content && has_database;
        found
    }

    /// Returns whether the archive is an export of `component`.
    pub const fn is_of(self, component: Component) -> bool {
        match component {
            Component::Server => self.server,
            Component::Portal => self.portal,
        }
    }
}

/// Returns whether a word of a name is the type of a service, for example `mapserver` in `Zoning.MapServer.json`.
fn is_service_type(word: &str) -> bool {
    word.len() > "server".len() && word.ends_with("server")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_of(component: Component, names: &[&str]) -> bool {
        Recognized::by(names.iter().copied()).is_of(component)
    }

    #[test]
    fn an_archive_of_other_files_is_no_export_of_a_server_or_of_a_portal() {
        for names in [
            &["a"][..],
            &["holiday/beach.jpg", "holiday/notes.txt"],
            &["[Content_Types].xml", "word/document.xml", "_rels/.rels"],
            &["services/readme.txt", "server.txt"],
            &["content/index.html", "content/style.css"],
            &["data.sql"],
        ] {
            assert!(!is_of(Component::Server, names) && !is_of(Component::Portal, names), "{names:?}");
        }
    }

    #[test]
    fn an_export_is_recognized_in_any_layout_and_not_taken_for_one_of_the_other_kind() {
        for names in [
            &["services/Parcels/Zoning.MapServer.json", "manifest.json"][..],
            &["datastore/items.json", "settings/logs.json", "manifest.json"],
            &["arcgis\\Config-Store\\machines\\a.json"],
            &["System/CachingTools.GPServer/CachingTools.GPServer.json"],
            &["security/config.json", "machines/GIS1.json"],
        ] {
            assert!(is_of(Component::Server, names), "{names:?}");
            assert!(!is_of(Component::Portal, names), "{names:?}");
        }
        for names in [
            &["portal.db", "manifest.json"][..],
            &["content/0123/data", "db/1.dat"],
            &["portalcontent/items/0123/data"],
            &["items/0123/esriinfo/thumbnail.png", "gwdb.backup"],
        ] {
            assert!(is_of(Component::Portal, names), "{names:?}");
            assert!(!is_of(Component::Server, names), "{names:?}");
        }
    }
}
