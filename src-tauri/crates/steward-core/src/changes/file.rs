//! A comparison as a file: `html` page, `csv` table, or `json`. All texts of a site are escaped in each format.

use std::fmt::Write;
use std::io;

use steward_journal::tables::Table;

use super::view::{ComparisonView, DifferenceView, FieldView};
use crate::files::list_separator;
use crate::history::report_file::html_text;
use crate::model::localized_text::Texts;
use crate::model::numbers::Millis;

/// Columns. Their titles are in the message catalogs of the window, under `changesFile`.
const COLUMNS: [&str; 11] =
    ["kind", "change", "name", "server", "field", "before", "after", "firstSeen", "by", "accepted", "reason"];

/// A resource that differs, with all of its fields.
pub(super) type Row<'a> = (&'a DifferenceView, Vec<FieldView>);

/// Returns the comparison as a CSV table. What was not compared has rows of its own.
pub(super) fn csv(comparison: &ComparisonView, rows: &[Row<'_>], words: &Texts) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut table = Table::begin(&mut file, list_separator())?;
    table.row(COLUMNS.map(|column| say(words, column)))?;
    for line in lines(comparison, rows, words) {
        table.row(line)?;
    }
    table.end()?;
    Ok(file)
}

/// Returns the comparison as an HTML page. `title` is a sentence about both snapshots.
pub(super) fn html(comparison: &ComparisonView, rows: &[Row<'_>], title: &str, words: &Texts) -> String {
    let title = html_text(title);
    let mut page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font:14px system-ui;margin:2em}}td,th{{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top;overflow-wrap:anywhere}}table{{border-collapse:collapse}}</style>\
         <h1>{title}</h1><table><tr>",
        language = words.language()
    );
    // Writing to a string cannot fail.
    for column in COLUMNS {
        let _ = write!(page, "<th>{}", html_text(&say(words, column)));
    }
    for line in lines(comparison, rows, words) {
        page.push_str("<tr>");
        for cell in line {
            let _ = write!(page, "<td>{}", html_text(&cell));
        }
    }
    page.push_str("</table></html>\n");
    page
}

fn say(words: &Texts, name: &str) -> String {
    words.say(&format!("changesFile.{name}"), &[])
}

/// Returns the rows, one for each field, and then what was not compared.
fn lines(comparison: &ComparisonView, rows: &[Row<'_>], words: &Texts) -> Vec<[String; 11]> {
    let mut all = Vec::new();
    for (one, fields) in rows {
        let start = |field: [String; 3]| {
            let [field, before, after] = field;
            let (accepted, reason) = one
                .accepted
                .as_ref()
                .map(|accepted| (format!("{} {}", time(accepted.at), accepted.who), accepted.reason.clone()))
                .unwrap_or_default();
            let by = match &one.by {
                Some(by) => format!("{} {} {}", by.operation.name(), time(by.at), by.username),
                None if comparison.is_between => String::new(),
                None if comparison.is_history_known => say(words, "notByApp"),
                None => say(words, "notKnown"),
            };
            [
                say(words, &format!("kinds.{}", one.key.kind.name())),
                say(words, &format!("changes.{:?}", one.change)),
                one.key.name.clone(),
                one.server.clone().unwrap_or_default(),
                field,
                before,
                after,
                one.first_seen.map(time).unwrap_or_default(),
                by,
                accepted,
                reason,
            ]
        };
        if fields.is_empty() {
            all.push(start(Default::default()));
        }
        for field in fields {
            let value = |value: &Option<String>| match (field.is_secret, value) {
                (true, _) => say(words, "secret"),
                (false, value) => value.clone().unwrap_or_default(),
            };
            all.push(start([field.field.clone(), value(&field.before), value(&field.after)]));
        }
    }
    for gap in &comparison.not_compared {
        let mut line: [String; 11] = Default::default();
        line[0] = say(words, &format!("kinds.{}", gap.resource_kind.name()));
        line[1] = say(words, "notCompared");
        line[2].clone_from(&gap.name);
        line[3] = gap.server.clone().unwrap_or_default();
        line[10].clone_from(&gap.reason);
        all.push(line);
    }
    all
}

fn time(at: Millis) -> String {
    at.timestamp().to_string()
}
