//! Alerts to Slack and Mattermost, by an incoming webhook.

use serde_json::json;
use steward_client::alerts::AlertRequest;
use url::Url;

use super::answer::Answer;

/// Longest text, in bytes. Slack recommends 4,000 characters, and others reject 5,000.
pub(super) const LONGEST: usize = 4_000;

/// Returns whether the service took the message: it returns `ok`. Workflows of Slack return no body, or JSON such as
/// `{"ok":true}`.
pub(super) fn is_taken(_: u16, answer: &Answer<'_>) -> bool {
    matches!(answer, Answer::Empty | Answer::Yes) || answer.is_one_of(&["ok"])
}

/// Returns the request.
pub(super) fn request(address: Url, title: &str, lines: &[String]) -> AlertRequest {
    let lines: String = lines.iter().map(|line| format!("\n{}", escaped(line))).collect();
    let body = json!({ "text": format!("*{}*{lines}", escaped(title)) }).to_string();
    AlertRequest { address, headers: Vec::new(), body: Some(("application/json", body.into_bytes())) }
}

/// Returns a text without markup: the name of a site could mention a whole channel, or be a link.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('@', "@\u{200b}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_neither_mentions_anybody_nor_is_a_link() {
        let address = Url::parse("https://hooks.example.org/x").unwrap();
        let request = request(address, "<!channel> @all", &["<https://example.org|here> & there".to_owned()]);
        let (_, body) = request.body.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let expected = "*&lt;!channel&gt; @\u{200b}all*\n&lt;https://example.org|here&gt; &amp; there";
        assert_eq!(body, json!({ "text": expected }));
    }
}
