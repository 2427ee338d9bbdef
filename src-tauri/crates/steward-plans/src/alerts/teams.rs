//! Alerts to Microsoft Teams, by a workflow (*When a Teams webhook request is received*).

use serde_json::{Value, json};
use steward_client::alerts::AlertRequest;
use url::Url;

use super::answer::Answer;

/// Longest message that Teams takes, in bytes.
pub(super) const LONGEST: usize = 28_000;

/// Returns whether the workflow took the message. With status 202 (accepted), any text counts. With another one, a text
/// is an error of Teams, unless it is `1` or `ok`.
pub(super) fn is_taken(status: u16, answer: &Answer<'_>) -> bool {
    match answer {
        Answer::Page | Answer::No => false,
        Answer::Empty | Answer::Yes | Answer::Json => true,
        Answer::Words(_) => status == 202 || answer.is_one_of(&["1", "ok"]),
    }
}

/// Returns the request. Teams does not display cards with a version above 1.4.
pub(super) fn request(address: Url, title: &str, lines: &[String]) -> AlertRequest {
    let block = |text: &str| json!({ "type": "TextBlock", "text": escaped(text), "wrap": true });
    let mut heading = block(title);
    heading["weight"] = "bolder".into();
    let body: Vec<Value> = std::iter::once(heading).chain(lines.iter().map(|line| block(line))).collect();
    let card = json!({
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "type": "AdaptiveCard",
        "version": "1.4",
        "body": body,
    });
    let attachment = json!({ "contentType": "application/vnd.microsoft.card.adaptive", "content": card });
    let body = json!({ "type": "message", "attachments": [attachment] }).to_string();
    AlertRequest { address, headers: Vec::new(), body: Some(("application/json", body.into_bytes())) }
}

/// Returns a text without Markdown: the name of a site could be a link.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, letter| {
        if matches!(letter, '\\' | '[' | ']' | '*' | '_' | '`') {
            escaped.push('\\');
        }
        escaped.push(letter);
        escaped
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_has_the_version_that_teams_displays_and_no_links_of_others() {
        let address = Url::parse("https://prod.example.org/x?sig=y").unwrap();
        let request = request(address, "Failed", &["[here](https://example.org)".to_owned()]);
        let (_, body) = request.body.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let card = &body["attachments"][0]["content"];
        assert_eq!((&card["type"], &card["version"]), (&json!("AdaptiveCard"), &json!("1.4")));
        assert_eq!(card["body"][0]["text"], "Failed");
        assert_eq!(card["body"][1]["text"], "\\[here\\](https://example.org)");
    }
}
