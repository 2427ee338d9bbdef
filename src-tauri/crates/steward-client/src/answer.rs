//! An answer kept for a bug report, with every secret taken out that can be found.

use steward_vault::Secret;

use crate::receivers::Finder;

/// Bytes of an answer that are kept.
const KEPT: usize = 1024 * 1024;

/// Characters of an unreadable answer that a person is shown.
const EXCERPT: usize = 300;

/// Names of fields whose values are as good as a key.
const SECRET_FIELDS: [&str; 15] = [
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
    "encrypted_password",
    "ENCRYPTED_PASSWORD",
    "invitationString",
];

/// Fields of a form whose values are, by names that mean something harmless elsewhere, as in an error.
const SECRET_IN_FORMS: [&str; 2] = ["code", "auth_token"];

/// An answer as it came, for a bug report: at most 1 MiB, secrets taken out.
#[derive(Clone, PartialEq, Eq)]
pub struct RawAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body. What is no UTF-8 in it is replaced.
    pub body: String,
    /// Whether the body was longer.
    pub is_cut: bool,
}

impl std::fmt::Debug for RawAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { status, body, is_cut } = self;
        write!(f, "RawAnswer(HTTP {status}, {} bytes{})", body.len(), if *is_cut { ", cut" } else { "" })
    }
}

/// The secrets of a request, and the addresses of receivers that the site named before. A site may send any of them
/// back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sent {
    secrets: Vec<Secret<String>>,
    receivers: Option<Finder>,
}

impl Sent {
    /// The token and whatever secret stands in the form.
    pub(crate) fn new(token: Option<&Secret<String>>, form: &[(&str, &str)]) -> Self {
        let is_secret = |name: &str| SECRET_FIELDS.contains(&name) || SECRET_IN_FORMS.contains(&name);
        let fields = form.iter().filter(|(name, _)| is_secret(name));
        let mut secrets: Vec<_> = fields
            .flat_map(|(_, value)| [secrets_inside(value), vec![(*value).to_owned()]].concat())
            .map(Secret::new)
            .collect();
        secrets.extend(token.cloned());
        secrets.retain(|secret| !secret.expose().is_empty());
        Self { secrets, receivers: None }
    }

    /// The same, and the addresses of receivers.
    pub(crate) fn and_receivers(self, receivers: Option<Finder>) -> Self {
        Self { receivers, ..self }
    }

    /// Words of the site without what was sent to it in secret, and without what is secret by its name.
    pub(crate) fn clean(&self, words: &str) -> String {
        let mut text = match &self.receivers {
            Some(receivers) => receivers.clean(words),
            None => words.to_owned(),
        };
        for secret in &self.secrets {
            for spelling in spellings(secret.expose()) {
                text = text.replace(&spelling, "…");
            }
        }
        without_secret_fields(&text)
    }

    /// The answer, for a bug report.
    pub(crate) fn raw(&self, status: u16, body: &[u8]) -> RawAnswer {
        // A secret that straddles the end must be seen whole before it is cut.
        let receivers = self.receivers.as_ref().map(Finder::longest);
        let secrets = self.secrets.iter().map(|secret| secret.expose().len() * 3);
        let longest = secrets.chain(receivers).max().unwrap_or_default();
        let mut text = self.clean(&String::from_utf8_lossy(&body[..body.len().min(KEPT + longest)]));
        let is_cut = body.len() > KEPT + longest || text.len() > KEPT;
        if text.len() > KEPT {
            text.truncate(text.floor_char_boundary(KEPT));
        }
        RawAnswer { status, body: text, is_cut }
    }
}

impl RawAnswer {
    /// The beginning, for a person to read.
    pub(crate) fn excerpt(&self) -> String {
        let start: String = self.body.chars().take(16 * 1024).collect();
        let text = start.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("HTTP {}: {}", self.status, text.chars().take(EXCERPT).collect::<String>())
    }
}

/// The secrets in a field that is an object in JSON, as the account of a blob container is. A site may name the key
/// alone.
fn secrets_inside(value: &str) -> Vec<String> {
    let object =
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(value).unwrap_or_default();
    let secrets = object.iter().filter(|(name, _)| SECRET_FIELDS.contains(&name.as_str()));
    secrets.filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect()
}

/// A secret as it may stand in a page, in an address or in JSON.
pub(crate) fn spellings(secret: &str) -> Vec<String> {
    let in_address: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let in_json = serde_json::Value::from(secret).to_string();
    let in_json = in_json.trim_matches('"').to_owned();
    let in_page = secret.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    // Some serialisers escape every slash.
    let in_other_json = in_json.replace('/', "\\/");
    let mut all = vec![secret.to_owned(), in_address, in_json, in_other_json, in_page];
    all.retain(|spelling| !spelling.is_empty());
    all.sort_unstable_by_key(|spelling| std::cmp::Reverse(spelling.len()));
    all.dedup();
    all
}

/// Takes out the values of fields that are secret by their name: `"token":"…"`, `token=…`, in broken JSON too.
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

/// The value after a name, where the name stands alone and a value follows.
fn value_of(text: &str, name_starts: usize, name_ends: usize) -> Option<(usize, usize)> {
    let is_part_of_a_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    if text[..name_starts].chars().next_back().is_some_and(is_part_of_a_word) {
        return None;
    }
    let after = &text[name_ends..];
    // In a text of JSON inside JSON the quotes have backslashes.
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
    fn an_excerpt_is_short_and_holds_no_token() {
        let body = format!("<html>\n  canary {}", "x".repeat(10_000));

        let excerpt = sent("canary").raw(502, body.as_bytes()).excerpt();

        assert!(excerpt.starts_with("HTTP 502: <html> … xxx"), "{excerpt}");
        assert!(excerpt.chars().count() < 320);
    }

    #[test]
    fn what_was_sent_in_secret_does_not_come_back_in_any_spelling() {
        let body =
            r#"p&ss"word p%26ss%22word p&amp;ss&quot;word {"a":"p&ss\"word"} can/ary can%2Fary /backups"#;

        assert_eq!(sent("can/ary").raw(200, body.as_bytes()).body, r#"… … … {"a":"…"} … … /backups"#);
    }

    #[test]
    fn the_secrets_of_a_sign_in_do_not_come_back_and_the_code_of_an_error_does() {
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
    fn fields_that_are_secret_by_their_name_are_taken_out_of_whole_and_of_broken_answers() {
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
    fn a_long_answer_is_cut_and_a_secret_at_the_cut_is_not_halved() {
        let body = format!("{}canary-token and more", "x".repeat(KEPT - 5));

        let raw = sent("canary-token").raw(200, body.as_bytes());

        assert!(raw.is_cut);
        assert!(raw.body.len() <= KEPT);
        assert!(!raw.body.contains("cana"));
    }
    #[test]
    fn an_answer_full_of_secrets_is_cleaned_in_one_pass() {
        let body = r#"{"token":"kX3","ENCRYPTED_PASSWORD=00022e68;"},"#.repeat(20_000);
        let began = std::time::Instant::now();

        let raw = Sent::default().raw(200, body.as_bytes());

        assert!(!raw.body.contains("kX3") && !raw.body.contains("00022e68"));
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }
}
