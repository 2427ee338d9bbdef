//! Data store items. The columns beside the JSON document are what findItems filters by.

use crate::wire::Refusal;
use rusqlite::types::Value as Sql;
use rusqlite::{Connection, OptionalExtension as _, Transaction, params, params_from_iter};
use serde_json::Value;

/// The filters of findItems that were given. Together they narrow.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Filter {
    pub(crate) parent_path: Option<String>,
    pub(crate) ancestor_path: Option<String>,
    pub(crate) types: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) managed: Option<bool>,
}

pub(crate) fn find(server: &Connection, filter: &Filter) -> Result<Vec<Value>, Refusal> {
    let mut items = Vec::new();
    each(server, filter, |item| {
        items.push(serde_json::from_str(item)?);
        Ok(())
    })?;
    Ok(items)
}

/// The answer of findItems as JSON, made of the documents as they are stored.
pub(crate) fn find_as_text(server: &Connection, filter: &Filter) -> Result<String, Refusal> {
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

/// Shows every document that passes the filter.
fn each(
    server: &Connection,
    filter: &Filter,
    mut show: impl FnMut(&str) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut conditions: Vec<String> = Vec::new();
    let mut values: Vec<Sql> = Vec::new();
    if let Some(parent) = &filter.parent_path {
        conditions.push("parent_path = ?".into());
        values.push(parent.clone().into());
    }
    if let Some(ancestor) = filter.ancestor_path.as_deref().filter(|path| *path != "/") {
        // Everything that begins with `ancestor/`: a range, so that the index on the path serves it. The
        // character after the slash is 0.
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

pub(crate) fn at_path(server: &Connection, path: &str) -> Result<Option<Value>, Refusal> {
    let mut find = server.prepare_cached("SELECT item FROM data_items WHERE path = ?1")?;
    Ok(find.query_row([path], |row| super::json_column(row, 0)).optional()?)
}

/// The first segments of all paths.
pub(crate) fn roots(server: &Connection) -> Result<Vec<String>, Refusal> {
    let mut list = server.prepare_cached(
        "SELECT DISTINCT '/' || substr(path, 2, instr(substr(path, 2) || '/', '/') - 1) AS root
         FROM data_items ORDER BY root",
    )?;
    let roots = list.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(roots)
}

/// Forgets the item at this path.
pub(crate) fn remove(tx: &Transaction, path: &str) -> Result<(), Refusal> {
    tx.execute("DELETE FROM data_items WHERE path = ?1", [path])?;
    Ok(())
}

pub(crate) fn add(tx: &Transaction, item: &Value) -> Result<(), Refusal> {
    let text = |name: &str| {
        item[name].as_str().ok_or_else(|| Refusal::bad_request(format!("A data item has no '{name}'.")))
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
