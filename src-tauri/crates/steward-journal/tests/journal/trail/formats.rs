//! RFC 5424: what a receiver reads, and that no name makes a second entry.

use sha2::{Digest, Sha256};
use steward_journal::trail::Event;
use steward_journal::trail::export::{self, Entry};
use steward_journal::{Intent, Journal};

use super::{Desk, entries};
use crate::intent;

/// Names that would make another entry, field, or header if they were not text; the first eight as in the journeys.
const HOSTILE: [&str; 24] = [
    "<b class='hostile'>bold</b>",
    "<img class='hostile' src=x onerror='window.hostile=1'>",
    "\"><svg class='hostile' onload='window.hostile=1'></svg>",
    "<script class='hostile'>window.hostile=1</script>",
    "{{name}} $t(common:app.name) ${7*7} %s",
    "&lt;b class='hostile'&gt;",
    "[link](javascript:window.hostile=1)",
    "\u{202e}gnp.exe\u{202c}",
    "City\u{61c}GIS",
    "City\u{200b}\u{2060}\u{ad}\u{e0041}GIS",
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
        let sys = written(entry, export::rfc5424);
        let json = format!("{}\n{}\n", entry.envelope, entry.body.as_ref().unwrap());

        assert_eq!(lines(&json).len(), 2, "{json:?}");
        assert_eq!(lines(&sys).len(), 1, "{sys:?}");
        for text in [&json, &sys] {
            let hidden = |one: char| {
                one != '\n'
                    && (one.is_control()
                        || matches!(
                            one,
                            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{202a}'
                                ..='\u{202e}' | '\u{2060}' | '\u{e0041}'
                        ))
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

/// Returns an entry with another body, and its hash in the envelope.
fn with_body(of: &Entry, body: &serde_json::Value) -> Entry {
    let body = body.to_string();
    let mut envelope: serde_json::Value = serde_json::from_str(&of.envelope).unwrap();
    let hash: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
    envelope["body"] = hash.into();
    Entry { envelope: envelope.to_string(), body: Some(body), ..of.clone() }
}

#[test]
fn a_line_has_at_most_2048_bytes_and_one_header_whatever_an_entry_holds() {
    let desk = Desk::new();
    let of = entries(&desk.journal()).pop().unwrap();
    let many: serde_json::Map<_, _> =
        (0..200).map(|number| (format!("field{number}"), "x".repeat(60).into())).collect();
    let version = serde_json::json!({ "program": format!("1\"] [forged a=\"{}", "9".repeat(3_000)) });

    for body in [serde_json::Value::Object(many), version] {
        let entry = with_body(&of, &body);
        let line = written(&entry, export::rfc5424);
        let said = syslog(&line);
        assert!(!line.contains("\"] [forged"), "{line}");
        assert_eq!(said["hash"].as_str().map(str::len), Some(64), "{line}");
    }
}

#[test]
fn an_entry_with_many_fields_becomes_a_line_at_once() {
    let desk = Desk::new();
    let of = entries(&desk.journal()).pop().unwrap();
    let many: serde_json::Map<_, _> =
        (0..20_000).map(|number| (format!("field{number}"), "x".repeat(90).into())).collect();
    let entry = with_body(&of, &serde_json::Value::Object(many));
    let began = std::time::Instant::now();

    let said = syslog(&written(&entry, export::rfc5424));

    assert_eq!(said["hash"].as_str().map(str::len), Some(64), "{said}");
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn a_text_that_the_chain_does_not_have_stands_in_no_message() {
    let desk = Desk::new();
    desk.attack("UPDATE trail SET body = replace(body, 'gisadmin', 'another') WHERE sequence = 3");
    let entry = &entries(&desk.journal())[2];
    assert!(entry.body.as_ref().unwrap().contains("another"));

    let message = syslog(&written(entry, export::rfc5424));

    let fields: Vec<_> = message.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["hash", "prev", "body"], "the number and the hashes, which a log server can compare");
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
        sys[..sys.find(' ').unwrap()].to_owned()
    };
    use steward_journal::Outcome::{Failed, Succeeded, Unknown};

    assert_eq!(severity(Succeeded), "<109>1");
    assert_eq!(severity(Unknown), "<108>1");
    assert_eq!(severity(Failed), "<107>1");
}
