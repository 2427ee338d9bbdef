//! From the bytes of an answer to a reply or an error.
//!
//! The specification leaves HTTP statuses open and deployments answer 200 to nearly everything, so the body
//! decides: first whether it is an error of either family, only then whether it is the reply.

use serde::de::DeserializeOwned;
use serde_json::Value;
use steward_vault::Secret;

use crate::error::ClientError;
use crate::wire::texts;

/// A report of 50 MB is still a report; a body without end is not.
const LARGEST_ANSWER: usize = 256 * 1024 * 1024;

/// Characters of an unreadable answer that a person is shown.
const EXCERPT: usize = 300;

/// Reads a response as `R`.
pub(crate) async fn json<R: DeserializeOwned>(
    response: reqwest::Response,
    token: Option<&Secret<String>>,
    expected: &'static str,
) -> Result<R, ClientError> {
    let status = response.status();
    let body = bytes(response, token, expected).await?;
    let unreadable = || ClientError::Unreadable { expected, excerpt: excerpt(&body, token, status.as_u16()) };
    let value: Value = serde_json::from_slice(&body).map_err(|_| unreadable())?;
    if let Some(refusal) = refusal(&value) {
        return Err(refusal);
    }
    if !status.is_success() {
        return Err(unreadable());
    }
    serde_json::from_value(value).map_err(|_| unreadable())
}

/// Reads a response whole.
pub(crate) async fn bytes(
    mut response: reqwest::Response,
    token: Option<&Secret<String>>,
    expected: &'static str,
) -> Result<Vec<u8>, ClientError> {
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(ClientError::while_reading)? {
        if body.len() + chunk.len() > LARGEST_ANSWER {
            return Err(ClientError::Unreadable { expected, excerpt: excerpt(&body, token, status) });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// The error in an answer, if it is one. Portal and sharing answer `{"error": {…}}`, the server's
/// administration `{"status": "error", "messages": […], "code": …}`, some resources `{"success": false}`.
pub(crate) fn refusal(value: &Value) -> Option<ClientError> {
    let object = value.as_object()?;
    if let Some(error) = object.get("error").filter(|error| !error.is_null()) {
        let message = match error {
            Value::String(message) => message.clone(),
            _ => texts(error.get("message")).into_iter().next().unwrap_or_default(),
        };
        return Some(ClientError::Refused {
            code: error.get("code").and_then(code).unwrap_or(500),
            message,
            details: texts(error.get("details")),
        });
    }
    let status = object.get("status").and_then(Value::as_str).unwrap_or_default();
    let failed = ["error", "failed", "failure"].iter().any(|word| status.eq_ignore_ascii_case(word))
        || object.get("success") == Some(&Value::Bool(false));
    if !failed {
        return None;
    }
    let mut messages = texts(object.get("messages").or_else(|| object.get("message"))).into_iter();
    Some(ClientError::Refused {
        code: object.get("code").and_then(code).unwrap_or(500),
        message: messages.next().unwrap_or_default(),
        details: messages.collect(),
    })
}

fn code(value: &Value) -> Option<i32> {
    match value {
        Value::Number(number) => number.as_i64().and_then(|number| i32::try_from(number).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// The beginning of an answer for a person to read: what came, without the token.
pub(crate) fn excerpt(body: &[u8], token: Option<&Secret<String>>, status: u16) -> String {
    let start = &body[..body.len().min(16 * 1024)];
    let mut text = String::from_utf8_lossy(start).into_owned();
    if let Some(token) = token.filter(|token| !token.expose().is_empty()) {
        text = text.replace(token.expose().as_str(), "…");
    }
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("HTTP {status}: {}", text.chars().take(EXCERPT).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> Option<(i32, String, Vec<String>)> {
        match refusal(&serde_json::from_str(json).unwrap()) {
            Some(ClientError::Refused { code, message, details }) => Some((code, message, details)),
            _ => None,
        }
    }

    #[test]
    fn both_families_of_errors_are_found() {
        let portal = r#"{"error":{"code":500,"message":"unable to write","details":null}}"#;
        let server = r#"{"status":"error","messages":["Unauthorized access.","Sign in."],"code":499}"#;

        assert_eq!(refused(portal), Some((500, "unable to write".to_owned(), vec![])));
        assert_eq!(
            refused(server),
            Some((499, "Unauthorized access.".to_owned(), vec!["Sign in.".to_owned()]))
        );
    }

    #[test]
    fn odd_spellings_of_an_error_are_errors() {
        assert_eq!(
            refused(r#"{"error":{"code":"498","message":"Invalid Token.","details":"expired"}}"#),
            Some((498, "Invalid Token.".to_owned(), vec!["expired".to_owned()]))
        );
        assert_eq!(refused(r#"{"error":"broken"}"#), Some((500, "broken".to_owned(), vec![])));
        assert_eq!(refused(r#"{"success":false}"#), Some((500, String::new(), vec![])));
        assert_eq!(refused(r#"{"status":"FAILED","message":"no"}"#), Some((500, "no".to_owned(), vec![])));
    }

    #[test]
    fn a_success_is_no_error() {
        for answer in [
            r#"{"status":"success"}"#,
            r#"{"status":"success with warning","messages":["2 items have no content"]}"#,
            r#"{"items":[],"error":null}"#,
            r#"{"success":true}"#,
            r"[]",
            r#""success""#,
        ] {
            assert_eq!(refused(answer), None, "{answer}");
        }
    }

    #[test]
    fn an_excerpt_is_short_and_holds_no_token() {
        let token = Secret::new("canary".to_owned());
        let body = format!("<html>\n  canary {}", "x".repeat(10_000));

        let excerpt = excerpt(body.as_bytes(), Some(&token), 502);

        assert!(excerpt.starts_with("HTTP 502: <html> … xxx"), "{excerpt}");
        assert!(excerpt.chars().count() < 320);
    }
}
