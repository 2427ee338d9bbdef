//! Summary of an audit package as an HTML page for paper: what was done, where, by whom, when, with what outcome and for
//! what reason, and the hashes that prove it. Every value is escaped: it can come from a server.

use std::fmt::Write;

use crate::page::{PageWords, text};
use crate::record::{StoredRecord, Whole};
use crate::tables::moment;
use crate::trail::export::{Entry, described};

/// Style of the page. It needs no other file, and a printer breaks no table row and no hash.
const STYLE: &str = "@page{margin:18mm}body{font:11pt/1.4 system-ui,sans-serif;color:#000;max-width:180mm;margin:1em auto;padding:0 1em}\
    h1{font-size:18pt;margin:0}h2{font-size:14pt;border-bottom:1px solid #000;margin:1.5em 0 .5em}h3{font-size:11pt;margin:1em 0 .25em}\
    table{border-collapse:collapse;width:100%;table-layout:fixed}th,td{text-align:left;vertical-align:top;padding:3px 6px 3px 0;\
    border-bottom:1px solid #ccc;overflow-wrap:anywhere}th{font-weight:600;width:30%}tr{break-inside:avoid}h2,h3{break-after:avoid}\
    .trail th:nth-child(1),.trail td:nth-child(1){width:8%}.trail th:nth-child(2),.trail td:nth-child(2){width:22%}\
    .trail th:nth-child(3),.trail td:nth-child(3){width:22%}.trail th{width:auto}code{font:9pt ui-monospace,monospace}\
    .outcome{font-size:14pt;font-weight:600;margin:.5em 0}";

/// Summary that is being written.
pub(crate) struct SummaryPage<'a> {
    words: &'a PageWords<'a>,
    page: String,
}

impl<'a> SummaryPage<'a> {
    /// Begins a page.
    pub(crate) fn begin(words: &'a PageWords<'a>) -> Self {
        let mut page = Self { words, page: String::new() };
        let title = page.say("summaryPage");
        page.write(format_args!(
            "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title}</title>\
             <style>{STYLE}</style><h1>{title}</h1>",
            language = words.language,
        ));
        page
    }

    /// Adds an entry, without secrets. `sums` are the lines of its files for `sha256sum --check`.
    pub(crate) fn entry(&mut self, whole: &Whole, sums: &str) {
        let record = &whole.record;
        let intent = &record.intent;
        let described = (self.words.describe)(record);
        let operation = self.named("operation", &described.operation);
        let outcome = self.named("outcome", record.outcome.name());
        self.write(format_args!("<section><h2>{operation}</h2><p class=\"outcome\">{outcome}</p>"));
        if whole.is_damaged {
            let damaged = self.say("contentDamaged");
            self.write(format_args!("<p><strong>{damaged}</strong></p>"));
        }
        let parameters = intent.parameters.iter().map(|(name, value)| format!("{name}: {value}"));
        let parameters = parameters.collect::<Vec<_>>().join("\n");
        let resolution = whole.outcome_resolution.as_ref();
        let environment = (self.words.say)(&format!("kind.{}", intent.environment));
        self.group("what", &[("summary", &described.summary), ("parameters", &parameters)]);
        self.group(
            "where",
            &[
                ("site", &intent.site_name),
                ("server", &intent.server_name),
                ("kind", if intent.environment.is_empty() { "" } else { &environment }),
                ("siteVersion", &intent.site_version),
                ("address", &addresses(record)),
            ],
        );
        let workstation = &record.workstation;
        self.group(
            "who",
            &[
                ("signedIn", &intent.username),
                ("systemUser", &workstation.user),
                ("computer", &workstation.computer),
                ("programVersion", &intent.program_version),
            ],
        );
        self.group(
            "when",
            &[
                ("started", &on_paper(Some(intent.started_at))),
                ("ended", &on_paper(record.ended_at)),
                ("took", &record.elapsed.map(duration).unwrap_or_default()),
            ],
        );
        let set_by = resolution.map(|one| format!("{}, {}", one.by, on_paper(Some(one.at))));
        self.group(
            "outcome",
            &[("note", &record.note), ("setByUser", set_by.as_deref().unwrap_or_default())],
        );
        let of_resolution = resolution.map(|one| one.note.as_str()).unwrap_or_default();
        self.group("reason", &[("reason", &reason(record)), ("outcomeReason", of_resolution)]);
        let title = self.say("hashes");
        self.write(format_args!("<h3>{title}</h3><table>"));
        for (hash, name) in sums.lines().filter_map(|line| line.split_once("  ")) {
            self.write(format_args!("<tr><th>{}<td><code>{}</code>", text(name), text(hash)));
        }
        self.write(format_args!("</table></section>"));
    }

    /// Ends the page with the entries of the audit trail that belong to the package, and its head.
    pub(crate) fn end(mut self, entries: &[Entry], head: &str) -> String {
        let [trail, at, event, claim, head_title] =
            ["trail", "time", "event", "claim", "head"].map(|name| self.say(name));
        self.write(format_args!(
            "<h2>{trail}</h2><table class=\"trail\"><tr><th>#<th>{at}<th>{event}<th>SHA-256"
        ));
        for entry in entries {
            let found = described(entry);
            let kind = (self.words.say)(&format!("trailEvent.{}", found.kind));
            self.write(format_args!(
                "<tr><td>{}<td>{}<td>{}<td><code>{}</code>",
                entry.seq,
                text(&paper(&found.at)),
                text(&kind),
                text(&found.hash)
            ));
        }
        self.write(format_args!(
            "</table><h3>{head_title}</h3><p><code>{}</code></p><p>{claim}</p></html>\n",
            text(head)
        ));
        self.page
    }

    /// Writes a table of what is not empty; nothing if all is.
    fn group(&mut self, title: &str, rows: &[(&str, &str)]) {
        let mut rows = rows.iter().filter(|(_, value)| !value.is_empty()).peekable();
        if rows.peek().is_none() {
            return;
        }
        let title = self.say(title);
        self.write(format_args!("<h3>{title}</h3><table>"));
        for (name, value) in rows {
            let name = self.say(name);
            self.write(format_args!("<tr><th>{name}<td>{}", text(value).replace('\n', "<br>")));
        }
        self.write(format_args!("</table>"));
    }

    fn say(&self, name: &str) -> String {
        text(&(self.words.say)(name))
    }

    fn named(&self, what: &str, name: &str) -> String {
        self.say(&format!("{what}.{name}"))
    }

    fn write(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.page.write_fmt(part);
    }
}

/// Returns the reason or ticket that a user gave, and that of an unlock; empty if there is none.
fn reason(record: &StoredRecord) -> String {
    let of_unlock = record.intent.parameters.iter().filter(|(name, _)| name == "reason");
    let all = std::iter::once(&record.intent.reason).chain(of_unlock.map(|(_, value)| value));
    all.filter(|reason| !reason.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Returns where the requests went, each address once.
fn addresses(record: &StoredRecord) -> String {
    let mut addresses: Vec<&str> = Vec::new();
    for request in &record.intent.requests {
        if !addresses.contains(&request.address.as_str()) {
            addresses.push(&request.address);
        }
    }
    addresses.join("\n")
}

/// Returns a time in UTC as it is read on paper.
fn on_paper(millis: Option<i64>) -> String {
    paper(&moment(millis))
}

fn paper(time: &str) -> String {
    time.replacen('T', " ", 1).replace('Z', " UTC")
}

/// Returns a duration with units that all languages share.
fn duration(millis: i64) -> String {
    let seconds = millis / 1_000;
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => format!("{millis} ms"),
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, seconds) => format!("{hours} h {minutes} min {seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_in_the_units_that_fit_it() {
        for (millis, read) in [
            (0, "0 ms"),
            (999, "999 ms"),
            (59_999, "59 s"),
            (61_000, "1 min 1 s"),
            (3_600_000, "1 h 0 min 0 s"),
            (90_061_000, "25 h 1 min 1 s"),
        ] {
            assert_eq!(duration(millis), read);
        }
    }

    #[test]
    fn a_time_is_read_without_the_letters_of_machines() {
        assert_eq!(on_paper(Some(1_767_703_600_000)), "2026-01-06 12:46:40 UTC");
        assert_eq!(on_paper(None), "");
    }
}
