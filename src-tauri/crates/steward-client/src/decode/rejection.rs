//! Errors that a site wrote itself, told from those of gateways and proxies in front of it (ADR 0034).
//!
//! [`rejection`] is the entry point. Invariant: what it returns means that the site did not carry out the request.
//! Anything else in place of a reply is unreadable, and what was sent has an unknown outcome.

use serde_json::{Map, Value};

use super::starts_with;
use crate::error::{ClientError, NO_CODE, is_of_a_gateway};
use crate::response_capture::Sent;
use crate::wire::{is_no, number, texts};

/// Code, message and details of an error.
type Error = (i32, String, Vec<String>);

/// Returns the error object in a response body, if the site wrote it. Portals and the sharing API return
/// `{"error": {…}}`, the server administration `{"status": "error", "messages": […], "code": …}`, some resources
/// `{"success": false}`.
///
/// An error without a code gets the HTTP status, or [`NO_CODE`] if that is a success. Secrets of the request are masked
/// in message and details, because sites repeat them.
pub(crate) fn rejection(value: &Value, status: u16, sent: &Sent) -> Option<ClientError> {
    let object = value.as_object()?;
    let (code, message, details) = in_member(object, status).or_else(|| in_messages(object, status))?;
    // A site can pass on the error of what it waited for.
    if is_of_a_gateway(status) || u16::try_from(code).is_ok_and(|code| (502..=504).contains(&code)) {
        return None;
    }
    let details = details.iter().map(|detail| sent.clean(detail)).collect();
    Some(ClientError::Rejected { code, message: sent.clean(&message), details })
}

/// Returns the error in the member `error`.
///
/// Gateways have such a member too, so a status other than success requires the members that the specification shows.
fn in_member(object: &Map<String, Value>, status: u16) -> Option<Error> {
    let error = object.get("error").filter(|error| !is_nothing(error))?;
    let words = match error {
        // OAuth (RFC 6749, 5.2) has the error name in `error` and the text in `error_description`.
        Value::String(name) if is_success(status) || is_of_oauth(name, status) => {
            texts(object.get("error_description")).into_iter().next().or(Some(name.clone()))
        }
        _ if is_success(status) || is_complete(error) => Some(texts(error.get("message")).join(" ")),
        _ => return None,
    };
    let number = error.get("code").or_else(|| object.get("code")).and_then(code);
    let details = error.get("details").or_else(|| object.get("details"));
    Some((number.unwrap_or(from_http(status)), words.unwrap_or_default(), texts(details)))
}

/// Returns the error in the members `status` and `messages`, or `code` and `message`, of the response itself.
fn in_messages(object: &Map<String, Value>, status: u16) -> Option<Error> {
    let word = object.get("status").and_then(Value::as_str).unwrap_or_default().trim();
    let says_error = ["error", "fail"].iter().any(|start| starts_with(word, start));
    let number = object.get("code").and_then(code);
    let is_error = match is_success(status) {
        true => says_error || object.get("success").is_some_and(is_no),
        false => {
            // Newer services return `{"code": 403, "message": …}` with the same HTTP status.
            let is_bare = (400..500).contains(&status) && number == Some(i32::from(status));
            (says_error && object.get("messages").is_some_and(Value::is_array))
                || (is_bare && object.contains_key("message"))
        }
    };
    // A body with a report is not a rejection: the report is available nowhere else.
    let has_report = object.get("result").is_some_and(|report| !is_nothing(report));
    if !is_error || has_report {
        return None;
    }
    let messages = object.get("messages").filter(|messages| !is_nothing(messages));
    let mut messages = texts(messages.or_else(|| object.get("message"))).into_iter();
    let message = messages.next().unwrap_or_default();
    let details = messages.chain(texts(object.get("details"))).collect();
    Some((number.unwrap_or(from_http(status)), message, details))
}

/// Returns whether an error object has the members of the specification: a number, a text and details.
fn is_complete(error: &Value) -> bool {
    error.get("code").and_then(code).is_some()
        && error.get("message").is_some_and(Value::is_string)
        && error.get("details").is_some()
}

/// Returns whether a text is an error name of OAuth, for example `invalid_grant`. Gateways write sentences.
fn is_of_oauth(name: &str, status: u16) -> bool {
    matches!(status, 400 | 401) && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

const fn is_success(status: u16) -> bool {
    matches!(status, 200..300)
}

fn from_http(status: u16) -> i32 {
    if status >= 400 { i32::from(status) } else { NO_CODE }
}

/// Returns whether a value is null or a substitute that some serializers write for it.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn code(value: &Value) -> Option<i32> {
    number(value).and_then(|number| i32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected_with(json: &str, status: u16) -> Option<Error> {
        match rejection(&serde_json::from_str(json).unwrap(), status, &Sent::default()) {
            Some(ClientError::Rejected { code, message, details }) => Some((code, message, details)),
            _ => None,
        }
    }

    fn rejected(json: &str) -> Option<Error> {
        rejected_with(json, 200)
    }

    #[test]
    fn both_error_families_are_rejections() {
        let portal = r#"{"error":{"code":500,"message":"unable to write","details":null}}"#;
        let server = r#"{"status":"error","messages":["Unauthorized access.","Sign in."],"code":499}"#;

        assert_eq!(rejected(portal), Some((500, "unable to write".to_owned(), vec![])));
        assert_eq!(
            rejected(server),
            Some((499, "Unauthorized access.".to_owned(), vec!["Sign in.".to_owned()]))
        );
    }

    #[test]
    fn unusual_error_objects_are_rejections() {
        assert_eq!(
            rejected(r#"{"error":{"code":"498","message":"Invalid Token.","details":"expired"}}"#),
            Some((498, "Invalid Token.".to_owned(), vec!["expired".to_owned()]))
        );
        assert_eq!(rejected(r#"{"error":"broken"}"#), Some((NO_CODE, "broken".to_owned(), vec![])));
        assert_eq!(rejected(r#"{"success":false}"#), Some((NO_CODE, String::new(), vec![])));
        for nothing in
            [r#"{"status":"FAILED","message":"no"}"#, r#"{"status":"FAILED","message":"no","result":[]}"#]
        {
            assert_eq!(rejected(nothing), Some((NO_CODE, "no".to_owned(), vec![])));
        }
    }

    #[test]
    fn success_and_reports_are_not_rejections() {
        for answer in [
            r#"{"status":"success"}"#,
            r#"{"status":"success with warning","messages":["2 items have no content"]}"#,
            r#"{"items":[],"error":null}"#,
            r#"{"status":"failed","result":[{"source":"Site","messages":["half of it is there"]}]}"#,
            r#"{"success":true}"#,
            r"[]",
            r#""success""#,
        ] {
            assert_eq!(rejected(answer), None, "{answer}");
        }
    }

    #[test]
    fn missing_code_is_replaced_by_http_error_status() {
        let code = |json: &str, status| rejected_with(json, status).map(|(code, ..)| code);
        assert_eq!(code(r#"{"status":"error","messages":["no"]}"#, 403), Some(403));
        assert_eq!(code(r#"{"status":"error","messages":["no"],"code":498}"#, 403), Some(498));
        assert_eq!(code(r#"{"error":{}}"#, 200), Some(NO_CODE));
        assert_eq!(code(r#"{"code":"404","message":"not here"}"#, 404), Some(404));
        assert_eq!(code(r#"{"code":404,"message":"a report that has a code"}"#, 200), None);
    }

    #[test]
    fn with_an_http_error_status_only_the_documented_shape_is_a_rejection() {
        let documented = r#"{"error":{"code":500,"message":"m","details":null}}"#;
        for status in [400, 401, 403, 429, 498, 499, 500] {
            assert!(rejected_with(documented, status).is_some(), "{status}");
        }
        for status in [408, 502, 503, 504, 520, 599] {
            assert_eq!(rejected_with(documented, status), None, "{status}");
        }
        for incomplete in [
            r#"{"error":{"code":500,"message":"m"}}"#,
            r#"{"error":{"code":"Timeout","message":"m","details":[]}}"#,
            r#"{"error":{"message":"m","details":[]},"code":500}"#,
            r#"{"error":{"code":500,"details":[]}}"#,
            r#"{"error":"m"}"#,
            r#"{"success":false}"#,
            r#"{"status":"error","message":"m","code":500}"#,
            r#"{"code":500,"message":"m"}"#,
        ] {
            assert_eq!(rejected_with(incomplete, 500), None, "{incomplete}");
        }
    }

    #[test]
    fn the_name_of_an_oauth_error_is_a_rejection_and_a_sentence_is_not() {
        let named = r#"{"error":"invalid_grant","error_description":"It has expired."}"#;
        assert_eq!(rejected_with(named, 400), Some((400, "It has expired.".to_owned(), vec![])));
        assert_eq!(rejected_with(named, 500), None);
        assert_eq!(rejected_with(r#"{"error":"Bad Request"}"#, 400), None);
    }

    #[test]
    fn details_can_be_null_text_or_list() {
        let details = |json: &str| rejected(json).map(|(_, _, details)| details).unwrap_or_default();
        assert!(details(r#"{"error":{"code":500,"message":"m","details":null}}"#).is_empty());
        assert_eq!(details(r#"{"error":{"code":500,"message":"m","details":"one"}}"#), ["one"]);
        assert_eq!(
            details(r#"{"error":{"code":500,"message":"m","details":["one","two"]}}"#),
            ["one", "two"]
        );
    }
}
