//! Data store items. The columns beside the JSON document are the filters of findItems.

use crate::wire::ApiError;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params, params_from_iter};
use serde_json::Value;

/// Filters of findItems. An item must match all of them.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) parent_path: Option<String>,
    pub(crate) ancestor_path: Option<String>,
    pub(crate) types: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) managed: Option<bool>,
}

/// Returns the items that match the filter, in the order of their paths.
pub(crate) fn find(server: &Connection, filter: &Filter) -> Result<Vec<Value>, ApiError> {
    let mut items = Vec::new();
    each(server, filter, |item| {
        items.push(serde_json::from_str(item)?);
        Ok(())
    })?;
    Ok(items)
}

/// Returns the response of findItems as JSON text, built from the stored documents without parsing them.
pub(crate) fn find_as_text(server: &Connection, filter: &Filter) -> Result<String, ApiError> {
    let mut text = String::from(r#"{"items":["#);
    each(server, filter, |item| {
        if !text.ends_with('[') {
            text.push(',');
        }
        text.push_str(item);
        Ok(())
    })?;
    text.push_str("]}");
    Ok(text)
}

/// Passes every document that matches the filter to `show`.
fn each(
    server: &Connection,
    filter: &Filter,
    mut show: impl FnMut(&str) -> Result<(), ApiError>,
) -> Result<(), ApiError> {
    let mut conditions: Vec<String> = Vec::new();
    let mut values: Vec<Sql> = Vec::new();
    if let Some(parent) = &filter.parent_path {
        conditions.push("parent_path = ?".into());
        values.push(parent.clone().into());
    }
    if let Some(ancestor) = filter.ancestor_path.as_deref().filter(|path| *path != "/") {
        // All paths that begin with `ancestor/`, as a range, so that the index on the path is used. The character after
        // the slash is 0.
        conditions.push("path > ? AND path < ?".into());
        values.push(format!("{ancestor}/").into());
        values.push(format!("{ancestor}0").into());
    }
    if !filter.types.is_empty() {
        let marks = vec!["?"; filter.types.len()].join(", ");
        conditions.push(format!("type IN ({marks})"));
        values.extend(filter.types.iter().cloned().map(Sql::from));
    }
    if let Some(id) = &filter.id {
        conditions.push("id = ?".into());
        values.push(id.clone().into());
    }
    if let Some(managed) = filter.managed {
        conditions.push("managed = ?".into());
        values.push(i64::from(managed).into());
    }
    let conditions = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
    let mut find =
        server.prepare_cached(&format!("SELECT item FROM data_items WHERE {conditions} ORDER BY path"))?;
    let mut rows = find.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        show(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?;
    }
    Ok(())
}

/// Returns the item at this path. `None` if there is none.
pub(crate) fn at_path(server: &Connection, path: &str) -> Result<Option<Value>, ApiError> {
    let mut find = server.prepare_cached("SELECT item FROM data_items WHERE path = ?1")?;
    Ok(find.query_row([path], |row| super::json_column(row, 0)).optional()?)
}

/// Returns the distinct first segments of all paths.
pub(crate) fn roots(server: &Connection) -> Result<Vec<String>, ApiError> {
    let mut list = server.prepare_cached(
        "SELECT DISTINCT '/' || substr(path, 2, instr(substr(path, 2) || '/', '/') - 1) AS root
         FROM data_items ORDER BY root",
    )?;
    let roots = list.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(roots)
}

/// Adds an item.
pub(crate) fn add(tx: &Transaction, item: &Value) -> Result<(), ApiError> {
    let text = |name: &str| {
        item[name].as_str().ok_or_else(|| ApiError::bad_request(format!("A data item has no '{name}'.")))
    };
    let path = text("path")?;
    let parent =
        path.rsplit_once('/').map_or("/", |(parent, _)| if parent.is_empty() { "/" } else { parent });
    let managed = item["info"]["isManaged"].as_bool().unwrap_or(false);
    tx.prepare_cached(
        "INSERT INTO data_items (path, parent_path, id, type, managed, item) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![path, parent, text("id")?, text("type")?, managed, item.to_string()])?;
    Ok(())
}
