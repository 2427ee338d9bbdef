//! Where data is: in a database, or in a folder.
//!
//! [`DataLocation::of_item`] reads it of a data store item, and [`DataLocation::of_connection`] of the manifest of a
//! service. [`DataLocation::covers`] compares them. No location contains a password.
//!
//! One database can be written in many ways: by an alias, a host without its domain, or an IP address. Locations that
//! might be the same are [`Covers::Perhaps`]; another spelling is no proof of another place.

use serde_json::Value;
use steward_client::data_validation::is_same_machine;

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
        /// Database system; `None` if the connection string names none, or one that is not known here.
        system: Option<System>,
        /// Its addresses: that of the connection string, of the standby, and of the machines.
        addresses: Vec<DatabaseAddress>,
    },
    /// A folder, or a file in one.
    Folder {
        /// Path, as returned by the server.
        path: String,
    },
}

/// Address of a database. All parts are in lowercase, and empty where the connection string has none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct DatabaseAddress {
    /// Names of the host, or an alias of Oracle. The fields of one connection string can name different ones.
    hosts: Vec<String>,
    port: String,
    /// Service of Oracle, or instance of SQL Server.
    service: String,
    /// Schema of a geodatabase of its own in Oracle, for example `sde`.
    schema: String,
}

/// Database system: the name that [`SYSTEMS`] has for it.
type System = &'static str;

const ORACLE: System = "oracle";

/// Beginnings of the names of database systems in lowercase, without spaces and signs: `oracle19c`, `sqlserver`.
const SYSTEMS: [(&str, System); 12] = [
    ("oracle", ORACLE),
    ("postgres", "postgres"),
    ("sqlserver", "sqlserver"),
    ("mssql", "sqlserver"),
    ("microsoftsqlserver", "sqlserver"),
    ("db2", "db2"),
    ("hana", "hana"),
    ("informix", "informix"),
    ("teradata", "teradata"),
    ("netezza", "netezza"),
    ("dameng", "dameng"),
    ("altibase", "altibase"),
];

/// Returns the system of a name; `None` if it is not known here.
fn system(name: &str) -> Option<System> {
    let name: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let name = name.to_lowercase();
    SYSTEMS.into_iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(_, system)| system)
}

/// Returns the system of `sde:postgresql:db1`, or of a connect descriptor, which only Oracle has.
fn system_of_instance(instance: &str) -> Option<System> {
    let instance = instance.to_lowercase();
    match instance.strip_prefix("sde:") {
        Some(rest) => system(rest.split([':', '$']).next()?),
        None => is_descriptor(&instance).then_some(ORACLE),
    }
}

fn is_descriptor(instance: &str) -> bool {
    instance.starts_with('(') && instance.contains('=')
}

/// Whether data is at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Covers {
    /// A part that identifies the location differs.
    No,
    /// A part is missing on one side, or two names might be those of one host.
    Perhaps,
    /// All parts agree.
    Yes,
}

/// Keys of a connection string that contain the host.
const HOST_KEYS: [&str; 3] = ["INSTANCE", "DB_CONNECTION_PROPERTIES", "SERVER"];

/// Limit of a connection string, in bytes.
const LONGEST: usize = 8 * 1024;

/// Limit of the addresses in a connection string.
const MOST_ADDRESSES: usize = 100;

impl DataLocation {
    /// Reads the location of an item. `None` if the item does not have one that a manifest could name, for example the
    /// tile cache of the system.
    pub(super) fn of_item(item: &Value) -> Option<Self> {
        let info = &item["info"];
        if let Some(path) = info["path"].as_str().filter(|path| !path.is_empty()) {
            return Some(Self::Folder { path: path.to_owned() });
        }
        let mut location = Self::of_connection(info["connectionString"].as_str()?)?;
        if let Self::Database { addresses, .. } = &mut location {
            // After a failover, services name the other machine, or the name of the whole store.
            let other = info["connectionStringHA"].as_str().and_then(Self::of_connection);
            if let Some(Self::Database { addresses: other, .. }) = other {
                addresses.extend(other);
            }
            let machine = |name: &str| DatabaseAddress {
                hosts: vec![name.to_lowercase()],
                ..DatabaseAddress::default()
            };
            addresses.extend(DataStoreItem::of(item).machines.iter().map(|one| machine(&one.name)));
        }
        Some(location)
    }

    /// Reads a connection string such as `SERVER=db1;DATABASE=roads;USER=gis`, or `DATABASE=\\nas\gis\roads.gdb`.
    /// `None` if it contains neither, or is so long or has so many addresses that no program could use it: each of them
    /// would have a copy of the name of the service.
    pub(super) fn of_connection(connection: &str) -> Option<Self> {
        if connection.len() > LONGEST {
            return None;
        }
        let entries: Vec<(String, &str)> = connection
            .split(';')
            .filter_map(|entry| entry.split_once('='))
            .map(|(key, value)| (key.trim().to_uppercase(), value.trim().trim_matches('"')))
            .collect();
        let value =
            |wanted: &str| entries.iter().find(|(key, _)| key == wanted).map_or("", |(_, value)| value);
        let hosts = HOST_KEYS.map(value);
        let system = hosts.into_iter().find_map(system_of_instance).or_else(|| system(value("DBCLIENT")));
        let mut address = DatabaseAddress::default();
        let mut others = Vec::new();
        for value in hosts.into_iter().filter(|value| !value.is_empty()) {
            others.extend(address.add(value, system));
        }
        let addresses: Vec<_> =
            std::iter::once(address).filter(|one| !one.hosts.is_empty()).chain(others).collect();
        if addresses.len() > MOST_ADDRESSES {
            return None;
        }
        let name = value("DATABASE");
        if !addresses.is_empty() {
            let (name, user) = (name.to_lowercase(), value("USER").to_lowercase());
            return Some(Self::Database { name, user, system, addresses });
        }
        (!name.is_empty()).then(|| Self::Folder { path: name.to_owned() })
    }

    /// Returns whether data at `other` belongs to the item at this location: the same database, or a file in the
    /// folder.
    pub(super) fn covers(&self, other: &Self) -> Covers {
        match (self, other) {
            (
                Self::Database { name, user, system, addresses },
                Self::Database {
                    name: other_name,
                    user: other_user,
                    system: other_system,
                    addresses: others,
                },
            ) => {
                // Two systems on one host can each have a database of this name.
                if system.is_some() && other_system.is_some() && system != other_system {
                    return Covers::No;
                }
                let are_oracle = *system == Some(ORACLE) && system == other_system;
                let pairs = addresses
                    .iter()
                    .flat_map(|one| others.iter().map(move |other| one.is(other, are_oracle)));
                let address = pairs.max().unwrap_or(Covers::No);
                // Another user might work in the same database. A string without a user can mean the account of the
                // operating system.
                let same_user = user == other_user || user.is_empty() || other_user.is_empty();
                let account = if same_user { Covers::Yes } else { Covers::Perhaps };
                address.min(part(name, other_name)).min(account)
            }
            (Self::Folder { path }, Self::Folder { path: file }) => is_in(file, path),
            _ => Covers::No,
        }
    }

    /// Returns the location as text.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Database { name, addresses, .. } => {
                let host = addresses.iter().flat_map(|address| address.hosts.last()).next();
                let host = host.map_or("", String::as_str);
                if name.is_empty() { host.to_owned() } else { format!("{name} ({host})") }
            }
            Self::Folder { path } => path.clone(),
        }
    }
}

impl DatabaseAddress {
    /// Adds what the value of a field names: `sde:postgresql:db1,5432`, `sde:oracle11g:gisprod:sde`,
    /// `sde:oracle$db1:1521/orcl`, `sde:sqlserver:db1\gis`, or one of these without `sde:`. Returns further addresses of the
    /// same database: those of a descriptor, and all but the first of `db1:1521,db2:1521/orcl`.
    fn add(&mut self, value: &str, system: Option<System>) -> Vec<Self> {
        let value = value.to_lowercase();
        let mut rest = value.as_str();
        if let Some(instance) = rest.strip_prefix("sde:") {
            let end = instance.find([':', '$']).unwrap_or(instance.len());
            rest = instance[end..].trim_start_matches([':', '$']);
        }
        rest = rest.trim_start_matches("tcp:").trim_start_matches('/');
        if is_descriptor(rest) {
            return Self::of_descriptor(rest);
        }
        let mut hosts = rest.split(',').map(str::trim).filter(|part| !part.is_empty() && !is_port(part));
        let (first, others): (_, Vec<_>) = (hosts.next(), hosts.collect());
        if !others.is_empty() {
            let mut found: Vec<Self> = Vec::new();
            // Port, service, and schema after the last host apply to all hosts.
            for host in others.into_iter().rev().chain(first) {
                let mut one = Self::default();
                one.add_host(host, system);
                if let Some(last) = found.first() {
                    one.port = if one.port.is_empty() { last.port.clone() } else { one.port };
                    one.service.clone_from(&last.service);
                    one.schema.clone_from(&last.schema);
                }
                found.push(one);
            }
            return found;
        }
        self.add_host(rest, system);
        Vec::new()
    }

    /// Adds one host with what follows it.
    fn add_host(&mut self, rest: &str, system: Option<System>) {
        // The colons of an address are no separators, with or without brackets.
        let (address, rest) = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            Some((address, after)) => (Some(address), after),
            None => {
                let end = rest.find([',', '/', '\\']).unwrap_or(rest.len());
                let is_address = rest[..end].parse::<std::net::Ipv6Addr>().is_ok();
                if is_address { (Some(&rest[..end]), &rest[end..]) } else { (None, rest) }
            }
        };
        let others = rest.split([':', ',', '/', '\\']).filter(|part| !part.is_empty());
        let mut parts = address.into_iter().chain(others);
        // The port of an application server stands alone: it is that of the host in SERVER.
        let Some(host) = parts.next().filter(|host| !is_port(host)) else {
            self.port = rest.trim().to_owned();
            return;
        };
        let host = host.trim_start_matches("dsid=").trim();
        if !host.is_empty() && !self.hosts.iter().any(|known| known == host) {
            self.hosts.push(host.to_owned());
        }
        let has_separator = |separator: char| rest.contains(separator);
        for next in parts {
            let field = match () {
                () if is_port(next) => &mut self.port,
                // An alias has no port and no service: what follows it is the schema.
                () if system == Some(ORACLE) && !has_separator('/') => &mut self.schema,
                () => &mut self.service,
            };
            next.trim().clone_into(field);
        }
    }

    /// Reads the addresses of a connect descriptor of Oracle:
    /// `(description=(address_list=(address=(host=db1)(port=1521))(address=…))(connect_data=(service_name=orcl)))`. One of
    /// several descriptions is that of a standby, with a service of its own.
    fn of_descriptor(text: &str) -> Vec<Self> {
        let value = |text: &str, names: &[&str]| {
            let fields = text.split(['(', ')']).filter_map(|field| field.split_once('='));
            let mut found =
                fields.filter(|(name, value)| names.contains(&name.trim()) && !value.trim().is_empty());
            found.next().map(|(_, value)| value.trim().to_owned())
        };
        // `description_list` and `address_list` only contain descriptions and addresses, which are read here.
        let parts = |text: &'_ str, name: &str| -> Vec<String> {
            let squeezed: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
            let parts: Vec<_> = squeezed.split(&format!("({name}=")).map(str::to_owned).collect();
            if parts.len() > 1 { parts[1..].to_vec() } else { parts }
        };
        let mut found = Vec::new();
        for description in parts(text, "description") {
            let service = value(&description, &["service_name", "sid"]).unwrap_or_default();
            for address in parts(&description, "address") {
                found.extend(value(&address, &["host"]).map(|host| Self {
                    hosts: vec![host],
                    port: value(&address, &["port"]).unwrap_or_default(),
                    service: service.clone(),
                    ..Self::default()
                }));
            }
        }
        found
    }

    /// Returns whether this is, in Oracle, a name that only the settings of the client resolve: it can be any database.
    const fn is_alias(&self) -> bool {
        self.port.is_empty() && self.service.is_empty()
    }

    /// Compares two addresses. `are_oracle`: whether both are of Oracle.
    fn is(&self, other: &Self, are_oracle: bool) -> Covers {
        let hosts = self.hosts.iter().flat_map(|one| other.hosts.iter().map(|other| host(one, other)));
        let schema = match (self.schema.as_str(), other.schema.as_str()) {
            // Without a schema, the geodatabase of SDE is meant.
            ("", "sde") | ("sde", "") => Covers::Yes,
            (one, other) => part(one, other),
        };
        // An alias of Oracle can be any of its databases.
        if are_oracle && self.is_alias() != other.is_alias() && hosts.clone().all(|host| host == Covers::No) {
            return Covers::Perhaps;
        }
        let port = if part(&self.port, &other.port) == Covers::No { Covers::No } else { Covers::Yes };
        hosts.max().unwrap_or(Covers::No).min(port).min(service(&self.service, &other.service)).min(schema)
    }
}

fn is_port(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit())
}

/// Compares a part that can be missing on either side.
fn part(one: &str, other: &str) -> Covers {
    match () {
        () if one == other => Covers::Yes,
        () if one.is_empty() || other.is_empty() => Covers::Perhaps,
        () => Covers::No,
    }
}

/// Compares two services of Oracle, or instances of SQL Server. A service is named with or without its domain.
fn service(one: &str, other: &str) -> Covers {
    if one != other && is_same_machine(one, other) { Covers::Perhaps } else { part(one, other) }
}

/// Compares two names of hosts in lowercase. An IP address, `localhost`, or a name without its domain can be the same
/// host under another name.
fn host(one: &str, other: &str) -> Covers {
    let is_address = |name: &str| name.parse::<std::net::IpAddr>().is_ok();
    let is_here = |name: &str| {
        let is_loopback = name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
        is_loopback || matches!(name, "localhost" | "." | "(local)")
    };
    match () {
        () if one == other => Covers::Yes,
        () if is_same_machine(one, other) => Covers::Perhaps,
        () if is_here(one) || is_here(other) || is_address(one) != is_address(other) => Covers::Perhaps,
        () => Covers::No,
    }
}

/// How a path begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    /// `\\nas\gis`, or `//nas/gis`.
    Share,
    /// `Z:\gis`.
    Drive,
    /// `/mnt/gis`, or a path that is not absolute.
    Other,
}

impl Root {
    fn of(path: &str) -> Self {
        match () {
            () if path.starts_with("\\\\") || path.starts_with("//") => Self::Share,
            () if path.get(1..2) == Some(":") => Self::Drive,
            () => Self::Other,
        }
    }
}

/// Returns whether a file is in a folder, or is the folder. Separators may be doubled, as some servers return them.
fn is_in(file: &str, folder: &str) -> Covers {
    let roots = (Root::of(file), Root::of(folder));
    if roots.0 != roots.1 && (roots.0 == Root::Share || roots.1 == Root::Share) {
        // Which share a drive or a mounted folder is, only the machine knows.
        return Covers::Perhaps;
    }
    let ignores_case = |path: &str| path.contains('\\') || path.get(1..2) == Some(":");
    let is_share = |path: &str| path.starts_with("\\\\") || path.starts_with("//");
    let ignores_case = ignores_case(file) || ignores_case(folder) || (is_share(file) && is_share(folder));
    let plain = |name: &str| if ignores_case { name.to_lowercase() } else { name.to_owned() };
    let (Some(names), Some(folders)) = (names(file, roots.0), self::names(folder, roots.1)) else {
        return Covers::Perhaps;
    };
    let (mut names, mut folders) = (names.into_iter().map(plain), folders.into_iter().map(plain));
    let mut covers = Covers::Yes;
    if roots == (Root::Share, Root::Share) {
        let hosts = (names.next().unwrap_or_default(), folders.next().unwrap_or_default());
        covers = host(&hosts.0.to_lowercase(), &hosts.1.to_lowercase());
    }
    let is_below = folders.all(|folder| names.next().is_some_and(|name| name == folder));
    if is_below { covers } else { Covers::No }
}

/// Returns the names in a path, with `.` and `..` resolved. `None` if a path that is not absolute leaves its beginning,
/// which is not known.
fn names(path: &str, root: Root) -> Option<Vec<&str>> {
    // Above the beginning of an absolute path is the beginning itself: a share with its host, or a drive.
    let beginning = match root {
        Root::Share => 2,
        Root::Drive => 1,
        Root::Other => 0,
    };
    let mut names = Vec::new();
    for name in path.split(['/', '\\']).filter(|name| !name.is_empty() && *name != ".") {
        match name {
            ".." if names.len() > beginning => drop(names.pop()),
            ".." if root == Root::Other && !path.starts_with('/') => return None,
            ".." => {}
            name => names.push(name),
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn connection(text: &str) -> DataLocation {
        DataLocation::of_connection(text).unwrap()
    }

    #[test]
    fn a_connection_that_no_program_could_use_is_not_read() {
        let many = |count: usize| format!("SERVER={}/{}", "a,".repeat(count), "b".repeat(count));
        assert!(DataLocation::of_connection(&many(90)).is_some());
        assert!(DataLocation::of_connection(&many(200)).is_none(), "too many addresses");
        // Each of a million addresses would have its own copy of the name.
        assert!(DataLocation::of_connection(&many(1_000_000)).is_none());
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
            assert_ne!(item.covers(&connection(same)), Covers::No, "{same}");
        }
        for other in
            ["SERVER=db1;DATABASE=water;USER=gis", "SERVER=db2;DATABASE=roads;USER=gis", "DATABASE=roads"]
        {
            assert_eq!(item.covers(&connection(other)), Covers::No, "{other}");
        }
    }

    #[test]
    fn an_oracle_database_has_an_instance_and_no_name() {
        let item = database("INSTANCE=sde:oracle11g:db1/orcl;USER=gis");
        let same = "INSTANCE=sde:oracle19c:DB1/ORCL;USER=gis;VERSION=SDE.DEFAULT";
        assert_eq!(item.covers(&connection(same)), Covers::Yes);
        assert_eq!(item.covers(&connection("INSTANCE=sde:oracle11g:db1/test;USER=gis")), Covers::No);
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
            let same = connection(&format!("{same};DATABASE=db_x;USER=hsu"));
            assert_eq!(item.covers(&same), Covers::Yes, "{same:?}");
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
            assert_eq!(share.covers(&connection(inside)), Covers::Yes, "{inside}");
        }
        for outside in [r"DATABASE=\\nas\gis\survey2\streets.gdb", r"DATABASE=\\nas\gis"] {
            assert_eq!(share.covers(&connection(outside)), Covers::No, "{outside}");
        }
        let linux = folder("/srv/gis").covers(&connection("DATABASE=/srv/GIS/streets.gdb"));
        assert_eq!(linux, Covers::No, "a Linux server");
        assert_eq!(folder(r"D:\gis").covers(&connection("DATABASE=d:/GIS/streets.gdb")), Covers::Yes);
    }

    #[test]
    fn all_parts_that_identify_a_database_are_compared_and_what_may_be_the_same_is_perhaps() {
        use Covers::{No, Perhaps, Yes};
        for (item, source, right) in [
            // An alias of Oracle is not the schema that follows it.
            ("INSTANCE=sde:oracle11g:GISPROD:SDE", "INSTANCE=sde:oracle11g:GISTEST:SDE", No),
            ("INSTANCE=sde:oracle11g:GISPROD:SDE", "INSTANCE=sde:oracle11g:gisprod:sde", Yes),
            ("INSTANCE=sde:oracle11g:GISPROD:SDE", "INSTANCE=sde:oracle19c:gisprod", Yes),
            ("INSTANCE=sde:oracle11g:GISPROD:ROADS", "INSTANCE=sde:oracle11g:GISPROD:WATER", No),
            ("INSTANCE=sde:oracle11g:GISPROD:ROADS", "INSTANCE=sde:oracle11g:GISPROD", Perhaps),
            ("INSTANCE=sde:oracle$gisprod", "INSTANCE=sde:oracle19c:gisprod", Yes),
            ("INSTANCE=sde:oracle$gisprod", "SERVER=GISPROD;INSTANCE=sde:oracle19c:GISPROD", Yes),
            // Host, port, and service.
            ("SERVER=proddb:1521/orcl", "SERVER=testdb:1521/orcl", No),
            ("INSTANCE=sde:oracle$proddb:1521/orcl", "INSTANCE=sde:oracle11g:testdb:1521/orcl", No),
            ("INSTANCE=sde:oracle$proddb:1521/orcl", "SERVER=proddb:1521/orcl", Yes),
            ("INSTANCE=sde:oracle$//proddb:1521/orcl", "INSTANCE=sde:oracle19c:proddb/orcl", Yes),
            ("SERVER=proddb:1521/orcl", "SERVER=proddb:1522/orcl", No),
            ("INSTANCE=sde:oracle$proddb:1521/orcl", "INSTANCE=sde:oracle$proddb:1522/orcl", No),
            (
                "INSTANCE=sde:postgresql:db1,5432;DATABASE=a",
                "INSTANCE=sde:postgresql:db1,5433;DATABASE=a",
                No,
            ),
            ("SERVER=proddb:1521/orcl", "SERVER=proddb:1521/test", No),
            ("SERVER=proddb:1521/orcl", "SERVER=proddb", Perhaps),
            ("SERVER=proddb;INSTANCE=5151;DATABASE=a", "SERVER=proddb;INSTANCE=5151;DATABASE=a", Yes),
            ("SERVER=proddb;INSTANCE=5151;DATABASE=a", "SERVER=testdb;INSTANCE=5151;DATABASE=a", No),
            ("INSTANCE=sde:oracle$gisprod", "INSTANCE=sde:oracle$proddb:1521/orcl", Perhaps),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db1)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
                "INSTANCE=sde:oracle$db1:1521/ORCL",
                Yes,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS=(HOST=db1)(PORT=1521))(CONNECT_DATA=(SID=orcl)))",
                "INSTANCE=sde:oracle$db2:1521/orcl",
                No,
            ),
            // Several addresses of one database.
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=db1)(PORT=1521))(ADDRESS=(HOST=db2)(PORT=1522)))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
                "INSTANCE=sde:oracle$db2:1522/orcl",
                Yes,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=db1)(PORT=1521))(ADDRESS=(HOST=db2)(PORT=1522)))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
                "INSTANCE=sde:oracle$db2:1521/orcl",
                No,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=db1)(PORT=1521))(ADDRESS=(HOST=db2)(PORT=1521)))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
                "INSTANCE=sde:oracle$db2.example.org:1521/orcl",
                Perhaps,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION = (ADDRESS_LIST = (ADDRESS = (PROTOCOL = TCP)(HOST = db1)(PORT = 1521))(ADDRESS = (HOST = db2)(PORT = 1521)))(CONNECT_DATA = (SERVICE_NAME = orcl)))",
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS=(HOST=db3)(PORT=1521))(ADDRESS=(HOST=DB2)(PORT=1521))(CONNECT_DATA=(SID=orcl)))",
                Yes,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION_LIST=(DESCRIPTION=(ADDRESS=(HOST=db1)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=prod)))(DESCRIPTION=(ADDRESS=(HOST=db2)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=standby))))",
                "INSTANCE=sde:oracle$db2:1521/standby",
                Yes,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION_LIST=(DESCRIPTION=(ADDRESS=(HOST=db1)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=prod)))(DESCRIPTION=(ADDRESS=(HOST=db2)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=standby))))",
                "INSTANCE=sde:oracle$db2:1521/prod",
                No,
            ),
            (
                "INSTANCE=sde:oracle$(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(HOST=db1)(PORT=1521))(ADDRESS=(HOST=db2)(PORT=1521)))(CONNECT_DATA=(SERVICE_NAME=orcl)))",
                "INSTANCE=sde:oracle11g:GISPROD:SDE",
                Perhaps,
            ),
            ("INSTANCE=sde:oracle$db1,db2:1521/orcl", "INSTANCE=sde:oracle$db1:1521/orcl", Yes),
            ("INSTANCE=sde:oracle$db1:1521,db2:1522/orcl", "INSTANCE=sde:oracle$db1:1521/orcl", Yes),
            ("INSTANCE=sde:oracle$db1:1521,db2:1522/orcl", "INSTANCE=sde:oracle$db2:1521/orcl", No),
            ("SERVER=db1,db2;DATABASE=a", "INSTANCE=sde:postgresql:db2,5432;DATABASE=a", Yes),
            ("SERVER=db1,db2;DATABASE=a", "SERVER=db3;DATABASE=a", No),
            ("SERVER=proddb:1521/orcl", "SERVER=proddb:1521/orcl.example.org", Perhaps),
            ("SERVER=proddb:1521/orcl", "SERVER=proddb:1521/test.example.org", No),
            ("SERVER=db1.example.org.;DATABASE=a", "SERVER=db1;DATABASE=a", Perhaps),
            ("SERVER=[fe80::1],5432;DATABASE=a", "SERVER=db1,5432;DATABASE=a", Perhaps),
            ("SERVER=[fe80::1],5432;DATABASE=a", "INSTANCE=sde:postgresql:[FE80::1],5432;DATABASE=a", Yes),
            ("SERVER=db1;DATABASE=a;USER=gis", "SERVER=db1;DATABASE=a;USER=editor", Perhaps),
            // SQL Server.
            (r"INSTANCE=sde:sqlserver:db1\gis;DATABASE=a", r"SERVER=DB1\GIS;DATABASE=A", Yes),
            (r"INSTANCE=sde:sqlserver:db1\gis;DATABASE=a", r"INSTANCE=sde:sqlserver:db1\test;DATABASE=a", No),
            (r"INSTANCE=sde:sqlserver:db1\gis;DATABASE=a", "SERVER=db1;DATABASE=a", Perhaps),
            ("SERVER=db1,1433;DATABASE=a", "SERVER=tcp:db1,1433;DATABASE=a", Yes),
            // A host with and without its domain, and by its address.
            ("SERVER=db1;DATABASE=a", "SERVER=db1.example.org;DATABASE=a", Perhaps),
            ("SERVER=db1.example.org;DATABASE=a", "SERVER=db1.example.com;DATABASE=a", No),
            ("SERVER=db1;DATABASE=a", "SERVER=db10;DATABASE=a", No),
            ("SERVER=db1;DATABASE=a", "SERVER=10.0.0.5;DATABASE=a", Perhaps),
            ("SERVER=10.0.0.5;DATABASE=a", "SERVER=10.0.0.6;DATABASE=a", No),
            ("SERVER=localhost;DATABASE=a", "SERVER=db1;DATABASE=a", Perhaps),
            ("SERVER=db1;DATABASE=a", "SERVER=db1", Perhaps),
            // This computer, under any of its names.
            ("SERVER=(local);DATABASE=a", "SERVER=db1;DATABASE=a", Perhaps),
            (r"INSTANCE=sde:sqlserver:(local)\gis;DATABASE=a", r"SERVER=db1\gis;DATABASE=a", Perhaps),
            ("SERVER=127.0.0.1;DATABASE=a", "SERVER=10.0.0.5;DATABASE=a", Perhaps),
            ("SERVER=::1,5432;DATABASE=a", "SERVER=db1,5432;DATABASE=a", Perhaps),
            ("SERVER=fe80::1;DATABASE=a", "SERVER=[FE80::1];DATABASE=a", Yes),
            // An alias of Oracle without `sde:`.
            (
                "DBCLIENT=oracle;DB_CONNECTION_PROPERTIES=gisprod",
                "INSTANCE=sde:oracle$db1:1521/orcl",
                Perhaps,
            ),
            ("SERVER=db1;DATABASE=a;USER=gis", "SERVER=db1;DATABASE=a", Yes),
        ] {
            let (item, source) = (database(item), connection(source));
            assert_eq!(item.covers(&source), right, "{item:?} {source:?}");
            assert_eq!(source.covers(&item), right, "{source:?} {item:?}");
        }
        for (share, file, right) in [
            (r"\\nas\gis", r"\\nas.example.org\gis\a.gdb", Perhaps),
            (r"\\nas.example.org\gis", r"\\nas\GIS\a.gdb", Perhaps),
            (r"\\nas.example.org\gis", r"\\nas.example.com\gis\a.gdb", No),
            (r"\\nas\gis", r"\\10.0.0.9\gis\a.gdb", Perhaps),
            (r"\\nas\gis", r"\\other\gis\a.gdb", No),
            (r"\\nas\gis", r"\\nas.example.org\survey\a.gdb", No),
            ("/srv/gis", "/srv/gis/a.gdb", Yes),
            // A drive or a mounted folder can be any share.
            (r"\\nas\gis", r"Z:\gis\a.gdb", Perhaps),
            (r"\\nas\gis", r"Z:\a.gdb", Perhaps),
            (r"Z:\gis", r"\\nas\gis\a.gdb", Perhaps),
            (r"\\nas\gis", "/mnt/gis/a.gdb", Perhaps),
            ("/mnt/gis", r"\\nas\gis\a.gdb", Perhaps),
            ("//nas/gis", "/mnt/gis/a.gdb", Perhaps),
            ("/net/gis", "//nas/gis/a.gdb", Perhaps),
            (r"\\gis1\c$\data", r"C:\data\a.gdb", Perhaps),
            (r"Z:\gis", r"Y:\gis\a.gdb", No),
            (r"Z:\gis", "/mnt/gis/a.gdb", No),
            ("//NAS/GIS", "//nas/gis/a.gdb", Yes),
        ] {
            assert_eq!(folder(share).covers(&folder(file)), right, "{share} {file}");
        }
    }

    #[test]
    fn a_database_of_another_system_on_the_same_host_is_another_one() {
        use Covers::{No, Yes};
        for (item, source, right) in [
            ("INSTANCE=sde:postgresql:db1;DATABASE=a", "INSTANCE=sde:sqlserver:db1;DATABASE=a", No),
            ("DBCLIENT=postgresql;SERVER=db1;DATABASE=a", "DBCLIENT=sqlserver;SERVER=db1;DATABASE=a", No),
            ("INSTANCE=sde:postgresql:db1;DATABASE=a", "DBCLIENT=SQL Server;SERVER=db1;DATABASE=a", No),
            ("INSTANCE=sde:oracle19c:db1;DATABASE=a", "DBCLIENT=hana;SERVER=db1;DATABASE=a", No),
            // Spellings of one system, and a system that only one of them names.
            ("INSTANCE=sde:postgresql:db1;DATABASE=a", "DBCLIENT=PostgreSQL;SERVER=db1;DATABASE=a", Yes),
            ("INSTANCE=sde:sqlserver:db1;DATABASE=a", "DBCLIENT=MSSQL;SERVER=db1;DATABASE=a", Yes),
            ("INSTANCE=sde:oracle11g:db1/orcl", "DBCLIENT=Oracle;SERVER=db1/orcl", Yes),
            ("INSTANCE=sde:postgresql:db1;DATABASE=a", "SERVER=db1;DATABASE=a", Yes),
            ("INSTANCE=sde:postgresql:db1;DATABASE=a", "DBCLIENT=later;SERVER=db1;DATABASE=a", Yes),
        ] {
            let (item, source) = (database(item), connection(source));
            assert_eq!(item.covers(&source), right, "{item:?} {source:?}");
            assert_eq!(source.covers(&item), right, "{source:?} {item:?}");
        }
        let managed = json!({ "info": {
            "connectionString": "INSTANCE=sde:postgresql:ds1,9876;DATABASE=a", "machines": [{ "name": "ds1" }],
        } });
        let managed = DataLocation::of_item(&managed).unwrap();
        let other = connection("INSTANCE=sde:sqlserver:ds1;DATABASE=a");
        assert_eq!(managed.covers(&other), No, "found by a machine of the store");
    }

    #[test]
    fn a_path_with_two_dots_is_where_it_leads() {
        use Covers::{No, Perhaps, Yes};
        for (item, file, right) in [
            (r"\\nas\gis\survey", r"\\nas\gis\survey\..\secret\a.gdb", No),
            (r"\\nas\gis\secret", r"\\nas\gis\survey\..\secret\a.gdb", Yes),
            (r"\\nas\gis\survey\..\secret", r"\\nas\gis\secret\a.gdb", Yes),
            (r"\\nas\gis\survey\..\secret", r"\\nas\gis\survey\a.gdb", No),
            (r"\\nas\gis\.\survey", r"\\nas\gis\survey\.\a.gdb", Yes),
            ("/srv/gis/survey", "/srv/gis/survey/../secret/a.gdb", No),
            ("/srv/gis", "/srv/gis/survey/../secret/a.gdb", Yes),
            (r"D:\gis\survey", r"D:\gis\survey\..\..\other\a.gdb", No),
            // Nothing is above a share, a drive, or the root folder.
            (r"\\nas\gis", r"\\nas\gis\..\..\other\a.gdb", Yes),
            (r"D:\gis", r"D:\..\gis\a.gdb", Yes),
            ("/gis", "/../gis/a.gdb", Yes),
            // A name can begin with dots.
            (r"\\nas\gis\survey", r"\\nas\gis\survey\..a\b.gdb", Yes),
            // A path that is not absolute can lead anywhere.
            ("gis/survey", "../gis/survey/a.gdb", Perhaps),
        ] {
            assert_eq!(folder(item).covers(&folder(file)), right, "{item} {file}");
        }
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
