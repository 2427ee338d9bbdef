//! A record as a command that sends it again, the token taken from a variable.

use std::fmt::Write;

use crate::record::{Record, Request};
use crate::redact::MASK;

/// For a POSIX shell. What was masked is read from variables: `$TOKEN`, or the field's name in capitals.
#[must_use]
pub fn as_curl(record: &Record) -> String {
    let record = record.redacted();
    let commands: Vec<String> = record.intent.requests.iter().map(curl).collect();
    commands.join("\n")
}

/// For Python 3, without packages. What was masked is read from the environment.
#[must_use]
pub fn as_python(record: &Record) -> String {
    let record = record.redacted();
    let mut script = String::from("import os\nimport urllib.parse\nimport urllib.request\n");
    for request in &record.intent.requests {
        script.push_str("\nform = urllib.parse.urlencode([\n");
        for (name, value) in &request.form {
            let value = if value == MASK {
                format!("os.environ[{}]", in_python(&variable(name)))
            } else {
                in_python(value)
            };
            // Writing to a string cannot fail.
            let _ = writeln!(script, "    ({}, {value}),", in_python(name));
        }
        let (address, method) = (in_python(&request.address), in_python(&request.method));
        let _ = writeln!(
            script,
            "])\nrequest = urllib.request.Request({address}, data=form.encode(\"ascii\"), method={method})\n\
             with urllib.request.urlopen(request) as answer:\n    \
             print(answer.read().decode(\"utf-8\", \"replace\"))"
        );
    }
    script
}

fn curl(request: &Request) -> String {
    let mut command = format!(
        "curl --globoff --request {} --url {}",
        in_shell(&request.method),
        in_shell(&request.address)
    );
    for (name, value) in &request.form {
        // curl encodes the value and not the name.
        let name_encoded = encoded(name);
        let field = if value == MASK {
            format!("--data-urlencode {}\"${}\"", in_shell(&format!("{name_encoded}=")), variable(name))
        } else if value.contains('\0') {
            // No argument can hold it.
            format!("--data-raw {}", in_shell(&format!("{name_encoded}={}", encoded(value))))
        } else {
            format!("--data-urlencode {}", in_shell(&format!("{name_encoded}={value}")))
        };
        let _ = write!(command, " \\\n  {field}");
    }
    command
}

/// `token` is `TOKEN`, `connection-string` is `CONNECTION_STRING`.
fn variable(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' })
        .collect();
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) { name } else { format!("FIELD_{name}") }
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// One word of a shell: nothing is special between apostrophes but the apostrophe.
fn in_shell(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

/// A string of Python: what JSON writes, with everything beyond ASCII escaped.
fn in_python(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            ' '..='~' => quoted.push(letter),
            _ => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(letter));
            }
        }
    }
    quoted.push('"');
    quoted
}
