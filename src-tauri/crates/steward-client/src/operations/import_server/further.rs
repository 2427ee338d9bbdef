//! Fields of an import report that no message has: those that deployments add beside the ones that are read.

use crate::beside::{self, Beside};
use crate::limits::SHOWN;
use crate::status_words::is_failure;
use crate::wire::{BoundedText, Raw};

/// Fields of a message, and of a source with a message in place of its messages, that are read.
pub(super) const NAMED: [&str; 6] = ["level", "severity", "message", "details", "source", "messages"];

/// Number of lines that are kept. One more has the number of the others.
const MOST: usize = 200;

/// Fields that are read from an object of a report, and the lists in it with objects that have further ones.
struct Level {
    read: &'static [&'static str],
    lists: &'static [(&'static str, Level)],
}

const REPORT: Level = Level { read: &["state", "message"], lists: &[] };
const MACHINE: Level = Level { read: &["machine", "state"], lists: &[("reports", REPORT)] };
const SERVICE: Level = Level { read: &["service", "state", "message"], lists: &[("machines", MACHINE)] };

/// Returns the further fields of a report, each with its source and its name. Those that stand for a warning are apart.
pub(super) fn of_report(response: Raw<'_>) -> Beside {
    let mut found = Found::default();
    if let Some([Some(result)]) = response.some_fields(["result"]) {
        result.elements(&mut |source| {
            let Some([name, messages]) = source.some_fields(["source", "messages"]) else { return };
            let name = name.map(Raw::shown).unwrap_or_default();
            match messages {
                Some(messages) if !messages.is_null() => {
                    found.add_own(source, &name, &["source", "messages"]);
                    messages.elements(&mut |message| found.add_message(message, &name));
                }
                // The element has no messages: it is a message itself.
                _ => found.add_message(source, &name),
            }
        });
    }
    if found.unread > 0 {
        found.beside.further.push(format!("+{}", found.unread));
    }
    found.beside
}

#[derive(Default)]
struct Found {
    beside: Beside,
    unread: usize,
}

impl Found {
    /// Adds the further fields of a message. A message without a text shows all its fields as its text.
    fn add_message(&mut self, message: Raw<'_>, source: &str) {
        let Some([text, details]) = message.some_fields(["message", "details"]) else { return };
        let has_text = text.is_some_and(|text| !text.shown().is_empty());
        if has_text {
            self.add_own(message, source, &NAMED);
        }
        if let Some(details) = details.filter(|details| details.is_object()) {
            // Details of another shape are part of the message.
            let of_service = details.some_fields(["service", "state", "message", "machines"]);
            if of_service.is_some_and(|fields| fields.iter().any(Option::is_some)) {
                self.add(details, source, &SERVICE);
            }
        }
    }

    fn add(&mut self, object: Raw<'_>, source: &str, level: &Level) {
        if !object.is_object() {
            return;
        }
        object.fields(&mut |name, value| match level.lists.iter().find(|(list, _)| *list == name) {
            Some((_, inner)) => value.elements(&mut |one| self.add(one, source, inner)),
            None => self.add_field(name, value, source, level.read),
        });
    }

    fn add_own(&mut self, object: Raw<'_>, source: &str, read: &[&str]) {
        object.fields(&mut |name, value| self.add_field(name, value, source, read));
    }

    fn add_field(&mut self, name: &str, value: Raw<'_>, source: &str, read: &[&str]) {
        if read.contains(&name) {
            return;
        }
        let text = if value.is_text() { value.shown() } else { shown_source(value) };
        let is_failed = name.eq_ignore_ascii_case("status") && is_failure(&text);
        let lines = match is_failed || beside::tells(name, value, beside::DEPTH) {
            true => &mut self.beside.warnings,
            false => &mut self.beside.further,
        };
        match text.trim() {
            "" | "[]" | "{}" => {}
            _ if lines.len() >= MOST => self.unread += 1,
            text if source.is_empty() => lines.push(format!("{name}: {text}")),
            text => lines.push(format!("{source}: {name}: {text}")),
        }
    }
}

/// Returns the source text of a value as it is shown; empty for null.
pub(super) fn shown_source(value: Raw<'_>) -> String {
    let mut source = BoundedText::up_to(SHOWN);
    if !value.is_null() {
        source.push(value.0);
    }
    source.shown()
}
