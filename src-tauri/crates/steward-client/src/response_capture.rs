//! Capture of responses for bug reports, with secrets masked.
//!
//! [`Sent`] contains the secrets of one request and masks them in the response; [`RawResponse`] is the masked response.

use std::borrow::Cow;

use serde_json::Value;
use steward_vault::Secret;

use crate::limits::{self, SMALL_BODY as KEPT};
use crate::receivers::Receivers;
use crate::spellings::spellings;
use crate::wire::BoundedText;

/// Maximum length of the excerpt of an unreadable response, in characters.
const EXCERPT: usize = 300;

/// Names of fields whose values are secret.
const SECRET_FIELDS: [&str; 16] = [
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "password",
    "client_secret",
    "code_verifier",
    "accountKey",
    "accountkey",
    "signatureKey",
    "hookUrl",
    "backupObjectStoreConnectionStr",
    "locationConfig",
    "encrypted_password",
    "ENCRYPTED_PASSWORD",
    "invitationString",
];

/// Names of request fields whose values are secret, but which are harmless in responses: an error object has a `code`.
const SECRET_IN_FORMS: [&str; 2] = ["code", "auth_token"];

/// Response for a bug report: at most 1 MiB, with secrets masked.
#[derive(Clone, PartialEq, Eq)]
pub struct RawResponse {
    /// HTTP status.
    pub status: u16,
    /// Body. Invalid UTF-8 is replaced.
    pub body: String,
    /// Whether the body was longer than 1 MiB.
    pub is_cut: bool,
}

impl std::fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { status, body, is_cut } = self;
        write!(f, "RawResponse(HTTP {status}, {} bytes{})", body.len(), if *is_cut { ", cut" } else { "" })
    }
}

/// Secrets of a request, and the receiver URLs that the site returned before. A site can repeat any of them in a
/// response.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    secrets: Vec<Secret<String>>,
    receivers: Receivers,
}

impl Sent {
    /// Collects the token and the secret fields of the form.
    pub(crate) fn new(token: Option<&Secret<String>>, form: &[(&str, &str)]) -> Self {
        let is_secret = |name: &str| SECRET_FIELDS.contains(&name) || SECRET_IN_FORMS.contains(&name);
        let fields = form.iter().filter(|(name, _)| is_secret(name));
        let mut secrets: Vec<_> = fields
            .flat_map(|(_, value)| [secrets_inside(value), vec![(*value).to_owned()]].concat())
            .map(Secret::new)
            .collect();
        secrets.extend(token.cloned());
        secrets.retain(|secret| !secret.expose().is_empty());
        Self { secrets, receivers: Receivers::default() }
    }

    /// Adds the receiver URLs to mask.
    pub(crate) fn and_receivers(self, receivers: Receivers) -> Self {
        Self { receivers, ..self }
    }

    /// Returns `words` with secrets masked: those of the request, and those recognized by their field name.
    pub(crate) fn clean(&self, words: &str) -> String {
        let mut text = self.receivers.clean(words);
        for secret in &self.secrets {
            for spelling in spellings(secret.expose()) {
                text = text.replace(&spelling, "…");
            }
        }
        without_secret_fields(&text)
    }

    /// Returns a text with secrets masked as [`clean`](Self::clean), and then cut.
    pub(crate) fn shown(&self, words: &BoundedText) -> String {
        limits::cut(self.clean(&words.beginning), words.length)
    }

    /// Masks the secrets of the request in the values of a reply, which is JSON, is shown and stored.
    ///
    /// A field with a secret name is left: it is decoded as a secret and not shown, and a site can return the sent
    /// token as the issued one.
    pub(crate) fn clean_values<'t>(&self, reply: &'t str) -> Cow<'t, str> {
        let secrets = self.spellings();
        if secrets.is_empty() {
            return Cow::Borrowed(reply);
        }
        let is_suspicious = secrets.iter().any(|secret| reply.contains(secret));
        if !is_suspicious && !reply.contains('\\') {
            return Cow::Borrowed(reply);
        }
        with_values(reply, |name, value| {
            // Without an escape, a secret in a value is one in the text.
            if SECRET_FIELDS.contains(&name) || !(is_suspicious || value.contains('\\')) {
                return None;
            }
            let value = decoded(value)?;
            match masked(&value, &secrets) {
                Cow::Owned(masked) => Some(masked),
                Cow::Borrowed(_) => None,
            }
        })
    }

    /// Masks the secrets of the request as [`clean_values`](Self::clean_values), and receiver URLs: the message about a
    /// webhook that could not be registered contains one.
    pub(crate) fn clean_reply<'t>(&self, reply: &'t str) -> Cow<'t, str> {
        let reply = self.clean_values(reply);
        if self.receivers.longest() == 0 {
            return reply;
        }
        let clean = with_values(&reply, |_, value| {
            let value = decoded(value)?;
            Some(self.receivers.clean(&value)).filter(|clean| *clean != value)
        });
        match clean {
            Cow::Owned(clean) => Cow::Owned(clean),
            Cow::Borrowed(_) => reply,
        }
    }

    /// Returns the spellings of all secrets of the request, for [`masked`].
    fn spellings(&self) -> Vec<String> {
        self.secrets.iter().flat_map(|secret| spellings(secret.expose())).collect()
    }

    /// Returns the response for a bug report.
    pub(crate) fn raw(&self, status: u16, body: &[u8]) -> RawResponse {
        // Mask before truncating: a secret across the limit would be cut and no longer recognized.
        let secrets = self.secrets.iter().map(|secret| secret.expose().len() * 3);
        let longest = secrets.chain([self.receivers.longest()]).max().unwrap_or_default();
        let text = self.clean(&String::from_utf8_lossy(&body[..body.len().min(KEPT + longest)]));
        let is_cut = body.len() > KEPT + longest;
        RawResponse { status, body: text, is_cut }.cut_to(KEPT)
    }
}

impl RawResponse {
    /// Returns the response with at most `length` bytes of its body.
    pub(crate) fn cut_to(mut self, length: usize) -> Self {
        self.is_cut |= self.body.len() > length;
        self.body.truncate(self.body.floor_char_boundary(length));
        self
    }

    /// Returns the beginning of the response as one line, for an error message.
    pub(crate) fn excerpt(&self) -> String {
        let start: String = self.body.chars().take(16 * 1024).collect();
        let text = start.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("HTTP {}: {}", self.status, text.chars().take(EXCERPT).collect::<String>())
    }
}

/// Returns the secrets in a field that is a JSON object, such as the account of a blob container. A site can repeat the
/// key alone.
fn secrets_inside(value: &str) -> Vec<String> {
    let object = serde_json::from_str::<serde_json::Map<String, Value>>(value).unwrap_or_default();
    secrets_of(&object)
}

/// Returns the secrets in the fields of an object, and of the objects in it.
fn secrets_of(object: &serde_json::Map<String, Value>) -> Vec<String> {
    let secrets = object.iter().flat_map(|(name, value)| match value {
        Value::Object(inner) => secrets_of(inner),
        Value::String(text) if SECRET_FIELDS.contains(&name.as_str()) => vec![text.clone()],
        _ => Vec::new(),
    });
    secrets.collect()
}

/// Masks these secrets in a text.
fn masked<'t>(text: &'t str, secrets: &[String]) -> Cow<'t, str> {
    secrets.iter().fold(Cow::Borrowed(text), |text, secret| match text.contains(secret) {
        true => Cow::Owned(text.replace(secret, "…")),
        false => text,
    })
}

/// Replaces text values of a JSON text. `replace` gets the name of the field, empty in a list of lists, and the value as it
/// is written, and returns the new text or `None`.
fn with_values<'t>(json: &'t str, replace: impl Fn(&str, &str) -> Option<String>) -> Cow<'t, str> {
    let (mut changed, mut copied) = (String::new(), 0);
    let (mut name, mut at) = ("", 0);
    while let Some(begins) = json[at..].find('"').map(|found| at + found + 1) {
        let ends = begins + end_of_text(&json[begins..]);
        at = (ends + 1).min(json.len());
        if json[at..].trim_start().starts_with(':') {
            name = &json[begins..ends];
        } else if let Some(new) = replace(name, &json[begins..ends]) {
            changed.push_str(&json[copied..begins - 1]);
            changed.push_str(&Value::from(new).to_string());
            copied = at;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    changed.push_str(&json[copied..]);
    Cow::Owned(changed)
}

/// Returns the offset of the quote that ends a JSON text, or the length of `rest` if none does.
fn end_of_text(rest: &str) -> usize {
    let mut is_escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.unwrap_or(rest.len())
}

/// Returns the text that is written between the quotes of a JSON text. `None` if it is not valid.
fn decoded(written: &str) -> Option<Cow<'_, str>> {
    match written.contains('\\') {
        true => serde_json::from_str(&format!("\"{written}\"")).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(written)),
    }
}

/// Masks the values of fields with a secret name: `"token":"…"`, `token=…`, also in truncated JSON.
fn without_secret_fields(text: &str) -> String {
    let matches = |name: &'static str| text.match_indices(name).map(|(at, name)| (at, at + name.len()));
    let mut named: Vec<_> = SECRET_FIELDS.into_iter().flat_map(matches).collect();
    named.sort_unstable();
    let mut kept = String::with_capacity(text.len());
    let mut done = 0;
    for (name_starts, name_ends) in named {
        if name_starts < done {
            continue;
        }
        if let Some((start, end)) = value_of(text, name_starts, name_ends) {
            kept.push_str(&text[done..start]);
            kept.push('…');
            done = end;
        }
    }
    kept.push_str(&text[done..]);
    kept
}

/// Returns the range of the value after a name. `None` if the name is part of a longer word or no value follows.
fn value_of(text: &str, name_starts: usize, name_ends: usize) -> Option<(usize, usize)> {
    let is_part_of_a_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    if text[..name_starts].chars().next_back().is_some_and(is_part_of_a_word) {
        return None;
    }
    let after = &text[name_ends..];
    // In a JSON text inside a JSON string, the quotes are escaped.
    let value = after.trim_start_matches(['"', '\'', '\\', ' ', '\t', '\r', '\n']);
    let value = value.strip_prefix([':', '='])?.trim_start();
    let quotes = value.len() - value.trim_start_matches(['\\', '"', '\'']).len();
    let ends: &[char] =
        if quotes > 0 { &['"', '\''] } else { &['&', ';', ',', '}', ' ', '<', '"', '\'', '\n'] };
    let start = text.len() - value.len() + quotes;
    let inside = &text[start..];
    let mut is_escaped = false;
    let end = inside
        .char_indices()
        .find(|(_, letter)| {
            let ends_here = ends.contains(letter) && !is_escaped;
            is_escaped = *letter == '\\' && !is_escaped;
            ends_here
        })
        .map_or(inside.len(), |(at, _)| at);
    (end > 0 && &inside[..end] != "…").then_some((start, start + end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(token: &str) -> Sent {
        Sent::new(
            Some(&Secret::new(token.to_owned())),
            &[("password", "p&ss\"word"), ("location", "/backups")],
        )
    }

    #[test]
    fn excerpt_is_short_and_contains_no_token() {
        let body = format!("<html>\n  canary {}", "x".repeat(10_000));

        let excerpt = sent("canary").raw(502, body.as_bytes()).excerpt();

        assert!(excerpt.starts_with("HTTP 502: <html> … xxx"), "{excerpt}");
        assert!(excerpt.chars().count() < 320);
    }

    #[test]
    fn a_key_inside_the_configuration_of_a_storage_is_masked() {
        let config = r#"{"provider":"azure","credential":{"accountName":"a","accountKey":"canary"}}"#;
        let sent = Sent::new(None, &[("locationConfig", config)]);

        assert_eq!(sent.raw(500, b"cannot use canary").body, "cannot use …");
        assert!(!sent.raw(500, config.as_bytes()).body.contains("canary"));
    }

    #[test]
    fn secrets_of_the_request_are_masked_in_every_spelling() {
        let body =
            r#"p&ss"word p%26ss%22word p&amp;ss&quot;word {"a":"p&ss\"word"} can/ary can%2Fary /backups"#;

        assert_eq!(sent("can/ary").raw(200, body.as_bytes()).body, r#"… … … {"a":"…"} … … /backups"#);
    }

    #[test]
    fn sign_in_secrets_are_masked_and_error_codes_are_kept() {
        let form = [
            ("code", "canary-c"),
            ("code_verifier", "canary-v"),
            ("refresh_token", "canary-r"),
            ("auth_token", "canary-a"),
        ];
        let sent = Sent::new(None, &form);

        let body = r#"{"error":{"code":400,"message":"bad canary-c canary-v canary-r canary-a"}}"#;

        assert_eq!(sent.clean(body), r#"{"error":{"code":400,"message":"bad … … … …"}}"#);
    }

    #[test]
    fn secret_fields_are_masked_in_complete_and_truncated_responses() {
        let clean = |body: &str| Sent::default().raw(200, body.as_bytes()).body;

        assert_eq!(clean(r#"{"token":"kX3","expires":1}"#), r#"{"token":"…","expires":1}"#);
        assert_eq!(
            clean(r#"{"token": "k\"X3", "refresh_token" : "r"#),
            r#"{"token": "…", "refresh_token" : "…"#
        );
        assert_eq!(clean("<a href='x?f=json&token=abc&g=1'>"), "<a href='x?f=json&token=…&g=1'>");
        assert_eq!(clean(r#"{"tokens":"a","my_token":"b"}"#), r#"{"tokens":"a","my_token":"b"}"#);
        assert_eq!(clean("ENCRYPTED_PASSWORD=00022e68;SERVER=db1"), "ENCRYPTED_PASSWORD=…;SERVER=db1");
        assert_eq!(clean("Invalid token."), "Invalid token.");
    }

    #[test]
    fn secret_at_the_limit_of_a_long_response_is_masked() {
        let body = format!("{}canary-token and more", "x".repeat(KEPT - 5));

        let raw = sent("canary-token").raw(200, body.as_bytes());

        assert!(raw.is_cut);
        assert!(raw.body.len() <= KEPT);
        assert!(!raw.body.contains("cana"));
    }
    #[test]
    fn response_full_of_secrets_is_masked_in_one_pass() {
        let body = r#"{"token":"kX3","ENCRYPTED_PASSWORD=00022e68;"},"#.repeat(20_000);
        let began = std::time::Instant::now();

        let raw = Sent::default().raw(200, body.as_bytes());

        assert!(!raw.body.contains("kX3") && !raw.body.contains("00022e68"));
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    fn only_texts_of_a_reply_are_masked_whatever_the_secret() {
        let sent = |secret: &str| Sent::new(None, &[("password", secret)]);
        let reply = r#"{"active":true,"expires":1711,"1":["a1b"],"token":"k1","in":{"name":"true"}}"#;

        assert_eq!(
            sent("1").clean_values(reply),
            r#"{"active":true,"expires":1711,"1":["a…b"],"token":"k1","in":{"name":"true"}}"#
        );
        assert_eq!(sent("true").clean_values(r#"{"a":true,"b":"true"}"#), r#"{"a":true,"b":"…"}"#);
        assert_eq!(sent("n").clean_values(r#"{"a":"1\n2","b":"n\"n"}"#), r#"{"a":"1\n2","b":"…\"…"}"#);
        assert_eq!(sent("x").clean_values(r#"{"a":"\u0078"}"#), r#"{"a":"…"}"#);
        for unchanged in [reply, r#"{"a":"b\\"}"#, r#"{"half"#, "", "\"", r#"{"a":"\"#] {
            assert!(matches!(sent("absent").clean_values(unchanged), Cow::Borrowed(_)), "{unchanged}");
        }
    }

    #[test]
    fn a_receiver_url_in_a_report_is_masked_however_it_is_written() {
        let receivers = Receivers::default();
        let sent = sent("canary").and_receivers(receivers.clone());
        assert!(matches!(sent.clean_reply(r#"{"a":"b"}"#), Cow::Borrowed(_)));
        assert!(receivers.note("https://hooks.example.org/services/aVeryLongKeyOfAReceiver"));

        assert_eq!(
            sent.clean_reply(
                r#"{"message":"to https:\/\/hooks.example.org\/services\/aVeryLongKeyOfAReceiver, canary"}"#
            ),
            r#"{"message":"to https://hooks.example.org/…, …"}"#
        );
        assert!(matches!(sent.clean_reply(r#"{"a":"b"}"#), Cow::Borrowed(_)));
        assert_eq!(sent.clean_reply(r#"{"a":"canary"}"#), r#"{"a":"…"}"#);
    }
}
