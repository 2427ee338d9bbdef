//! RFC 5424 and CEF: what a receiver reads, and that no name makes a second entry.

use steward_journal::trail::Event;
use steward_journal::trail::export::{self, Entry};
use steward_journal::{Intent, Journal};

use super::{Desk, entries};
use crate::intent;

/// Names that would make another entry, field, or header if they were not text; the first eight as in the journeys.
const HOSTILE: [&str; 23] = [
    "<b class='hostile'>bold</b>",
    "<img class='hostile' src=x onerror='window.hostile=1'>",
    "\"><svg class='hostile' onload='window.hostile=1'></svg>",
    "<script class='hostile'>window.hostile=1</script>",
    "{{name}} $t(common:app.name) ${7*7} %s",
    "&lt;b class='hostile'&gt;",
    "[link](javascript:window.hostile=1)",
    "\u{202e}gnp.exe\u{202c}",
    "City\u{61c}GIS",
    "City\n<109>1 2026-11-27T01:00:00.000Z HOST site-steward - signed-in - forged",
    "City\r\nCEF:0|Site Steward|Site Steward|1|signed-in|signed-in|3|",
    "City\u{85}CEF:0|forged",
    "City\u{2028}{\"v\":1,\"seq\":1}\u{2029}",
    "City\u{b}\u{c}\u{1c}\u{1d}\u{1e}",
    "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m",
    "a|b\\|c\\",
    "suser=root outcome=success",
    "x] [origin software=\"forged\"]",
    "\"]\\\"]",
    "\u{0}nothing",
    "\u{feff}mark\u{200f}",
    "%0a%0d\\n\\r\\u000a",
    "\u{1f5fa}\u{fe0f} Zürich ✓",
];

/// All ends of lines that some reader knows: those of Python's `splitlines`, the most generous.
fn lines(text: &str) -> Vec<&str> {
    let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    let mut lines: Vec<_> = text.split(ends).collect();
    assert_eq!(lines.pop(), Some(""), "the last line ends");
    lines
}

fn written(entry: &Entry, write: fn(&mut Vec<u8>, &Entry) -> std::io::Result<()>) -> String {
    let mut text = Vec::new();
    write(&mut text, entry).unwrap();
    String::from_utf8(text).unwrap()
}

pub(super) fn hostile() -> (Desk, Vec<Entry>) {
    let desk = Desk::new();
    let journal = desk.journal();
    for name in HOSTILE {
        let text = || name.to_owned();
        let parameters = vec![("reason".to_owned(), text()), (text(), text())];
        let intent =
            Intent { site_name: text(), username: text(), operation: text(), parameters, ..intent() };
        journal.intend(&intent).unwrap();
        journal.append(&Event::SecretStored { name: text(), site: text(), site_name: text() }).unwrap();
    }
    let entries = entries(&journal);
    (desk, entries)
}

#[test]
fn no_name_makes_a_second_entry_in_any_format() {
    let (_desk, entries) = hostile();
    for entry in &entries {
        let (sys, cef) = (written(entry, export::rfc5424), written(entry, export::cef));
        let json = format!("{}\n{}\n", entry.envelope, entry.body.as_ref().unwrap());

        assert_eq!(lines(&json).len(), 2, "{json:?}");
        assert_eq!(lines(&sys).len(), 1, "{sys:?}");
        assert_eq!(lines(&cef).len(), 1, "{cef:?}");
        for text in [&json, &sys, &cef] {
            let hidden = |one: char| {
                one != '\n' && (one.is_control() || matches!(one, '\u{61c}' | '\u{202a}'..='\u{202e}'))
            };
            assert!(!text.contains(hidden), "{text:?}");
        }
    }
}

#[test]
fn a_receiver_reads_each_name_back_from_each_format() {
    let (_desk, entries) = hostile();
    let named = entries.iter().filter(|entry| entry.envelope.contains("operation.sent")).skip(1);
    let mut names = 0;
    for (entry, name) in named.zip(HOSTILE) {
        let json: serde_json::Value = serde_json::from_str(entry.body.as_ref().unwrap()).unwrap();
        assert_eq!(json["siteName"], name);
        let message = syslog(&written(entry, export::rfc5424));
        assert_eq!(message["siteName"], name);
        let fields = cef_fields(&written(entry, export::cef));
        let shown: String = name.chars().map(|one| if one.is_control() { '\u{fffd}' } else { one }).collect();
        let shown = shown.replace(
            ['\u{202e}', '\u{202c}', '\u{2028}', '\u{2029}', '\u{feff}', '\u{200f}', '\u{61c}'],
            "\u{fffd}",
        );
        assert_eq!(fields["cs3"], shown);
        assert_eq!(fields["suser"], shown);
        assert!(!fields.contains_key("forged"));
        names += 1;
    }
    assert_eq!(names, HOSTILE.len());
}

/// Reads a message as RFC 5424 has it, and returns what its text says.
fn syslog(line: &str) -> serde_json::Value {
    let parts: Vec<_> = line.splitn(8, ' ').collect();
    assert!(parts[0].starts_with("<109>1"), "{line}");
    let at: jiff::Timestamp = parts[1].parse().unwrap();
    assert!(at > jiff::Timestamp::UNIX_EPOCH && parts[1].len() == "2026-11-27T01:00:00.000Z".len());
    for (part, most) in [(2, 255), (3, 48), (4, 128), (5, 32)] {
        assert!(parts[part].len() <= most && parts[part].chars().all(|one| one.is_ascii_graphic()), "{line}");
    }
    let rest = format!("{} {}", parts[6], parts[7]);
    // Structured data: until the `]` that is followed by a space; none of ours is escaped here.
    let (data, message) = rest.split_once("] \u{feff}").unwrap();
    assert!(
        data.starts_with("[meta sequenceId=\"") && data.contains("][origin software=\"Site Steward\""),
        "{data}"
    );
    assert!(line.trim_end().len() <= 2_048, "{}", line.len());
    serde_json::from_str(message).unwrap()
}

/// Reads the extension of an entry of CEF.
fn cef_fields(line: &str) -> std::collections::BTreeMap<String, String> {
    let header: Vec<_> = line.splitn(8, '|').collect();
    assert_eq!(header[..3], ["CEF:0", "Site Steward", "Site Steward"], "{line}");
    // A field begins with a name and a `=` that is not escaped.
    let extension = unescaped_fields(header[7].trim_end());
    extension.into_iter().collect()
}

fn unescaped_fields(text: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let (mut word, mut escaped) = (String::new(), false);
    for one in text.chars() {
        match (escaped, one) {
            (true, one) => {
                word.push(one);
                escaped = false;
            }
            (false, '\\') => escaped = true,
            (false, '=') => {
                let (value, name) =
                    word.rsplit_once(' ').map_or(("", word.as_str()), |(value, name)| (value, name));
                let (value, name) = (value.to_owned(), name.to_owned());
                if let Some(last) = fields.last_mut() {
                    last.1 = value;
                }
                fields.push((name, String::new()));
                word.clear();
            }
            (false, one) => word.push(one),
        }
    }
    if let Some(last) = fields.last_mut() {
        last.1 = word;
    }
    fields
}

#[test]
fn a_value_that_is_too_long_for_a_receiver_is_replaced_by_its_hash() {
    let desk = Desk::new();
    let journal = desk.journal();
    let long = "x".repeat(5_000);
    let parameters = vec![("location".to_owned(), long.clone())];
    journal.intend(&Intent { site_name: "y".repeat(3_000), parameters, ..intent() }).unwrap();

    let entry = entries(&journal).pop().unwrap();

    let message = syslog(&written(&entry, export::rfc5424));
    assert!(message["parameters"].as_str().unwrap().starts_with("sha256:"), "{message}");
    assert!(message["siteName"].as_str().unwrap().starts_with("sha256:"), "{message}");
    assert_eq!(message["account"], "gisadmin");
    assert!(entry.body.unwrap().contains(&long), "the line that verifies has all of it");
}

#[test]
fn an_event_has_the_severity_of_its_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::open(&folder.path().join("journal.db")).unwrap();
    let severity = |outcome| {
        let id = journal.intend(&intent()).unwrap();
        journal.conclude(&id, &steward_journal::Conclusion { outcome, ..crate::conclusion() }).unwrap();
        let entry = entries(&journal).pop().unwrap();
        let sys = written(&entry, export::rfc5424);
        let cef = written(&entry, export::cef);
        (sys[..sys.find(' ').unwrap()].to_owned(), cef.split('|').nth(6).unwrap().to_owned())
    };
    use steward_journal::Outcome::{Failed, Succeeded, Unknown};

    assert_eq!(severity(Succeeded), ("<109>1".to_owned(), "3".to_owned()));
    assert_eq!(severity(Unknown), ("<108>1".to_owned(), "6".to_owned()));
    assert_eq!(severity(Failed), ("<107>1".to_owned(), "8".to_owned()));
}
