//! Services, identified by folder, name and type.

use crate::wire::ApiError;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::Value;

pub(crate) struct Service {
    pub(crate) id: i64,
    pub(crate) name: ServiceName,
    pub(crate) description: String,
    pub(crate) configuration: Value,
    pub(crate) data_path: String,
    pub(crate) configured_state: String,
    pub(crate) real_time_state: String,
}

/// Full name of a service, `folder/name.type`. The root folder has an empty name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServiceName {
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) kind: String,
}

impl ServiceName {
    /// Parses the folder and `name.type` of a path. `None` if the name is empty or the type does not end with `Server`.
    pub(crate) fn parse(folder: &str, name_and_type: &str) -> Option<ServiceName> {
        let (name, kind) = name_and_type.rsplit_once('.')?;
        (!name.is_empty() && kind.ends_with("Server")).then(|| ServiceName {
            folder: folder.to_owned(),
            name: name.to_owned(),
            kind: kind.to_owned(),
        })
    }

    /// Parses a full name in the format of [`Display`](std::fmt::Display).
    pub(crate) fn parse_full(text: &str) -> Option<ServiceName> {
        let (folder, name_and_type) = text.split_once('/').unwrap_or(("", text));
        ServiceName::parse(folder, name_and_type)
    }

    /// Returns the folder as shown in lists.
    pub(crate) fn shown_folder(&self) -> &str {
        if self.folder.is_empty() { "/" } else { &self.folder }
    }
}

impl std::fmt::Display for ServiceName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.folder.is_empty() {
            write!(f, "{}/", self.folder)?;
        }
        write!(f, "{}.{}", self.name, self.kind)
    }
}

const FIELDS: &str =
    "id, folder, name, type, description, configuration, data_path, configured_state, real_time_state";

/// Returns a service.
pub(crate) fn find(server: &Connection, name: &ServiceName) -> Result<Service, ApiError> {
    let mut find = server.prepare_cached(&format!(
        "SELECT {FIELDS} FROM services WHERE folder = ?1 AND name = ?2 AND type = ?3"
    ))?;
    find.query_row(params![name.folder, name.name, name.kind], from_row)
        .optional()?
        .ok_or_else(|| ApiError::not_found(format!("The service {name}")))
}

/// Returns the services of a folder, in the order of name and type.
pub(crate) fn in_folder(server: &Connection, folder: &str) -> Result<Vec<Service>, ApiError> {
    let mut list = server
        .prepare_cached(&format!("SELECT {FIELDS} FROM services WHERE folder = ?1 ORDER BY name, type"))?;
    let services = list.query_map([folder], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(services)
}

/// Returns all services, in the order of folder, name and type.
pub(crate) fn all(server: &Connection) -> Result<Vec<Service>, ApiError> {
    let mut list =
        server.prepare_cached(&format!("SELECT {FIELDS} FROM services ORDER BY folder, name, type"))?;
    let services = list.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(services)
}

/// Returns the names of all folders except the root folder.
pub(crate) fn folders(server: &Connection) -> Result<Vec<String>, ApiError> {
    let mut list =
        server.prepare_cached("SELECT DISTINCT folder FROM services WHERE folder <> '' ORDER BY folder")?;
    let folders = list.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(folders)
}

fn from_row(row: &Row) -> rusqlite::Result<Service> {
    Ok(Service {
        id: row.get(0)?,
        name: ServiceName { folder: row.get(1)?, name: row.get(2)?, kind: row.get(3)? },
        description: row.get(4)?,
        configuration: super::json_column(row, 5)?,
        data_path: row.get(6)?,
        configured_state: row.get(7)?,
        real_time_state: row.get(8)?,
    })
}
