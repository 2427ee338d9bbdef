//! An import report as a file: a page, a table, or JSON.

use std::fmt::Write;

use anyhow::Context;

use crate::views::import_report::{ImportReport, ReportMessage, ReportSource};

/// The columns of the table, one line per machine report, and one for a message that has none.
const COLUMNS: [&str; 8] =
    ["source", "level", "message", "service", "state", "machine", "machine state", "machine message"];

/// For a program.
pub fn json(report: &ImportReport) -> anyhow::Result<String> {
    serde_json::to_string_pretty(report).context("the report could not be written down")
}

/// A table for a spreadsheet.
pub fn csv(report: &ImportReport) -> String {
    // The mark in front tells spreadsheets that it is UTF-8.
    let mut file = String::from("\u{feff}");
    file.push_str(&COLUMNS.map(csv_field).join(","));
    file.push_str("\r\n");
    for line in lines(report) {
        file.push_str(&line.map(csv_field).join(","));
        file.push_str("\r\n");
    }
    file
}

/// A page to read and to print. The texts come from a server and are never markup.
pub fn html(report: &ImportReport) -> String {
    let counts = &report.counts;
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Import report</title>\
         <style>body{font:14px system-ui;margin:2em}td,th{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top}table{border-collapse:collapse}</style><h1>Import report</h1>",
    );
    // Writing to a string cannot fail.
    let _ = write!(
        page,
        "<p>{} services did not start, {} warnings, {} notes.</p><table><tr>",
        counts.failed_services, counts.warnings, counts.notes
    );
    for column in COLUMNS {
        let _ = write!(page, "<th>{column}");
    }
    for line in lines(report) {
        page.push_str("<tr>");
        for cell in line {
            let _ = write!(page, "<td>{}", html_text(cell));
        }
    }
    page.push_str("</table></html>\n");
    page
}

fn lines(report: &ImportReport) -> impl Iterator<Item = [&str; 8]> {
    report.sources.iter().flat_map(|source| source.messages.iter().flat_map(|message| of(source, message)))
}

fn of<'a>(source: &'a ReportSource, message: &'a ReportMessage) -> Vec<[&'a str; 8]> {
    let start = [source.source.as_str(), &message.level, &message.message];
    let line = |service: [&'a str; 2], machine: [&'a str; 3]| {
        [start[0], start[1], start[2], service[0], service[1], machine[0], machine[1], machine[2]]
    };
    let Some(service) = &message.service else {
        return vec![line(["", ""], ["", "", ""])];
    };
    let named = [service.service.as_str(), service.state.as_str()];
    let reports: Vec<_> = service
        .machines
        .iter()
        .flat_map(|machine| machine.reports.iter().map(move |report| (machine, report)))
        .map(|(machine, report)| line(named, [&machine.machine, &report.state, &report.message]))
        .collect();
    if reports.is_empty() { vec![line(named, ["", "", &service.message])] } else { reports }
}

/// A field that begins like a formula would be run by a spreadsheet.
pub(crate) fn csv_field(text: &str) -> String {
    let guarded =
        if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    format!("\"{}\"", guarded.replace('"', "\"\""))
}

fn html_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::import_report::ReportCounts;

    fn report(message: &str) -> ImportReport {
        let message = ReportMessage { level: "INFO".to_owned(), message: message.to_owned(), service: None };
        ImportReport {
            status: "success".to_owned(),
            counts: ReportCounts { failed_services: 0, warnings: 0, notes: 1 },
            sources: vec![ReportSource { source: "Site".to_owned(), messages: vec![message] }],
            way_back: None,
        }
    }

    #[test]
    fn a_message_from_a_server_is_never_markup_in_a_saved_page() {
        assert!(!html(&report("<img src=x onerror=alert(1)>")).contains("<img"));
    }

    #[test]
    fn a_message_from_a_server_is_never_a_formula_in_a_spreadsheet() {
        let file = csv(&report("=HYPERLINK(\"http://x\")\nsecond line"));

        assert!(file.contains("\"'=HYPERLINK(\"\"http://x\"\")\nsecond line\""), "{file}");
    }
}
