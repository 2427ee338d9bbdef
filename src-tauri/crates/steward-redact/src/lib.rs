//! Redaction of secrets before text is shown, stored or exported.
//!
//! [`text`], [`fields`], [`address`], [`json`], and [`response`] are the entry points, one for each kind of value. A
//! secret is recognized by the name in front of it ([`is_secret`]), or by its shape: private keys, known forms of tokens,
//! credentials of HTTP, and user information in URLs. Redacting twice has the same result as redacting once. [`masks`]
//! recognizes what a site returns in place of a secret.

mod commands;
mod encoded;
mod mask;
pub mod masks;
mod names;
mod raw;
mod scanner;
mod sentences;
mod values;

use serde_json::Value;
use url::Url;

pub use mask::MASK;
use names::is_secret_in_query;
pub use names::{is_connection, is_secret};
use names::{is_masked, named_in};
pub use raw::Redacted;
pub use scanner::{is_harmless, text};

/// Maximum number of bytes that are stored of a response: 8 MiB.
pub const LARGEST_RESPONSE: usize = 8_388_608;

/// Redacts the fields of a form. A secret field keeps its name.
#[must_use]
pub fn fields(fields: &[(String, String)]) -> Vec<(String, String)> {
    fields_if(fields, is_secret)
}

fn fields_if(fields: &[(String, String)], is_secret: fn(&str) -> bool) -> Vec<(String, String)> {
    fields
        .iter()
        .map(|(name, value)| {
            // Keep an empty value: that a field was empty is not a secret.
            let value = if is_secret(name) && !value.is_empty() { MASK.to_owned() } else { text(value) };
            (text(name), value)
        })
        .collect()
}

/// Redacts a URL: removes user information and fragment, and masks secret fields in the query.
#[must_use]
pub fn address(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return text(address) };
    // Ignore the error: it is returned for URLs that cannot have user information.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_fragment(None);
    let pairs: Vec<(String, String)> =
        url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let kept = fields_if(&pairs, is_secret_in_query);
    if kept != pairs {
        url.query_pairs_mut().clear().extend_pairs(kept);
    }
    text(url.as_str())
}

/// Redacts a JSON value in place, at any depth.
pub fn json(value: &mut Value) {
    match value {
        Value::String(string) => *string = text(string),
        Value::Array(items) => items.iter_mut().for_each(json),
        Value::Object(object) => {
            let named = named_value(object).map(str::to_owned);
            for (name, inner) in object.iter_mut() {
                let is_empty = matches!(inner, Value::Null | Value::Bool(_)) || inner.as_str() == Some("");
                if is_masked(name, is_empty, named.as_deref()) {
                    *inner = Value::String(MASK.to_owned());
                } else {
                    json(inner);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the field of an object with the secret that another field of it names: `{"name": "password", "value": "x"}`.
#[must_use]
pub fn named_value(object: &serde_json::Map<String, Value>) -> Option<&str> {
    named_in(object.iter(), |value| value.as_str().is_some_and(is_secret))
}

/// Returns a response redacted and truncated to [`LARGEST_RESPONSE`], and whether it was truncated. JSON stays valid
/// unless it was truncated, or has more than 64 levels.
#[must_use]
pub fn response(response: &str) -> (String, bool) {
    if let Ok(mut kept) = serde_json::from_str(response).and_then(|json| Redacted::of(json).text()) {
        let length = cut(&kept).len();
        let is_cut = length < kept.len();
        kept.truncate(length);
        return (kept, is_cut);
    }
    // Truncate first: a secret without its end still follows its name.
    let kept = cut(response);
    (cut(&text(kept)).to_owned(), kept.len() < response.len())
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LARGEST_RESPONSE)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_another_field_names_is_masked() {
        let given = r#"{"a":[{"name":"password","value":"x"},{"Key":"apiKey","Value":7},{"name":"host","value":"h"}]}"#;
        let kept = r#"{"a":[{"name":"password","value":"***"},{"Key":"apiKey","Value":"***"},{"name":"host","value":"h"}]}"#;
        assert_eq!(response(given).0, kept);
    }

    #[test]
    fn what_is_nested_too_deep_to_be_read_as_json_is_redacted_as_text() {
        for depth in [63, 65, 100_000] {
            let nested = format!("{}{{\"token\":\"abcdef\"}}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(response(&nested).0, nested.replace("abcdef", MASK), "{depth}");
        }
    }

    #[test]
    fn a_text_full_of_values_without_an_end_takes_time_by_its_length_and_not_by_its_square() {
        for (begin, hostile) in [
            ("", "password=\"a;x="),
            ("", "{\"token\":\"kX3\",\"ENCRYPTED_PASSWORD=00022e68;\"},"),
            ("", "password={a;x="),
            ("", "<password>"),
            ("<password>", "</a"),
            ("", "password=[\""),
            ("", "https://a:b"),
            ("", "-p \"x "),
            ("ä", " -Px1;"),
            ("", "net use \\\\a "),
            ("", "password to "),
            ("", " a/b"),
            ("", " a:b@"),
        ] {
            // The shortest of several attempts: other work on the machine can lengthen each of them, but not shorten one.
            let time = |count| {
                let hostile = format!("{begin}{}", hostile.repeat(count));
                let attempt = |_| {
                    let began = std::time::Instant::now();
                    drop(text(&hostile));
                    began.elapsed()
                };
                (0..3).map(attempt).min()
            };
            // In quadratic time, a text 16 times as long would take 256 times as long.
            assert!(time(16_000) < time(1_000).map(|short| short * 64), "{hostile}");
        }
    }

    #[test]
    fn a_secret_without_a_value_stays_without_one() {
        let given = r#"{"token":null,"signature":false,"password":"","pin":0}"#;
        assert_eq!(response(given).0, r#"{"token":null,"signature":false,"password":"","pin":"***"}"#);
    }

    #[test]
    fn an_address_keeps_what_is_no_secret() {
        assert_eq!(
            address("https://u:p@gis.example.org/a%20b?f=json&token=abc#token=abc"),
            "https://gis.example.org/a%20b?f=json&token=***"
        );
        assert_eq!(address("https://gis.example.org/?q=a+b%21"), "https://gis.example.org/?q=a+b%21");
        assert_eq!(address("not an address?token=abc"), "not an address?token=***");
    }

    #[test]
    fn a_response_stays_json_and_a_long_one_is_cut_between_letters() {
        assert_eq!(response(r#"{"token":"x","n":1.50}"#), (r#"{"token":"***","n":1.50}"#.to_owned(), false));
        let long = "ü".repeat(LARGEST_RESPONSE);
        let (kept, cut) = response(&long);
        assert!(cut);
        assert_eq!(kept.len(), LARGEST_RESPONSE);
        assert!(!response(&"x".repeat(LARGEST_RESPONSE)).1);
        let object = |length: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(length - 8));
        assert_eq!(response(&object(LARGEST_RESPONSE)), (object(LARGEST_RESPONSE), false));
        assert!(response(&object(LARGEST_RESPONSE + 1)).1);
    }
}
