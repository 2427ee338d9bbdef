//! Import report as a file: `html` page, `csv` table, or `json`.
//!
//! All texts of a report come from a server, so they are escaped in each format.

use std::fmt::Write;
use std::io;

use anyhow::Context;
use serde::Serialize;
use steward_journal::tables::Table;

use crate::files::list_separator;
use crate::model::import_report::{ImportReport, ReportMessage, ReportSource};
use crate::model::localized_text::Texts;
use crate::model::reactivated_webhooks::NotReactivated;
use crate::model::service_check::ImportProof;

/// Columns of the table, with one row per machine report, and one for a message without any. Their titles are in the
/// window's message catalogs, under `reportFile`.
const COLUMNS: [&str; 9] =
    ["source", "level", "message", "service", "state", "machine", "machineState", "machineMessage", "head"];

/// Returns a report as JSON, with the head of the audit trail.
///
/// # Errors
/// The report cannot be encoded, which does not occur for a valid one.
pub fn json(report: &ImportReport, head: &str) -> anyhow::Result<String> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct WithHead<'a> {
        #[serde(flatten)]
        report: &'a ImportReport,
        audit_trail_head: &'a str,
    }
    serde_json::to_string_pretty(&WithHead { report, audit_trail_head: head })
        .context("the report could not be written down")
}

/// Returns a report as a CSV table, with column titles in the language of `words`. The first row has the head of the audit
/// trail.
pub(crate) fn csv(report: &ImportReport, head: &str, words: &Texts) -> io::Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut table = Table::begin(&mut file, list_separator())?;
    table.row(columns(words))?;
    let further = further(words);
    let mut lines: Vec<_> = lines(report, &further).collect();
    if lines.is_empty() {
        lines.push([""; 8]);
    }
    let heads = std::iter::once(head).chain(std::iter::repeat(""));
    for (line, head) in lines.into_iter().zip(heads) {
        table.row(line.into_iter().chain([head]))?;
    }
    table.end()?;
    Ok(file)
}

/// Returns a report as an HTML page in the language of `words`, with the head of the audit trail. `facts` is HTML: the table
/// that describes the import. All texts of the report come from a server, and are escaped.
pub(crate) fn html(report: &ImportReport, facts: &str, head: &str, words: &Texts) -> String {
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
    for line in verdict(report, words) {
        let _ = write!(page, "<li>{}", html_text(&line));
    }
    page.push_str("</ul><table><tr>");
    for column in columns(words).into_iter().take(COLUMNS.len() - 1) {
        let _ = write!(page, "<th>{}", html_text(&column));
    }
    for line in lines(report, &further(words)) {
        page.push_str("<tr>");
        for cell in line {
            let _ = write!(page, "<td>{}", html_text(cell));
        }
    }
    let _ = writeln!(page, "</table><p>{}<br><code>{}</code></html>", say("head"), html_text(head));
    page
}

/// Returns the results of the checks after the import: services that run, services that are missing, and webhooks that
/// are active again.
fn verdict(report: &ImportReport, words: &Texts) -> Vec<String> {
    let say = |name: &str, values: &[(&str, &str)]| words.say(&format!("reportFile.{name}"), values);
    let mut lines = Vec::new();
    let proof = report.proof.as_ref();
    if let Some(check) = proof.and_then(ImportProof::last_check) {
        let [running, total] = [check.running, check.should_run].map(|number| number.to_string());
        lines.push(say("running", &[("running", &running), ("total", &total)]));
        let not_running = check.not_running.iter();
        lines.extend(
            not_running.map(|one| say("notRunning", &[("service", &one.service), ("state", &one.state)])),
        );
        if check.unknown > 0 {
            lines.push(say("unknownStates", &[("count", &check.unknown.to_string())]));
        }
        lines.extend(check.unlisted.iter().map(|folder| say("unlisted", &[("folder", folder)])));
    }
    let lost = proof.and_then(|proof| proof.lost.as_ref()).into_iter().flatten();
    lines.extend(lost.map(|service| say("lost", &[("service", service)])));
    if let Some(webhooks) = &report.reactivated {
        lines.extend(
            webhooks.not_read.iter().map(|reason| say("reactivationNotRead", &[("reason", reason.as_str())])),
        );
        let (active, total) = (webhooks.active.to_string(), webhooks.count().to_string());
        lines.push(say("reactivated", &[("active", &active), ("total", &total)]));
        let each = |key: &'static str, webhooks: &[NotReactivated]| {
            let line =
                |one: &NotReactivated| say(key, &[("service", &one.service), ("webhook", &one.webhook)]);
            webhooks.iter().map(line).collect::<Vec<_>>()
        };
        lines.extend(each("notReactivated", &webhooks.failed));
        lines.extend(each("mightBeActive", &webhooks.unknown));
        lines.extend(each("notReactivated", &webhooks.gone));
    }
    lines
}

fn columns(words: &Texts) -> [String; 9] {
    COLUMNS.map(|name| words.say(&format!("reportFile.{name}"), &[]))
}

/// Returns the text in the level column of rows that show the rest of the response.
fn further(words: &Texts) -> String {
    words.say("furtherResponse", &[])
}

/// Returns the rows: messages, the most severe first, otherwise in the order of the site; and then the rest of the
/// response.
fn lines<'a>(report: &'a ImportReport, further: &'a str) -> impl Iterator<Item = [&'a str; 8]> {
    let of_source = |source: &'a ReportSource| std::iter::repeat(source).zip(&source.messages);
    let mut messages: Vec<(&ReportSource, &ReportMessage)> =
        report.sources.iter().flat_map(of_source).collect();
    messages.sort_by_key(|(_, message)| message.severity());
    let others = report.further.iter().map(move |line| ["", further, line, "", "", "", "", ""]);
    messages.into_iter().flat_map(|(source, message)| of(source, message)).chain(others)
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

/// Returns a text of a site with the characters escaped that mean something in HTML.
pub fn html_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::import_report::{ReportCounts, ServiceStart};
    use crate::model::numbers::Millis;
    use crate::model::reactivated_webhooks::ReactivatedWebhooks;
    use crate::model::service_check::{NotRunning, ServiceCheck};

    fn report(message: &str) -> ImportReport {
        let message = ReportMessage { level: "INFO".to_owned(), message: message.to_owned(), service: None };
        ImportReport {
            is_failed: false,
            imported_instead: false,
            status: "success".to_owned(),
            counts: ReportCounts { errors: 0, failed_services: 0, warnings: 0, notes: 1 },
            sources: vec![ReportSource { source: "Site".to_owned(), messages: vec![message] }],
            further: Vec::new(),
            safety_backup: None,
            proof: None,
            reactivated: None,
            back: None,
        }
    }

    const HEAD: &str = "site-steward history 7f3a seq 4711 sha256 2c26";

    #[test]
    fn a_saved_report_has_the_head_of_the_audit_trail_once_in_each_format() {
        let two = ImportReport { sources: [report("a").sources, report("b").sources].concat(), ..report("") };
        let none = ImportReport { sources: Vec::new(), ..report("") };
        for report in [two, none] {
            let files = [
                html(&report, "", HEAD, &Texts::of("en")),
                table(&report, &Texts::of("en")),
                json(&report, HEAD).unwrap(),
            ];
            for file in files {
                assert_eq!(file.matches(HEAD).count(), 1, "{file}");
            }
        }
    }

    fn table(report: &ImportReport, words: &Texts) -> String {
        String::from_utf8(csv(report, HEAD, words).unwrap()).unwrap()
    }

    #[test]
    fn a_saved_page_says_of_which_import_it_is_before_what_it_says_of_it() {
        let page = html(&report("a note"), "<table><tr><th>Site<td>City GIS</table>", HEAD, &Texts::of("en"));

        let at = |text: &str| page.find(text).unwrap();
        assert!(at("</h1>") < at("City GIS") && at("City GIS") < at("Services that did not start"), "{page}");
    }

    #[test]
    fn a_saved_page_says_which_services_run_and_which_webhooks_are_active_again() {
        let not_running = NotRunning { service: "Zoning".to_owned(), state: "FAILED".to_owned() };
        let check = ServiceCheck {
            checked_at: Millis(0),
            services: 33,
            should_run: 32,
            running: 31,
            not_running: vec![not_running],
            unknown: 1,
            unlisted: vec!["Water".to_owned()],
            earlier: None,
        };
        let proof = ImportProof {
            check: Some(check),
            later: Vec::new(),
            services_before: Some(33),
            lost: Some(vec!["Mains".to_owned()]),
        };
        let gone = NotReactivated {
            service: "Buffer".to_owned(),
            webhook: "<Planners>".to_owned(),
            message: String::new(),
        };
        let reactivated = ReactivatedWebhooks {
            services: 2,
            active: 3,
            gone: vec![gone.clone()],
            unknown: vec![NotReactivated { webhook: "Archive".to_owned(), ..gone }],
            ..ReactivatedWebhooks::default()
        };
        let report = ImportReport { proof: Some(proof), reactivated: Some(reactivated), ..report("a note") };

        let page = html(&report, "", HEAD, &Texts::of("en"));

        for said in [
            "<li>Services running: 31 of 32",
            "<li>Not running: Zoning (state: FAILED)",
            "<li>Missing on the server: Mains",
            "<li>Webhooks that were active again: 3 of 5",
            "<li>Was not active: Buffer, &lt;Planners&gt;",
            "<li>Might have been active: Buffer, Archive",
        ] {
            assert!(page.contains(said), "{said}: {page}");
        }
    }

    #[test]
    fn a_saved_report_has_what_else_the_response_has_after_the_messages_in_each_format() {
        let further = vec!["took: 7 min <b>".to_owned()];
        let report = ImportReport { further, ..report("a note") };
        let page = html(&report, "", HEAD, &Texts::of("en"));
        let table = table(&report, &Texts::of("en"));
        for (file, row) in [
            (&page, "<td><td>Further response<td>took: 7 min &lt;b&gt;"),
            (&table, "Further response"),
            (&table, "took: 7 min <b>"),
            (&json(&report, HEAD).unwrap(), "took: 7 min <b>"),
        ] {
            assert!(file.contains(row), "{row}: {file}");
        }
        assert!(table.find("a note") < table.find("took: 7 min"), "{table}");
        let alone = ImportReport { sources: Vec::new(), ..report };
        assert!(html(&alone, "", HEAD, &Texts::of("de")).contains("<td>Weiterer Inhalt der Antwort"));
    }

    #[test]
    fn a_message_from_a_server_is_never_markup_in_a_saved_page() {
        assert!(!html(&report("<img src=x onerror=alert(1)>"), "", HEAD, &Texts::of("en")).contains("<img"));
    }

    #[test]
    fn a_message_from_a_server_is_never_a_formula_in_a_spreadsheet() {
        let file = table(&report("=HYPERLINK(\"http://x\")\nsecond line"), &Texts::of("en"));

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

        for file in [table(&report, &Texts::of("en")), html(&report, "", HEAD, &Texts::of("en"))] {
            let at = |text: &str| file.find(text).unwrap();
            assert!(at("Zoning") < at("a note"), "{file}");
        }
    }

    #[test]
    fn a_saved_report_speaks_the_language_of_the_window() {
        let report = report("Sites are");
        let [english, german, spanish] = ["en", "de", "es"].map(|language| {
            let words = Texts::of(language);
            (html(&report, "", HEAD, &words), table(&report, &words))
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
