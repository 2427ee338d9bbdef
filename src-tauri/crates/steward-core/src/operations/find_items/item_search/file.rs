//! Exports the items of a search: CSV table or JSON, with secrets masked.

use anyhow::Context;
use serde::Deserialize;
use steward_journal::tables::Table;

use super::{ItemQuery, ItemSearch};
use crate::files::list_separator;
use crate::model::data_item::concealed;
use crate::model::item_row::ItemRow;
use crate::model::numbers::Millis;

/// File type of exported items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ItemFormat {
    /// CSV table with one item in each row.
    Csv,
    /// JSON with all values of the items.
    Json,
}

impl ItemFormat {
    /// Returns the file extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

const COLUMNS: [&str; 14] = [
    "name",
    "type",
    "path",
    "location",
    "provider",
    "isManaged",
    "systemManaged",
    "modified",
    "created",
    "machines",
    "purposes",
    "description",
    "revision",
    "id",
];

/// Returns the content of the file: the rows of a query in its order.
///
/// # Errors
/// An item cannot be read or encoded.
pub fn save(search: &ItemSearch, query: &ItemQuery, format: ItemFormat) -> anyhow::Result<Vec<u8>> {
    match format {
        ItemFormat::Csv => Ok(csv(search, query)?),
        ItemFormat::Json => json(search, query),
    }
}

fn csv(search: &ItemSearch, query: &ItemQuery) -> std::io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut table = Table::begin(&mut file, list_separator())?;
    table.row(COLUMNS)?;
    for row in search.all(query) {
        let [is_managed, system_managed] = [row.is_managed, row.system_managed].map(answer);
        let [modified, created] = [row.modified, row.created].map(moment);
        table.row([
            row.name.as_str(),
            &row.r#type,
            &row.path,
            &row.location,
            &row.provider,
            is_managed,
            system_managed,
            &modified,
            &created,
            &row.machines,
            &row.purposes,
            &row.description,
            &row.revision,
            &row.id,
        ])?;
    }
    table.end()?;
    Ok(file)
}

fn json(search: &ItemSearch, query: &ItemQuery) -> anyhow::Result<Vec<u8>> {
    let mut file = Vec::from(b"[");
    for (number, ItemRow { item, .. }) in search.all(query).enumerate() {
        file.extend_from_slice(if number == 0 { b"\n" } else { b",\n" });
        let item = search
            .item(*item)
            .map_err(|problem| anyhow::anyhow!(crate::model::problem::as_text(&problem)))?;
        serde_json::to_writer(&mut file, &concealed(&item)).context("an item could not be written down")?;
    }
    file.extend_from_slice(b"\n]\n");
    Ok(file)
}

const fn answer(answer: Option<bool>) -> &'static str {
    match answer {
        None => "",
        Some(true) => "true",
        Some(false) => "false",
    }
}

fn moment(at: Option<Millis>) -> String {
    let moment = at.and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
    moment.map(|moment| moment.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::operations::find_items::item_search::ItemColumn;

    fn written(filter: &str, format: ItemFormat) -> String {
        let items = [
            json!({ "name": "=HYPERLINK(\"http://x\")", "path": "/a,b", "type": "folder", "meta": { "modified": 0 } }),
            json!({ "name": "roads", "info": { "connectionString": "PASSWORD=canary;SERVER=db1", "password": "canary" } }),
        ];
        let search = ItemSearch::of_list(&json!(items).to_string());
        let filter = filter.to_owned();
        let query = ItemQuery { column: ItemColumn::Name, descending: true, filter, r#type: None };
        String::from_utf8(save(&search, &query, format).unwrap()).unwrap()
    }

    #[test]
    fn a_name_from_a_server_is_never_a_formula_in_a_spreadsheet() {
        let file = written("", ItemFormat::Csv);

        let lines: Vec<_> = file.split("\r\n").collect();
        assert_eq!(lines.len(), 4, "{file}");
        assert!(lines[1].starts_with("\"roads\""), "in the order of the table: {file}");
        let guarded = "\"'=HYPERLINK(\"\"http://x\"\")\",\"folder\",\"/a,b\"";
        assert!(lines[2].starts_with(guarded), "{file}");
        assert!(lines[2].contains("1970-01-01T00:00:00Z"), "{file}");
    }

    #[test]
    fn no_file_holds_a_secret_and_a_filter_counts_in_both() {
        for format in [ItemFormat::Csv, ItemFormat::Json] {
            let file = written("db1", format);
            assert!(!file.contains("canary") && file.contains("db1"), "{file}");
            assert!(!file.contains("HYPERLINK"), "{file}");
        }
        let all: Vec<Value> = serde_json::from_str(&written("", ItemFormat::Json)).unwrap();
        assert_eq!(all.len(), 2);
        let none: Vec<Value> = serde_json::from_str(&written("nothing", ItemFormat::Json)).unwrap();
        assert!(none.is_empty());
    }
}
