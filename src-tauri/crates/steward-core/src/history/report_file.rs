//! An import report as a file: a page, a table, or JSON.

use std::fmt::Write;

use anyhow::Context;

use crate::model::import_report::{ImportReport, ReportMessage, ReportSource};
use crate::model::localized_text::Words;

/// The columns of the table, one line per machine report, and one for a message that has none. Their names in words
/// are in the window's catalogues, under `reportFile`.
const COLUMNS: [&str; 8] =
    ["source", "level", "message", "service", "state", "machine", "machineState", "machineMessage"];

/// For a program.
pub fn json(report: &ImportReport) -> anyhow::Result<String> {
    serde_json::to_string_pretty(report).context("the report could not be written down")
}

/// A table for a spreadsheet, its columns named in the language of these words.
pub(crate) fn csv(report: &ImportReport, words: &Words) -> String {
    // The mark in front tells spreadsheets that it is UTF-8.
    let mut file = String::from("\u{feff}");
    file.push_str(&columns(words).map(|name| csv_field(&name)).join(","));
    file.push_str("\r\n");
    for line in lines(report) {
        file.push_str(&line.map(csv_field).join(","));
        file.push_str("\r\n");
    }
    file
}

/// A page to read and to print, in the language of these words. `facts` is markup: the table that says of which import it is.
/// The texts of the report come from a server and are never markup.
pub(crate) fn html(report: &ImportReport, facts: &str, words: &Words) -> String {
    let say = |name: &str| html_text(&words.say(&format!("reportFile.{name}"), &[]));
    let title = say("title");
    let mut page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font:14px system-ui;margin:2em}}td,th{{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top}}table{{border-collapse:collapse}}</style><h1>{title}</h1>{facts}<ul>",
        language = words.language()
    );
    let counts = &report.counts;
    let counted = [
        ("errors", counts.errors),
        ("failedServices", counts.failed_services),
        ("warnings", counts.warnings),
        ("notes", counts.notes),
    ];
    // Writing to a string cannot fail.
    for (name, count) in counted {
        let _ = write!(page, "<li>{}: {count}", say(name));
    }
    page.push_str("</ul><table><tr>");
    for column in columns(words) {
        let _ = write!(page, "<th>{}", html_text(&column));
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

fn columns(words: &Words) -> [String; 8] {
    COLUMNS.map(|name| words.say(&format!("reportFile.{name}"), &[]))
}

/// The worst first, as the window shows them, and in the site's order among equals.
fn lines<'a>(report: &'a ImportReport) -> impl Iterator<Item = [&'a str; 8]> {
    let of_source = |source: &'a ReportSource| std::iter::repeat(source).zip(&source.messages);
    let mut messages: Vec<(&ReportSource, &ReportMessage)> =
        report.sources.iter().flat_map(of_source).collect();
    messages.sort_by_key(|(_, message)| message.severity());
    messages.into_iter().flat_map(|(source, message)| of(source, message))
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
    use crate::model::import_report::{ReportCounts, ServiceStart};

    fn report(message: &str) -> ImportReport {
        let message = ReportMessage { level: "INFO".to_owned(), message: message.to_owned(), service: None };
        ImportReport {
            status: "success".to_owned(),
            counts: ReportCounts { errors: 0, failed_services: 0, warnings: 0, notes: 1 },
            sources: vec![ReportSource { source: "Site".to_owned(), messages: vec![message] }],
            way_back: None,
        }
    }

    #[test]
    fn a_saved_page_says_of_which_import_it_is_before_what_it_says_of_it() {
        let page = html(&report("a note"), "<table><tr><th>Site<td>City GIS</table>", &Words::of("en"));

        let at = |text: &str| page.find(text).unwrap();
        assert!(at("</h1>") < at("City GIS") && at("City GIS") < at("Services that did not start"), "{page}");
    }

    #[test]
    fn a_message_from_a_server_is_never_markup_in_a_saved_page() {
        assert!(!html(&report("<img src=x onerror=alert(1)>"), "", &Words::of("en")).contains("<img"));
    }

    #[test]
    fn a_message_from_a_server_is_never_a_formula_in_a_spreadsheet() {
        let file = csv(&report("=HYPERLINK(\"http://x\")\nsecond line"), &Words::of("en"));

        assert!(file.contains("\"'=HYPERLINK(\"\"http://x\"\")\nsecond line\""), "{file}");
    }

    #[test]
    fn a_saved_report_begins_with_what_did_not_start() {
        let service = ServiceStart {
            service: "Zoning".to_owned(),
            state: "FAILED".to_owned(),
            message: String::new(),
            machines: Vec::new(),
        };
        let failed =
            ReportMessage { level: "INFO".to_owned(), message: "last".to_owned(), service: Some(service) };
        let mut report = report("a note");
        report.sources.push(ReportSource { source: "Services".to_owned(), messages: vec![failed] });

        for file in [csv(&report, &Words::of("en")), html(&report, "", &Words::of("en"))] {
            let at = |text: &str| file.find(text).unwrap();
            assert!(at("Zoning") < at("a note"), "{file}");
        }
    }

    #[test]
    fn a_saved_report_speaks_the_language_of_the_window() {
        let report = report("Sites are");
        let [english, german, spanish] = ["en", "de", "es"].map(|language| {
            let words = Words::of(language);
            (html(&report, "", &words), csv(&report, &words))
        });

        for (page, table) in [&english, &german, &spanish] {
            assert!(!page.contains("reportFile") && !table.contains("reportFile"), "{page}{table}");
            assert!(page.contains("Sites are") && table.contains("Sites are"), "the server's words stay");
        }
        assert!(english.0.contains("lang=\"en\"") && german.0.contains("lang=\"de\""));
        assert!(german.0.contains("Warnungen: 0") && german.1.contains("Meldung"), "{}", german.0);
        assert!(spanish.0.contains("Advertencias: 0") && spanish.1.contains("Mensaje"), "{}", spanish.0);
    }
}
