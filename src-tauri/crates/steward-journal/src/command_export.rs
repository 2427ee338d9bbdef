//! Commands that send the requests of a history entry again.
//!
//! [`as_curl`] is the entry point. Values that were masked are read from variables, so that a command
//! contains no secret.

use std::fmt::Write;

use crate::record::{StoredRecord, StoredRequest};
use steward_redact::MASK;

/// Returns curl commands for a POSIX shell, one per line.
///
/// Masked values are read from variables: `$TOKEN`, or the name of the field in capitals.
#[must_use]
pub fn as_curl(record: &StoredRecord) -> String {
    let record = record.redacted();
    let commands: Vec<String> = record.intent.requests.iter().map(curl).collect();
    commands.join("\n")
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
