//! Capture of responses for bug reports, with secrets masked.
//!
//! [`Sent`] contains the secrets of one request and masks them in the response; [`RawResponse`] is the masked response.

use std::borrow::Cow;

use serde_json::Value;
use steward_redact as redact;
use steward_vault::Secret;

use crate::limits::{self, SMALL_BODY as KEPT};
use crate::receivers::Receivers;
use crate::spellings::{may_contain, spellings};
use crate::wire::BoundedText;

/// Maximum length of the excerpt of an unreadable response, in characters.
const EXCERPT: usize = 300;

/// Fields of a reply that are decoded as secrets and not shown. A site can return the sent token as the issued one.
const DECODED_AS_SECRETS: [&str; 6] =
    ["token", "access_token", "refresh_token", "hookUrl", "signatureKey", "invitationString"];

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
    secrets: Secret<Vec<String>>,
    receivers: Receivers,
}

impl Sent {
    /// Collects the token and the secret fields of a request.
    pub(crate) fn new<'s>(
        token: Option<&'s Secret<String>>,
        fields: impl IntoIterator<Item = &'s Secret<String>>,
    ) -> Self {
        let mut secrets = Vec::new();
        for field in fields {
            secrets.extend(secrets_inside(field.expose()));
            secrets.push(field.expose().clone());
        }
        secrets.extend(token.map(|token| token.expose().clone()));
        secrets.retain(|secret| !secret.is_empty());
        Self { secrets: Secret::new(secrets), receivers: Receivers::default() }
    }

    /// Adds the receiver URLs to mask.
    pub(crate) fn and_receivers(self, receivers: Receivers) -> Self {
        Self { receivers, ..self }
    }

    /// Returns `words` with secrets masked: those of the request, and those recognized by their field name.
    pub(crate) fn clean(&self, words: &str) -> String {
        redact::text(&self.masked(&self.receivers.clean(words)))
    }

    /// Masks the secrets of the request in a text.
    ///
    /// Spellings are made only of a secret that may be in the text: each of the 100,000 elements of a list is searched.
    fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let secrets = self.secrets.expose().iter();
        secrets.filter(|secret| may_contain(text, secret)).fold(Cow::Borrowed(text), |text, secret| {
            spellings(secret).iter().fold(text, |text, spelling| match text.contains(spelling) {
                true => Cow::Owned(text.replace(spelling, "…")),
                false => text,
            })
        })
    }

    /// Returns a text with secrets masked as [`clean`](Self::clean), and then cut.
    pub(crate) fn shown(&self, words: &BoundedText) -> String {
        limits::cut(self.clean(&words.beginning), words.length)
    }

    /// Masks the secrets of the request in the values of a reply, which is JSON, is shown and stored.
    ///
    /// A field that is decoded as a secret is not changed.
    pub(crate) fn clean_values<'t>(&self, reply: &'t str) -> Cow<'t, str> {
        let secrets = self.secrets.expose();
        let is_suspicious = secrets.iter().any(|secret| may_contain(reply, secret));
        if !is_suspicious && (secrets.is_empty() || !reply.contains('\\')) {
            return Cow::Borrowed(reply);
        }
        with_values(reply, |name, value| {
            // Without an escape, a secret in a value is one in the text.
            if DECODED_AS_SECRETS.contains(&name) || !(is_suspicious || value.contains('\\')) {
                return None;
            }
            let value = decoded(value)?;
            match self.masked(&value) {
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

    /// Returns the response for a bug report.
    pub(crate) fn raw(&self, status: u16, body: &[u8]) -> RawResponse {
        // Mask before truncating: a secret across the limit would be cut and no longer recognized.
        let secrets =
            self.secrets.expose().iter().flat_map(|secret| spellings(secret)).map(|spelling| spelling.len());
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

    /// Returns the beginning of the response as one line, for an error message. A response with a NUL character, which
    /// is compressed or in UTF-16, is not shown.
    pub(crate) fn excerpt(&self) -> String {
        if self.body.contains('\0') {
            return format!("HTTP {}: [the response is no text in UTF-8]", self.status);
        }
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
        // The type of a credential is an ordinary word.
        Value::String(text) if redact::is_secret(name) && !name.ends_with("Type") => vec![text.clone()],
        _ => Vec::new(),
    });
    secrets.collect()
}

/// Replaces text values of a JSON text. `replace` gets the name of the field, empty in a list of lists, and the value
/// as it is written, and returns the new text or `None`.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret<String> {
        Secret::new(text.to_owned())
    }

    fn sent(token: &str) -> Sent {
        Sent::new(Some(&secret(token)), &[secret("p&ss\"word")])
    }

    #[test]
    fn excerpt_is_short_and_contains_no_token() {
        let body = format!("<html>\n  canary {}", "x".repeat(10_000));

        let excerpt = sent("canary").raw(502, body.as_bytes()).excerpt();

        assert!(excerpt.starts_with("HTTP 502: <html> … xxx"), "{excerpt}");
        assert!(excerpt.chars().count() < 320);
    }

    #[test]
    fn bytes_of_a_compressed_response_do_not_stand_in_a_message() {
        let compressed = sent("canary").raw(200, b"\x1f\x8b\x08\x00\x15B k");

        assert_eq!(compressed.excerpt(), "HTTP 200: [the response is no text in UTF-8]");
    }

    #[test]
    fn a_key_inside_the_configuration_of_a_storage_is_masked() {
        let config = r#"{"provider":"azure","credential":{"accountName":"a","accountKey":"canary"}}"#;
        let sent = Sent::new(None, &[secret(config)]);

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
        let sent = Sent::new(None, &["canary-c", "canary-v", "canary-r", "canary-a"].map(secret));

        let body = r#"{"error":{"code":400,"message":"bad canary-c canary-v canary-r canary-a"}}"#;

        assert_eq!(sent.clean(body), r#"{"error":{"code":400,"message":"bad … … … …"}}"#);
    }

    #[test]
    fn secret_fields_are_masked_in_complete_and_truncated_responses() {
        let clean = |body: &str| Sent::default().raw(200, body.as_bytes()).body;

        assert_eq!(clean(r#"{"token":"kX3","expires":1}"#), r#"{"token":"***","expires":1}"#);
        assert_eq!(
            clean(r#"{"token": "k\"X3", "refresh_token" : "r"#),
            r#"{"token": "***", "refresh_token" : "***"#
        );
        assert_eq!(clean("<a href='x?f=json&token=abc&g=1'>"), "<a href='x?f=json&token=***&g=1'>");
        assert_eq!(clean(r#"{"tokens":"a","my_token":"b"}"#), r#"{"tokens":"***","my_token":"***"}"#);
        assert_eq!(clean("ENCRYPTED_PASSWORD=00022e68;SERVER=db1"), "ENCRYPTED_PASSWORD=***;SERVER=db1");
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
    fn every_secret_of_a_response_full_of_them_is_masked() {
        let body = r#"{"token":"kX3","ENCRYPTED_PASSWORD=00022e68;"},"#.repeat(2_000);

        let raw = Sent::default().raw(200, body.as_bytes());

        assert!(!raw.body.contains("kX3") && !raw.body.contains("00022e68"));
    }

    #[test]
    fn only_texts_of_a_reply_are_masked_whatever_the_secret() {
        let sent = |password: &str| Sent::new(None, &[secret(password)]);
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
