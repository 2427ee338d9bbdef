//! Where data is: in a database, or in a folder.
//!
//! [`DataLocation::of_item`] reads it of a data store item, and [`DataLocation::of_connection`] of the manifest of a
//! service. [`DataLocation::covers`] compares them. No location contains a password.

use serde_json::Value;

use crate::model::data_item::DataStoreItem;

/// Location of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DataLocation {
    /// A database.
    Database {
        /// Name, in lowercase; empty if the connection string has none.
        name: String,
        /// User who connects, in lowercase; empty if the connection string has none.
        user: String,
        /// Names of its host, in lowercase: servers are named differently in the fields of one connection string.
        hosts: Vec<String>,
    },
    /// A folder, or a file in one.
    Folder {
        /// Path, as returned by the server.
        path: String,
    },
}

/// Keys of a connection string that contain the host.
const HOST_KEYS: [&str; 3] = ["SERVER", "INSTANCE", "DB_CONNECTION_PROPERTIES"];

impl DataLocation {
    /// Reads the location of an item. `None` if the item does not have one that a manifest could name, for example the
    /// tile cache of the system.
    pub(super) fn of_item(item: &Value) -> Option<Self> {
        let info = &item["info"];
        if let Some(path) = info["path"].as_str().filter(|path| !path.is_empty()) {
            return Some(Self::Folder { path: path.to_owned() });
        }
        let mut location = Self::of_connection(info["connectionString"].as_str()?)?;
        if let Self::Database { hosts, .. } = &mut location {
            // After a failover, services name the other machine, or the name of the whole store.
            let other = info["connectionStringHA"].as_str().and_then(Self::of_connection);
            if let Some(Self::Database { hosts: other, .. }) = other {
                hosts.extend(other);
            }
            let machines = DataStoreItem::of(item).machines.into_iter();
            hosts.extend(machines.map(|machine| machine.name.to_lowercase()));
        }
        Some(location)
    }

    /// Reads a connection string such as `SERVER=db1;DATABASE=roads;USER=gis`, or `DATABASE=\\nas\gis\roads.gdb`.
    pub(super) fn of_connection(connection: &str) -> Option<Self> {
        let entries: Vec<(String, &str)> = connection
            .split(';')
            .filter_map(|entry| entry.split_once('='))
            .map(|(key, value)| (key.trim().to_uppercase(), value.trim().trim_matches('"')))
            .collect();
        let value =
            |wanted: &str| entries.iter().find(|(key, _)| key == wanted).map_or("", |(_, value)| value);
        let hosts: Vec<String> =
            HOST_KEYS.iter().map(|key| host(value(key))).filter(|host| !host.is_empty()).collect();
        let name = value("DATABASE");
        if !hosts.is_empty() {
            let (name, user) = (name.to_lowercase(), value("USER").to_lowercase());
            return Some(Self::Database { name, user, hosts });
        }
        (!name.is_empty()).then(|| Self::Folder { path: name.to_owned() })
    }

    /// Returns whether data at `other` belongs to the item at this location: the same database, or a file in the
    /// folder.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Database { name, user, hosts },
                Self::Database { name: other_name, user: other_user, hosts: other_hosts },
            ) => {
                name == other_name
                    && (user == other_user || user.is_empty() || other_user.is_empty())
                    && hosts.iter().any(|host| other_hosts.contains(host))
            }
            (Self::Folder { path }, Self::Folder { path: file }) => is_in(file, path),
            _ => false,
        }
    }

    /// Returns the location as text.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Database { name, hosts, .. } => {
                let host = hosts.first().map_or("", String::as_str);
                if name.is_empty() { host.to_owned() } else { format!("{name} ({host})") }
            }
            Self::Folder { path } => path.clone(),
        }
    }
}

/// Returns the host in the value of a connection string: that of `sde:postgresql:db1,5432` is `db1`.
fn host(value: &str) -> String {
    let host = value.rsplit(':').next().unwrap_or_default();
    let host = host.split(',').next().unwrap_or_default();
    host.trim_start_matches("DSID=").to_lowercase()
}

/// Returns whether a file is in a folder, or is the folder. Separators may be doubled, as some servers return them.
fn is_in(file: &str, folder: &str) -> bool {
    let ignores_case = |path: &str| path.contains('\\') || path.get(1..2) == Some(":");
    let ignores_case = ignores_case(file) || ignores_case(folder);
    let mut names = names(file);
    self::names(folder).all(|folder| {
        names.next().is_some_and(|name| {
            if ignores_case { name.to_lowercase() == folder.to_lowercase() } else { name == folder }
        })
    })
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\']).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn connection(text: &str) -> DataLocation {
        DataLocation::of_connection(text).unwrap()
    }

    fn folder(path: &str) -> DataLocation {
        DataLocation::of_item(&json!({ "info": { "path": path } })).unwrap()
    }

    fn database(connection: &str) -> DataLocation {
        DataLocation::of_item(&json!({ "info": { "connectionString": connection } })).unwrap()
    }

    #[test]
    fn a_database_is_the_same_under_any_version_and_spelling_and_not_for_another_user_or_name() {
        let item = database(
            "ENCRYPTED_PASSWORD=00022e;SERVER=DB1;INSTANCE=sde:postgresql:db1.example.org;DBCLIENT=postgresql;\
             DATABASE=roads;USER=gis;VERSION=sde.DEFAULT;AUTHENTICATION_MODE=DBMS",
        );
        for same in [
            "SERVER=db1.example.org;DATABASE=Roads;USER=GIS;VERSION=sam.edits",
            "INSTANCE=sde:postgresql:db1,5432;DATABASE=roads;USER=gis",
            "INSTANCE=\"sde:postgresql:DB1\";DATABASE=roads;AUTHENTICATION_MODE=OSA",
            "DB_CONNECTION_PROPERTIES=db1;DATABASE=roads",
        ] {
            assert!(item.covers(&connection(same)), "{same}");
        }
        for other in [
            "SERVER=db1;DATABASE=water;USER=gis",
            "SERVER=db2;DATABASE=roads;USER=gis",
            "SERVER=db1;DATABASE=roads;USER=editor",
            "DATABASE=roads",
        ] {
            assert!(!item.covers(&connection(other)), "{other}");
        }
    }

    #[test]
    fn an_oracle_database_has_an_instance_and_no_name() {
        let item = database("INSTANCE=sde:oracle11g:db1/orcl;USER=gis");
        assert!(item.covers(&connection("INSTANCE=sde:oracle19c:DB1/ORCL;USER=gis;VERSION=SDE.DEFAULT")));
        assert!(!item.covers(&connection("INSTANCE=sde:oracle11g:db1/test;USER=gis")));
    }

    #[test]
    fn a_managed_database_is_found_by_the_other_machine_after_a_failover() {
        let item = json!({ "info": {
            "connectionString": "SERVER=store1;INSTANCE=sde:postgresql:store1,9876;DATABASE=db_x;USER=hsu",
            "connectionStringHA": "SERVER=ds_x;INSTANCE=sde:postgresql:DSID=ds_x;DATABASE=db_x;USER=hsu",
            "machines": [{ "name": "STORE1" }, { "name": "STORE2" }],
        } });
        let item = DataLocation::of_item(&item).unwrap();
        for same in
            ["SERVER=store2", "INSTANCE=sde:postgresql:DSID=ds_x", "INSTANCE=sde:postgresql:store1,9876"]
        {
            assert!(item.covers(&connection(&format!("{same};DATABASE=db_x;USER=hsu"))), "{same}");
        }
    }

    #[test]
    fn a_folder_covers_what_is_in_it_with_any_separators() {
        let share = folder(r"\\nas\GIS\survey");
        // The manifests of some servers double every backslash.
        for inside in [
            r"DATABASE=\\nas\gis\survey\streets.gdb",
            r"DATABASE=\\\\NAS\\gis\\Survey",
            "DATABASE=//nas/gis/survey/2025/streets.shp",
        ] {
            assert!(share.covers(&connection(inside)), "{inside}");
        }
        assert!(!share.covers(&connection(r"DATABASE=\\nas\gis\survey2\streets.gdb")));
        assert!(!share.covers(&connection(r"DATABASE=\\nas\gis")));
        assert!(!folder("/srv/gis").covers(&connection("DATABASE=/srv/GIS/streets.gdb")), "a Linux server");
        assert!(folder(r"D:\gis").covers(&connection("DATABASE=d:/GIS/streets.gdb")));
    }

    #[test]
    fn an_item_without_a_path_or_connection_string_has_no_location() {
        let cloud = json!({ "info": { "connectionString": "{\"accessKeyId\":\"A\",\"secret=\":\"x\"}" } });
        for item in [json!({ "info": { "dsFeature": "TileCache" } }), json!({ "info": 5 }), json!([]), cloud]
        {
            assert_eq!(DataLocation::of_item(&item), None, "{item}");
        }
        assert_eq!(DataLocation::of_connection(""), None);
    }

    #[test]
    fn no_location_contains_a_password() {
        let item = database("PASSWORD=canary;ENCRYPTED_PASSWORD=canary;SERVER=db1;DATABASE=roads;USER=gis");
        assert!(!format!("{item:?}").contains("canary"), "{item:?}");
        assert_eq!(item.shown(), "roads (db1)");
    }
}
