//! HTML page of a history entry, for reading and printing. Every value is escaped: it can come from a server.

use std::fmt::Write;

use crate::record::{OutcomeResolution, StoredRecord, Whole};
use crate::tables::{Describe, moment};

/// Texts of the page in one language.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct PageWords<'a> {
    /// Language tag, for example `de`.
    pub language: &'a str,
    /// Returns the text for a key, for example `started`, `operation.export_portal`, or `outcome.failed`.
    pub say: &'a dyn Fn(&str) -> String,
    /// Returns what an entry is called, and what happened.
    pub describe: Describe<'a>,
}

/// Returns the whole page.
pub(crate) fn html(whole: &Whole, words: &PageWords<'_>) -> String {
    let record = &whole.record;
    let say = |name: &str| text(&(words.say)(name));
    let mut page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
         <style>body{{font:14px system-ui;margin:2em}}td,th{{border:1px solid #ccc;padding:4px 8px;\
         text-align:left;vertical-align:top}}table{{border-collapse:collapse}}\
         pre{{white-space:pre-wrap;overflow-wrap:anywhere}}</style><h1>{title}</h1>{facts}",
        language = words.language,
        title = say("title"),
        facts = facts_table(record, words),
    );
    // Writing to a string cannot fail.
    if whole.is_damaged {
        let _ = write!(page, "<p><strong>{}</strong>", say("contentDamaged"));
    }
    if let Some(OutcomeResolution { note, by, at, .. }) = &whole.outcome_resolution {
        let set_by = format!("{by}, {}", moment(Some(*at)));
        let _ = write!(page, "<table><tr><th>{}<td>{}", say("setByUser"), text(&set_by));
        let _ = write!(page, "<tr><th>{}<td>{}</table>", say("outcomeReason"), text(note));
    }
    let _ = write!(page, "<h2>{}</h2><table>", say("parameters"));
    for (name, value) in &record.intent.parameters {
        let _ = write!(page, "<tr><th>{}<td>{}", text(name), text(value));
    }
    let _ = write!(page, "</table><h2>{}</h2>", say("requests"));
    for request in &record.intent.requests {
        let _ = write!(page, "<p>{} {}</p><table>", text(&request.method), text(&request.address));
        for (name, value) in &request.form {
            let _ = write!(page, "<tr><th>{}<td>{}", text(name), text(value));
        }
        page.push_str("</table>");
    }
    if let Some(report) = &whole.report {
        let _ = write!(
            page,
            "<h2>{}</h2><pre>{}</pre>",
            say("report"),
            text(&report.pretty().unwrap_or_default())
        );
    }
    if let Some(response) = &whole.response {
        let tree = serde_json::from_str(&response.text).ok();
        let readable = tree.as_ref().map_or_else(|| response.text.clone(), pretty);
        let title = say(if response.truncated { "responseBeginning" } else { "response" });
        let _ = write!(page, "<h2>{title}</h2><pre>{}</pre>", text(&readable));
    }
    page.push_str("</html>\n");
    page
}

/// Returns an HTML table with site, time, user, and outcome of an entry. All values are escaped.
#[must_use]
pub fn facts_table(record: &StoredRecord, words: &PageWords<'_>) -> String {
    let mut table = String::from("<table>");
    for (name, value) in facts(record, words) {
        // Writing to a string cannot fail.
        let _ = write!(table, "<tr><th>{}<td>{}", text(&(words.say)(name)), text(&value));
    }
    table + "</table>"
}

fn facts(record: &StoredRecord, words: &PageWords<'_>) -> [(&'static str, String); 16] {
    let intent = &record.intent;
    let described = (words.describe)(record);
    let named = |what: &str, name: &str| (words.say)(&format!("{what}.{name}"));
    let mut outcome = named("outcome", record.outcome.name());
    // An outcome that a user set is marked: no response confirms it.
    if record.is_resolved {
        outcome = format!("{outcome} ({})", (words.say)("setByUser"));
    }
    [
        ("operation", named("operation", &described.operation)),
        ("outcome", outcome),
        ("summary", described.summary),
        ("note", record.note.clone()),
        ("reason", intent.reason.clone()),
        ("site", intent.site_name.clone()),
        ("server", intent.server_name.clone()),
        ("kind", named("kind", &intent.environment)),
        ("siteVersion", intent.site_version.clone()),
        ("signedIn", intent.username.clone()),
        ("systemUser", record.workstation.user.clone()),
        ("computer", record.workstation.computer.clone()),
        ("started", moment(Some(intent.started_at))),
        ("ended", moment(record.ended_at)),
        ("took", record.elapsed.map(|millis| format!("{millis} ms")).unwrap_or_default()),
        ("programVersion", intent.program_version.clone()),
    ]
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}")
}

pub(crate) fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
