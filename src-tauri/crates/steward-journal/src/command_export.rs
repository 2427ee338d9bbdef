//! Commands that send the requests of a history entry again.
//!
//! [`as_curl`] and [`as_python`] are the entry points. Values that were masked are read from variables, so that a command
//! contains no secret.

use std::fmt::Write;

use crate::record::{StoredRecord, StoredRequest};
use crate::redact::MASK;

/// Returns curl commands for a POSIX shell, one per line.
///
/// Masked values are read from variables: `$TOKEN`, or the name of the field in capitals.
#[must_use]
pub fn as_curl(record: &StoredRecord) -> String {
    let record = record.redacted();
    let commands: Vec<String> = record.intent.requests.iter().map(curl).collect();
    commands.join("\n")
}

/// Returns a script for Python 3 without packages.
///
/// Masked values are read from environment variables.
#[must_use]
pub fn as_python(record: &StoredRecord) -> String {
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
             with urllib.request.urlopen(request) as response:\n    \
             print(response.read().decode(\"utf-8\", \"replace\"))"
        );
    }
    script
}

fn curl(request: &StoredRequest) -> String {
    let mut command = format!(
        "curl --globoff --request {} --url {}",
        in_shell(&request.method),
        in_shell(&request.address)
    );
    for (name, value) in &request.form {
        // Encode the name: curl encodes only the value.
        let name_encoded = encoded(name);
        let field = if value == MASK {
            format!("--data-urlencode {}\"${}\"", in_shell(&format!("{name_encoded}=")), variable(name))
        } else if value.contains('\0') {
            // Encode the value here: an argument cannot contain NUL.
            format!("--data-raw {}", in_shell(&format!("{name_encoded}={}", encoded(value))))
        } else {
            format!("--data-urlencode {}", in_shell(&format!("{name_encoded}={value}")))
        };
        let _ = write!(command, " \\\n  {field}");
    }
    command
}

/// Returns the variable for a field: `token` becomes `TOKEN`, `connection-string` becomes `CONNECTION_STRING`.
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

/// Quotes a word for a POSIX shell. Between apostrophes, only the apostrophe is special.
fn in_shell(text: &str) -> String {
    format!("'{}'", text.replace('\0', "").replace('\'', "'\\''"))
}

/// Quotes a string for Python, with everything beyond printable ASCII escaped.
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
