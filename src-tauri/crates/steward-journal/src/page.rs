//! A record as a page to read and to print.

use std::fmt::Write;

use crate::record::{Record, Whole};
use crate::tables::moment;

/// The page. Every text may come from a server and is never markup.
pub(crate) fn html(whole: &Whole) -> String {
    let record = &whole.record;
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Record of an operation</title>\
         <style>body{font:14px system-ui;margin:2em}td,th{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top}table{border-collapse:collapse}\
         pre{white-space:pre-wrap;overflow-wrap:anywhere}</style><h1>Record of an operation</h1><table>",
    );
    for (name, value) in facts(record) {
        // Writing to a string cannot fail.
        let _ = write!(page, "<tr><th>{name}<td>{}", text(&value));
    }
    page.push_str("</table><h2>Parameters</h2><table>");
    for (name, value) in &record.intent.parameters {
        let _ = write!(page, "<tr><th>{}<td>{}", text(name), text(value));
    }
    page.push_str("</table><h2>Requests</h2>");
    for request in &record.intent.requests {
        let _ = write!(page, "<p>{} {}</p><table>", text(&request.method), text(&request.address));
        for (name, value) in &request.form {
            let _ = write!(page, "<tr><th>{}<td>{}", text(name), text(value));
        }
        page.push_str("</table>");
    }
    if let Some(report) = &whole.report {
        let _ = write!(page, "<h2>Report</h2><pre>{}</pre>", text(&pretty(report)));
    }
    if let Some(answer) = &whole.answer {
        let tree = serde_json::from_str(&answer.text).ok();
        let readable = tree.as_ref().map_or_else(|| answer.text.clone(), pretty);
        let cut = if answer.cut { " (the beginning)" } else { "" };
        let _ = write!(page, "<h2>Answer{cut}</h2><pre>{}</pre>", text(&readable));
    }
    page.push_str("</html>\n");
    page
}

fn facts(record: &Record) -> [(&'static str, String); 11] {
    let intent = &record.intent;
    [
        ("Operation", intent.operation.clone()),
        ("Outcome", record.outcome.name().to_owned()),
        ("Note", record.note.clone()),
        ("Site", intent.site_name.clone()),
        ("Kind of site", intent.site_kind.clone()),
        ("Version of the site", intent.site_version.clone()),
        ("Signed in", intent.username.clone()),
        ("Started", moment(Some(intent.started_at))),
        ("Ended", moment(record.ended_at)),
        ("Took", record.elapsed.map(|millis| format!("{millis} ms")).unwrap_or_default()),
        ("Version of the program", intent.program_version.clone()),
    ]
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}

fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
