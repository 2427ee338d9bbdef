//! Services, by folder, name and type.

use crate::wire::Refusal;
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

/// `folder/name.type`; the root folder has no name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ServiceName {
    pub(crate) folder: String,
    pub(crate) name: String,
    pub(crate) kind: String,
}

impl ServiceName {
    /// `folder` as the path gives it, and `name.type`.
    pub(crate) fn parse(folder: &str, name_and_type: &str) -> Option<ServiceName> {
        let (name, kind) = name_and_type.rsplit_once('.')?;
        (!name.is_empty() && kind.ends_with("Server")).then(|| ServiceName {
            folder: folder.to_owned(),
            name: name.to_owned(),
            kind: kind.to_owned(),
        })
    }

    /// The whole of it in one text, as it is displayed.
    pub(crate) fn parse_full(text: &str) -> Option<ServiceName> {
        let (folder, name_and_type) = text.split_once('/').unwrap_or(("", text));
        ServiceName::parse(folder, name_and_type)
    }

    /// The folder as listings show it.
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

pub(crate) fn find(server: &Connection, name: &ServiceName) -> Result<Service, Refusal> {
    let mut find = server.prepare_cached(&format!(
        "SELECT {FIELDS} FROM services WHERE folder = ?1 AND name = ?2 AND type = ?3"
    ))?;
    find.query_row(params![name.folder, name.name, name.kind], from_row)
        .optional()?
        .ok_or_else(|| Refusal::not_found(format!("The service {name}")))
}

pub(crate) fn in_folder(server: &Connection, folder: &str) -> Result<Vec<Service>, Refusal> {
    let mut list = server
        .prepare_cached(&format!("SELECT {FIELDS} FROM services WHERE folder = ?1 ORDER BY name, type"))?;
    let services = list.query_map([folder], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(services)
}

pub(crate) fn all(server: &Connection) -> Result<Vec<Service>, Refusal> {
    let mut list =
        server.prepare_cached(&format!("SELECT {FIELDS} FROM services ORDER BY folder, name, type"))?;
    let services = list.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?;
    Ok(services)
}

/// The names of all folders but the root.
pub(crate) fn folders(server: &Connection) -> Result<Vec<String>, Refusal> {
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
