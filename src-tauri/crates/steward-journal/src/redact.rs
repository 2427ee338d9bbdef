//! Redaction of secrets before text is stored or exported.
//!
//! [`text`], [`fields`], [`address`], [`json`], and [`response`] are the entry points, one for each kind of value. A secret is
//! recognized by the name in front of it ([`is_secret`]). Redacting twice has the same result as redacting once.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;
use url::Url;

/// Text that replaces a secret.
pub const MASK: &str = "***";

/// Maximum number of bytes that are stored of a response: 8 MiB.
pub const LARGEST_RESPONSE: usize = 8_388_608;

/// Maximum number of bytes of a response that is parsed as JSON. The parsed value needs a multiple of its size.
/// 64 MiB.
const LARGEST_TREE: usize = 67_108_864;

/// Parts of a name that mark a secret, without punctuation.
const INSIDE: [&str; 18] = [
    "token",
    "password",
    "passwd",
    "passphrase",
    "secret",
    "apikey",
    "accesskey",
    "accountkey",
    "sharedkey",
    "storagekey",
    "privatekey",
    "sharedaccess",
    "credential",
    "connectionstr",
    "authorization",
    "cookie",
    "signature",
    "hookurl",
];

/// Names that mark a secret only as a whole.
const WHOLE: [&str; 6] = ["pwd", "pass", "sig", "sas", "otp", "pin"];

/// Returns whether a field with this name contains a secret.
#[must_use]
pub fn is_secret(name: &str) -> bool {
    let plain: String =
        name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    WHOLE.contains(&plain.as_str()) || INSIDE.iter().any(|word| plain.contains(word))
}

/// Redacts the fields of a form. A secret field keeps its name.
#[must_use]
pub fn fields(fields: &[(String, String)]) -> Vec<(String, String)> {
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
    let kept = fields(&pairs);
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
            for (name, inner) in object.iter_mut() {
                let is_empty = matches!(inner, Value::Null | Value::Bool(_))
                    || inner.as_str().is_some_and(str::is_empty);
                if is_secret(name) && !is_empty {
                    *inner = Value::String(MASK.to_owned());
                } else {
                    json(inner);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns a response redacted and truncated to [`LARGEST_RESPONSE`], and whether it was truncated. JSON stays valid unless it
/// is.
pub(crate) fn response(response: &str) -> (String, bool) {
    let tree =
        (response.len() <= LARGEST_TREE).then(|| serde_json::from_str::<Value>(response).ok()).flatten();
    if let Some(mut tree) = tree {
        json(&mut tree);
        let kept = tree.to_string();
        let cut = cut(&kept);
        return (cut.to_owned(), cut.len() < kept.len());
    }
    // Truncate first: a secret without its end still follows its name.
    let kept = cut(response);
    (cut(&text(kept)).to_owned(), kept.len() < response.len())
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LARGEST_RESPONSE)]
}

/// Redacts free text.
#[must_use]
pub fn text(text: &str) -> String {
    let text = patterns().user_information.replace_all(text, format!("$1{MASK}@"));
    let text = replace(&patterns().scheme, &text, |found| {
        let (scheme, rest) = (&found[1], &found[2]);
        // "Basic authentication" is prose.
        let prose = !scheme.eq_ignore_ascii_case("bearer")
            && !rest.contains(|letter: char| letter.is_ascii_digit() || letter == '=');
        if prose { found[0].to_owned() } else { format!("{scheme} {MASK}") }
    });
    replace(&patterns().pair, &text, |found| {
        let value = &found[3];
        let quotes = |letter: char| matches!(letter, '\\' | '"' | '\'');
        let inside = value.trim_start_matches(quotes);
        let opening = &value[..value.len() - inside.len()];
        let secret = inside.trim_end_matches(quotes);
        if secret.is_empty() {
            return found[0].to_owned();
        }
        format!("{}{}{opening}{MASK}{}", &found[1], &found[2], &inside[secret.len()..])
    })
    .into_owned()
}

fn replace<'t>(pattern: &Regex, text: &'t str, with: impl Fn(&Captures<'_>) -> String) -> Cow<'t, str> {
    pattern.replace_all(text, with)
}

struct Patterns {
    user_information: Regex,
    scheme: Regex,
    pair: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| Patterns {
        user_information: pattern(r#"(?i)\b([a-z][a-z0-9+.-]*://)[^\s/@"'<>?#]+@"#),
        scheme: pattern(r"(?i)\b(bearer|basic|negotiate)\s+([a-z0-9._~+/=\-]{8,})"),
        // A name, quoted or not, at any depth of escaping; a colon or an equals sign, percent-encoded or not; a
        // value, quoted or one word. Only names of secrets: another pair must not swallow one that stands in it.
        pair: pattern(&format!(
            r#"(?i)({})((?:\\*["']|%22)?\s*(?:[:=]|%3[da])\s*(?:%22)?)(\\+"[^"]*"?|"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&;,"'<>{{}}\[\]()]+)"#,
            names()
        )),
    });
    &PATTERNS
}

/// Returns the rule of [`is_secret`] as a pattern.
fn names() -> String {
    let spelled = |word: &str| {
        let letters: Vec<String> = word.chars().map(String::from).collect();
        letters.join(r"[_.\-]?")
    };
    let inside = INSIDE.map(spelled).join("|");
    format!(r"[a-z0-9_.\-]*(?:{inside})[a-z0-9_.\-]*|\b(?:{})", WHOLE.join("|"))
}

#[expect(clippy::unwrap_used, reason = "the patterns are constants, and every test reads them")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        for name in [
            "token",
            "TOKEN",
            "refresh_token",
            "adminPassword",
            "clientSecret",
            "backupObjectStoreConnectionStr",
            "connection-string",
            "AccountKey",
            "X-Esri-Authorization",
            "sig",
            "hookUrl",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["location", "types", "signedIn", "passengers", "design", "key", "contactEmailAddress"] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn a_named_secret_in_text_is_masked_and_the_rest_stays() {
        for (given, kept) in [
            ("token=abc123&f=json", "token=***&f=json"),
            ("see https://x.example/a?sig=abc%3D&sv=1 there", "see https://x.example/a?sig=***&sv=1 there"),
            (r#"{"token": "a\"b c", "name": "x"}"#, r#"{"token": "***", "name": "x"}"#),
            (r#"{"s":"{\"accountKey\":\"k==\",\"n\":1}"}"#, r#"{"s":"{\"accountKey\":\"***\",\"n\":1}"}"#),
            ("AccountName=me;AccountKey=abc==;Suffix=x", "AccountName=me;AccountKey=***;Suffix=x"),
            ("https://sam:pw@gis.example.org/x", "https://***@gis.example.org/x"),
            ("Authorization header: Bearer abcdefgh.123", "Authorization header: Bearer ***"),
            ("needs Basic authentication now", "needs Basic authentication now"),
            ("sent Basic dXNlcjpwYXNzd29yZA== there", "sent Basic *** there"),
            ("sent Negotiate YIIJvwYGKwYBBQUC1234 there", "sent Negotiate *** there"),
            ("sent bearer abcdefghijkl there", "sent bearer *** there"),
            ("next%3Dtoken%3Dabc", "next%3Dtoken%3D***"),
            ("https://x.example/?a=1&b=sig=abc", "https://x.example/?a=1&b=sig=***"),
            ("%7B%22access_key%22%3A%22abc%22%7D", "%7B%22access_key%22%3A%22***"),
            ("password = 'two words' here", "password = '***' here"),
            ("Service 'Parcels/Token' could not start", "Service 'Parcels/Token' could not start"),
            ("token: ", "token: "),
        ] {
            assert_eq!(text(given), kept);
            assert_eq!(text(kept), kept, "twice is once");
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
        assert_eq!(response(r#"{"token":"x","n":1.50}"#), (r#"{"token":"***","n":1.5}"#.to_owned(), false));
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
