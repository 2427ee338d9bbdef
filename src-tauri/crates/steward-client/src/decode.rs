//! Decoding of response bodies into replies and errors.
//!
//! The specification leaves HTTP status codes open, and many deployments return 200 for errors. Therefore [`parsed`]
//! first checks for an error that the site wrote ([`rejection()`]) and only then decodes the reply. [`list`] decodes
//! large lists without building a tree.

mod rejection;

pub(crate) use rejection::rejection;

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::{ClientError, Stage};
use crate::list_scanner::ListFinder;
use crate::raw_list::{self, RawList};
use crate::response_capture::{Sent, masked};

/// Maximum size of a response body, in bytes. Import reports of 50 MB occur; the limit only stops endless bodies.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// Reads a response body and decodes it as `R`. `stall_limit` is the longest time without a byte; `None` if the caller
/// or the request has another limit. So with the other functions here.
///
/// # Errors
/// [`ClientError::Rejected`] if the body is an error object; [`ClientError::Unreadable`] if it is not a JSON object of
/// the shape `R`, has an HTTP error status, or exceeds [`MAX_BODY`]; [`ClientError::Unreachable`] if the
/// connection breaks.
pub(crate) async fn json<R: DeserializeOwned>(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
    stall_limit: Option<Duration>,
) -> Result<R, ClientError> {
    let status = response.status();
    let body = bytes(response, sent, expected, stall_limit).await?;
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
/// [`ClientError::Unreachable`] if the connection breaks; [`ClientError::Stalled`] if it stalls.
pub(crate) async fn list<H>(
    response: reqwest::Response,
    sent: &Sent,
    field: &str,
    expected: &'static str,
    stall_limit: Option<Duration>,
    read: &mut (impl FnMut(&str) -> Option<H> + Send),
) -> Result<(RawList, Vec<H>, Value), ClientError> {
    let status = response.status();
    let mut finder = ListFinder::of(field);
    let mut heads = Vec::new();
    let mut body = Vec::new();
    let secrets = sent.spellings();
    let mut read = |element: &str| read(&masked(element, &secrets));
    let arriving = arriving(response, &mut body, sent, expected, stall_limit, |body| {
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
/// [`ClientError::Unreachable`] if the connection breaks; [`ClientError::Stalled`] if no byte is received within
/// `stall_limit`; [`ClientError::Unreadable`] if the body exceeds [`MAX_BODY`].
pub(crate) async fn bytes(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
    stall_limit: Option<Duration>,
) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    read(response, &mut body, sent, expected, stall_limit).await?;
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
    stall_limit: Option<Duration>,
) -> Result<(), ClientError> {
    arriving(response, body, sent, expected, stall_limit, |_| ()).await
}

/// Reads a response body into `body` and calls `look` with all bytes received so far after each chunk.
async fn arriving(
    mut response: reqwest::Response,
    body: &mut Vec<u8>,
    sent: &Sent,
    expected: &'static str,
    stall_limit: Option<Duration>,
    mut look: impl FnMut(&[u8]),
) -> Result<(), ClientError> {
    let status = response.status().as_u16();
    let mut next = async || response.chunk().await.map_err(ClientError::while_reading);
    while let Some(chunk) = within(stall_limit, Stage::Read, next()).await? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(ClientError::unreadable_answer(expected, sent.raw(status, body)));
        }
        body.extend_from_slice(&chunk);
        look(body);
    }
    Ok(())
}

/// Returns what is received within `limit`, in `stage`.
///
/// # Errors
/// [`ClientError::Stalled`] if nothing is; the error of `receiving`.
pub(crate) async fn within<T>(
    limit: Option<Duration>,
    stage: Stage,
    receiving: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, ClientError> {
    match limit {
        Some(after) => {
            tokio::time::timeout(after, receiving).await.unwrap_or(Err(ClientError::Stalled { stage, after }))
        }
        None => receiving.await,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

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
