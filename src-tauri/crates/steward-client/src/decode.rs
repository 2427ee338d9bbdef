//! Decoding of response bodies into replies and errors.
//!
//! The specification leaves HTTP status codes open, and many deployments return 200 for errors. Therefore the body
//! decides: [`parsed`] first checks for an error object of either family and only then decodes the reply. [`list`]
//! decodes large lists without building a tree.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{ClientError, NO_CODE};
use crate::list_scanner::ListFinder;
use crate::raw_list::{self, RawList};
use crate::response_capture::{Sent, masked};
use crate::wire::{is_no, number, texts};

/// Maximum size of a response body, in bytes. Import reports of 50 MB occur; the limit only stops endless bodies.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// Reads a response body and decodes it as `R`.
///
/// # Errors
/// [`ClientError::Rejected`] if the body is an error object; [`ClientError::Unreadable`] if it is not a JSON object of
/// the shape `R`, has an HTTP error status, or exceeds [`MAX_BODY`]; [`ClientError::Unreachable`] if the
/// connection breaks.
pub(crate) async fn json<R: DeserializeOwned>(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
) -> Result<R, ClientError> {
    let status = response.status();
    let body = bytes(response, sent, expected).await?;
    parsed(status, &body, sent, expected)
}

/// Decodes a complete response body as `R`.
///
/// # Errors
/// [`ClientError::Rejected`] if the body is an error object; [`ClientError::Unreadable`] if it is not a JSON object of
/// the shape `R` or has an HTTP error status.
pub(crate) fn parsed<R: DeserializeOwned>(
    status: reqwest::StatusCode,
    body: &[u8],
    sent: &Sent,
    expected: &'static str,
) -> Result<R, ClientError> {
    let unreadable = || ClientError::unreadable_answer(expected, sent.raw(status.as_u16(), body));
    let mut value = value(body).ok_or_else(unreadable)?;
    if let Some(rejection) = rejection(&value, status.as_u16(), sent) {
        return Err(rejection);
    }
    // serde would accept an array as a struct without field names.
    if !status.is_success() || !value.is_object() {
        return Err(unreadable());
    }
    sent.clean_reply(&mut value);
    serde_json::from_value(value).map_err(|_| unreadable())
}

/// Reads the list in one field of a response, with the source text of each element: building trees for 100,000 elements
/// would take seconds. A single element may be sent without brackets, and an empty list as `null`.
///
/// Passes each element to `read` while the rest of the response is still arriving, and returns the list, the results of
/// `read`, and the other fields. `read` returns `None` if an element is not JSON of the expected shape.
///
/// # Errors
/// [`ClientError::Rejected`] if the body is an error object; [`ClientError::Unreadable`] if the body is not a JSON
/// object, the field is missing, an element cannot be read, or the body exceeds [`MAX_BODY`];
/// [`ClientError::Unreachable`] if the connection breaks.
pub(crate) async fn list<H>(
    response: reqwest::Response,
    sent: &Sent,
    field: &str,
    expected: &'static str,
    read: &mut (impl FnMut(&str) -> Option<H> + Send),
) -> Result<(RawList, Vec<H>, Value), ClientError> {
    let status = response.status();
    let mut finder = ListFinder::of(field);
    let mut heads = Vec::new();
    let mut body = Vec::new();
    let secrets = sent.spellings();
    let mut read = |element: &str| read(&masked(element, &secrets));
    let arriving = arriving(response, &mut body, sent, expected, |body| {
        finder.look_at(body);
        let whole = finder.objects().iter().skip(heads.len());
        heads.extend(whole.map_while(|place| read(str::from_utf8(body.get(place.clone())?).ok()?)));
    });
    arriving.await?;
    let as_received = String::from_utf8(body).map_err(|error| text(error.as_bytes()).into_owned());
    let (Ok(read_so_far) | Err(read_so_far)) = &as_received;
    let text = match (masked(read_so_far, &secrets), &as_received) {
        (Cow::Borrowed(_), Ok(_)) => as_received.unwrap_or_default(),
        (changed, _) => {
            let text = changed.into_owned();
            heads.clear();
            finder = ListFinder::of(field);
            finder.look_at(text.as_bytes());
            text
        }
    };
    let unreadable = || ClientError::unreadable_answer(expected, sent.raw(status.as_u16(), text.as_bytes()));
    let found = finder.found();
    let around = match &found {
        Some((list, _)) => Cow::Owned(format!("{}[]{}", &text[..list.start], &text[list.end..])),
        None => {
            heads.clear();
            Cow::Borrowed(text.as_str())
        }
    };
    let mut fields: HashMap<Cow<'_, str>, &RawValue> =
        serde_json::from_str(around.strip_prefix('\u{feff}').unwrap_or(&around)).map_err(|_| unreadable())?;
    let list = fields.remove(field);
    let rest = serde_json::to_value(fields).map_err(|_| unreadable())?;
    if let Some(rejection) = rejection(&rest, status.as_u16(), sent) {
        return Err(rejection);
    }
    let list = list.filter(|_| status.is_success()).ok_or_else(unreadable)?;
    let places = match (found, list.get()) {
        (Some((_, objects)), _) => objects,
        (None, "null") => Vec::new(),
        (None, many) if many.starts_with('[') => {
            raw_list::places(&text, &serde_json::from_str::<Vec<_>>(many).map_err(|_| unreadable())?)
        }
        (None, _) => raw_list::places(&text, &[list]),
    };
    for place in places.iter().skip(heads.len()) {
        heads.push(read(&text[place.clone()]).ok_or_else(unreadable)?);
    }
    Ok((RawList::at(text, places), heads, rest))
}

/// Reads a complete response body.
///
/// # Errors
/// [`ClientError::Unreachable`] if the connection breaks; [`ClientError::Unreadable`] if the body exceeds
/// [`MAX_BODY`].
pub(crate) async fn bytes(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    read(response, &mut body, sent, expected).await?;
    Ok(body)
}

/// Reads a response body into `body`, which keeps the bytes received so far if the connection breaks.
///
/// # Errors
/// As [`bytes()`].
pub(crate) async fn read(
    response: reqwest::Response,
    body: &mut Vec<u8>,
    sent: &Sent,
    expected: &'static str,
) -> Result<(), ClientError> {
    arriving(response, body, sent, expected, |_| ()).await
}

/// Reads a response body into `body` and calls `look` with all bytes received so far after each chunk.
async fn arriving(
    mut response: reqwest::Response,
    body: &mut Vec<u8>,
    sent: &Sent,
    expected: &'static str,
    mut look: impl FnMut(&[u8]),
) -> Result<(), ClientError> {
    let status = response.status().as_u16();
    while let Some(chunk) = response.chunk().await.map_err(ClientError::while_reading)? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(ClientError::unreadable_answer(expected, sent.raw(status, body)));
        }
        body.extend_from_slice(&chunk);
        look(body);
    }
    Ok(())
}

/// Parses a response body as JSON. Returns `None` if it is not JSON.
pub(crate) fn value(body: &[u8]) -> Option<Value> {
    serde_json::from_str(&text(body)).ok()
}

/// Decodes a response body as text without its byte order mark. Some servers write paths in the encoding of their file
/// system: invalid UTF-8 is replaced, because losing a character is better than losing the report.
fn text(body: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body))
}

/// Returns the error object in a response body, if there is one. Portals and the sharing API return `{"error": {…}}`,
/// the server administration `{"status": "error", "messages": […], "code": …}`, some resources `{"success": false}`.
///
/// An error without a code gets the HTTP status, or [`NO_CODE`] if that is a success. Secrets of the request are masked
/// in message and details, because sites repeat them.
pub(crate) fn rejection(value: &Value, status: u16, sent: &Sent) -> Option<ClientError> {
    let (code, message, details) = error_in(value, status)?;
    let details = details.iter().map(|detail| sent.clean(detail)).collect();
    Some(ClientError::Rejected { code, message: sent.clean(&message), details })
}

/// Returns code, message and details of an error object.
fn error_in(value: &Value, status: u16) -> Option<(i32, String, Vec<String>)> {
    let object = value.as_object()?;
    let from_http = if status >= 400 { i32::from(status) } else { NO_CODE };
    // Gateways also return JSON. Their errors are not errors of the site, which might still be processing the request.
    let is_from_gateway = matches!(status, 408 | 502..=504);
    let error = object.get("error").filter(|error| !is_nothing(error));
    if let Some(error) = error.filter(|error| error.is_object() || !is_from_gateway) {
        // OAuth (RFC 6749, 5.2) has the error name in `error` and the text in `error_description`.
        let words = match error {
            Value::String(name) => {
                texts(object.get("error_description")).into_iter().next().or(Some(name.clone()))
            }
            _ => Some(texts(error.get("message")).join(" ")),
        };
        let number = error.get("code").or_else(|| object.get("code")).and_then(code).unwrap_or(from_http);
        let details = error.get("details").or_else(|| object.get("details"));
        return Some((number, words.unwrap_or_default(), texts(details)));
    }
    let word = object.get("status").and_then(Value::as_str).unwrap_or_default().trim();
    let failed = ["error", "fail"].iter().any(|start| starts_with(word, start))
        || object.get("success").is_some_and(is_no);
    // Newer services return `{"code": 403, "message": …}` with a matching HTTP status.
    let bare = status >= 400 && object.contains_key("code") && object.contains_key("message");
    // A body with a report is not a rejection: the report is available nowhere else.
    let has_report = object.get("result").is_some_and(|report| !is_nothing(report));
    if !(failed || bare) || has_report || (is_from_gateway && !object.contains_key("messages")) {
        return None;
    }
    let messages = object.get("messages").filter(|messages| !is_nothing(messages));
    let mut messages = texts(messages.or_else(|| object.get("message"))).into_iter();
    let message = messages.next().unwrap_or_default();
    let number = object.get("code").and_then(code).unwrap_or(from_http);
    Some((number, message, messages.chain(texts(object.get("details"))).collect()))
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

fn starts_with(word: &str, start: &str) -> bool {
    word.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

/// Returns whether a status means success: `success`, `success with warning`, `success with warnings`. Case is ignored.
pub(crate) fn is_success(status: &str) -> bool {
    starts_with(status.trim(), "success")
}

/// Returns whether a status means success without warnings.
pub(crate) fn is_plain_success(status: &str) -> bool {
    status.trim().eq_ignore_ascii_case("success")
}

fn code(value: &Value) -> Option<i32> {
    number(value).and_then(|number| i32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(json: &str) -> Option<(i32, String, Vec<String>)> {
        match rejection(&value(json.as_bytes()).unwrap(), 200, &Sent::default()) {
            Some(ClientError::Rejected { code, message, details }) => Some((code, message, details)),
            _ => None,
        }
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
        let code = |json: &str, status| match rejection(
            &value(json.as_bytes()).unwrap(),
            status,
            &Sent::default(),
        ) {
            Some(ClientError::Rejected { code, .. }) => Some(code),
            _ => None,
        };
        assert_eq!(code(r#"{"error":{"message":"no"}}"#, 403), Some(403));
        assert_eq!(code(r#"{"error":{"message":"no","code":498}}"#, 403), Some(498));
        assert_eq!(code(r#"{"error":{}}"#, 200), Some(NO_CODE));
        assert_eq!(code(r#"{"code":"404","message":"not here"}"#, 404), Some(404));
        assert_eq!(code(r#"{"code":404,"message":"a report that has a code"}"#, 200), None);
    }

    #[test]
    fn json_of_a_gateway_is_not_a_rejection() {
        let said = |json: &str| rejection(&value(json.as_bytes()).unwrap(), 504, &Sent::default());
        for gateway in [
            r#"{"timestamp":1,"status":504,"error":"Gateway Timeout"}"#,
            r#"{"status":"Failure","code":504,"message":"upstream"}"#,
            r#"{"code":"101504","message":"upstream"}"#,
        ] {
            assert!(said(gateway).is_none(), "{gateway}");
        }
        for site in [
            r#"{"error":{"code":504,"message":"the portal is busy"}}"#,
            r#"{"status":"error","messages":["the server is busy"],"code":504}"#,
        ] {
            assert!(said(site).is_some(), "{site}");
        }
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

    #[test]
    fn invalid_utf8_and_byte_order_mark_are_accepted() {
        assert!(value(b"\xEF\xBB\xBF{\"status\":\"success\"}").is_some());
        let value = value(b"{\"status\":\"success\",\"location\":\"/M\xFCnchen\"}").unwrap();
        assert_eq!(value["location"], "/M\u{fffd}nchen");
    }

    #[test]
    fn status_that_starts_with_success_is_success() {
        assert!(
            is_success("success")
                && is_success("Success with warnings")
                && is_success("success with warning")
        );
        assert!(!is_success("succ") && !is_success("no success") && !is_success(""));
    }
}
