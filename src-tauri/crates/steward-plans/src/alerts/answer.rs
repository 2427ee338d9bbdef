//! Reads the body with which a receiver of alerts responds to a request that had a successful status.

use serde_json::Value;

/// Body of a successful response.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer<'a> {
    /// No body.
    Empty,
    /// A page, for example that of a sign-in.
    Page,
    /// JSON of a receiver that took the alert, for example `{"ok":true}`.
    Yes,
    /// JSON without a sign that the alert was not taken.
    Json,
    /// JSON or text of a receiver that did not take the alert, for example `{"ok":false}`.
    No,
    /// Plain text.
    Words(&'a str),
}

impl<'a> Answer<'a> {
    /// Reads the beginning of a body.
    pub(super) fn read(beginning: &'a str) -> Self {
        let text = beginning.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Self::Empty;
        }
        if text.starts_with('<') {
            return Self::Page;
        }
        match serde_json::from_str(text) {
            Ok(Value::Object(object)) if says_no(&object) => Self::No,
            Ok(Value::Object(object)) if says_yes(&object) => Self::Yes,
            Ok(Value::Object(_)) => Self::Json,
            _ if text.to_ascii_lowercase().starts_with("error") => Self::No,
            _ => Self::Words(text),
        }
    }

    /// Returns whether the answer consists of one of these words, in any case.
    pub(super) fn is_one_of(&self, words: &[&str]) -> bool {
        matches!(self, Self::Words(text) if words.iter().any(|word| text.eq_ignore_ascii_case(word)))
    }
}

/// Returns whether a field confirms that the alert was taken. Case does not matter in its name.
fn says_yes(object: &serde_json::Map<String, Value>) -> bool {
    object.iter().any(|(key, value)| match key.to_ascii_lowercase().as_str() {
        "ok" | "success" => is_one_of(value, &["true"]),
        "status" | "result" => is_one_of(value, &["ok", "success"]),
        _ => false,
    })
}

/// Returns whether a field denies that the alert was taken. Case does not matter in its name.
fn says_no(object: &serde_json::Map<String, Value>) -> bool {
    object.iter().any(|(key, value)| match key.to_ascii_lowercase().as_str() {
        "ok" | "success" => is_one_of(value, &["false"]),
        "status" | "result" | "code" | "statuscode" => is_failure(value),
        "error" | "errors" | "exception" => says_something(value),
        _ => false,
    })
}

/// Returns whether a value is one of these words, in any case and with or without quotation marks.
fn is_one_of(value: &Value, words: &[&str]) -> bool {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    words.iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// Returns whether a `status` reports a failure, as a word or as an HTTP status code.
fn is_failure(status: &Value) -> bool {
    let number = status.as_u64().or_else(|| status.as_str()?.parse().ok());
    is_one_of(status, &["error", "fail", "failed", "failure"])
        || number.is_some_and(|number| (400..600).contains(&number))
}

/// Returns whether an `error` field has content: some receivers return it empty on success.
fn says_something(error: &Value) -> bool {
    match error {
        Value::Null => false,
        Value::Bool(is_error) => *is_error,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_says_nothing_is_no_rejection() {
        for nothing in ["null", "false", "\"\"", "0", "[]", "{}"] {
            let body = format!(r#"{{"ok":true,"error":{nothing}}}"#);
            assert_eq!(Answer::read(&body), Answer::Yes, "{body}");
        }
        for error in ["true", "\"no\"", "5", "[1]"] {
            let body = format!(r#"{{"error":{error}}}"#);
            assert_eq!(Answer::read(&body), Answer::No, "{body}");
        }
    }

    #[test]
    fn an_answer_that_denies_in_any_spelling_is_no() {
        for body in [
            r#"{"ok":false,"msg":"Monitor not found or not active."}"#,
            r#"{"success": false}"#,
            r#"{"result":"error","code":"BAD_REQUEST"}"#,
            r#"{"status":"Failed"}"#,
            r#"{"error":{"code":"DirectApiAuthorizationRequired"}}"#,
            r#"{"errors":[{"code":1,"message":"bad"}]}"#,
            r#"{"code":401,"message":"Unauthorized"}"#,
            r#"{"statusCode":500,"message":"Internal"}"#,
            r#"{"status":"503"}"#,
            r#"{"success":"false"}"#,
            r#"{"Exception":"boom"}"#,
            "error: invalid_payload",
        ] {
            assert_eq!(Answer::read(body), Answer::No, "{body}");
        }
        for body in [
            r#"{"ok":true}"#,
            r#"{"success":true,"error":null}"#,
            r#"{"status":"ok"}"#,
            r#"{"Result":"Success"}"#,
            r#"{"OK":"True"}"#,
        ] {
            assert_eq!(Answer::read(body), Answer::Yes, "{body}");
        }
        for body in ["{}", r#"{"code":0,"status":200}"#, r#"{"message":"queued"}"#] {
            assert_eq!(Answer::read(body), Answer::Json, "{body}");
        }
        assert_eq!(Answer::read("\u{feff}\n <!doctype html>"), Answer::Page);
        assert_eq!(Answer::read(" \r\n"), Answer::Empty);
        assert!(Answer::read("OK\n").is_one_of(&["ok"]));
        // Its beginning only.
        assert_eq!(Answer::read(r#"{"ok":tr"#), Answer::Words(r#"{"ok":tr"#));
    }
}
