//! Decoding of response bodies into replies and errors.
//!
//! The specification leaves HTTP status codes open, and many deployments return 200 for errors. Therefore [`parsed`]
//! first checks for an error that the site wrote ([`rejection()`]) and only then decodes the reply. [`list`] passes on
//! the elements of a list while it arrives.
//!
//! Invariant: a body is decoded from its text into its type, without a tree between them. Its size is limited by the
//! kind of its request ([`limits`](crate::limits)).

mod rejection;

pub(crate) use rejection::rejection;

use std::borrow::Cow;
use std::time::Duration;

use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::beside::Beside;
use crate::error::{ClientError, Stage};
use crate::limits::{ELEMENT, LARGE_BODY, SMALL_BODY};
use crate::list_scanner::ListFinder;
use crate::raw_list::{self, RawList, Rest};
use crate::response_capture::Sent;
use crate::wire::{HOLLOW, Raw};

/// Longest time for a whole body whose pauses are limited. Without it, a site that sends a byte a minute would be read
/// for years, also after the user left its page. 50,000 services arrive within it at 20 kB/s.
pub(crate) const SLOWEST: Duration = Duration::from_secs(600);

/// Limits of one response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Maximum size of the body, in bytes.
    pub(crate) size: usize,
    /// Longest time without a byte; the whole body may take [`SLOWEST`]. `None` if the caller or the request has
    /// another limit.
    pub(crate) stall: Option<Duration>,
}

impl Limits {
    /// Returns the limits of a token, a description, or an error.
    pub(crate) const fn small(stall: Option<Duration>) -> Self {
        Self { size: SMALL_BODY, stall }
    }

    /// Returns the limits of a list, and of the response to a change, whose report is available nowhere else.
    pub(crate) const fn large(stall: Option<Duration>) -> Self {
        Self { size: LARGE_BODY, stall }
    }
}

/// Reads a response body and decodes it as `R`.
pub(crate) async fn json<R: DeserializeOwned>(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
    limits: Limits,
) -> Result<R, ClientError> {
    let status = response.status();
    let body = bytes(response, sent, expected, limits).await?;
    parsed(status, &body, sent, expected, |text| sent.clean_values(text))
}

/// Decodes a complete response body as `R`, after `clean` masked the secrets in its values.
pub(crate) fn parsed<R: DeserializeOwned>(
    status: reqwest::StatusCode,
    body: &[u8],
    sent: &Sent,
    expected: &'static str,
    clean: impl for<'t> FnOnce(&'t str) -> Cow<'t, str>,
) -> Result<R, ClientError> {
    let unreadable = || ClientError::unreadable_answer(expected, sent.raw(status.as_u16(), body));
    let text = text(body);
    if let Some(rejection) = rejection(&text, status.as_u16(), sent) {
        return Err(rejection);
    }
    if !is_whole(status) {
        return Err(unreadable());
    }
    object(&clean(&text)).ok_or_else(unreadable)
}

/// Returns whether a status is a success with a whole reply: 202 is no end, and 206 a part.
pub(crate) fn is_whole(status: reqwest::StatusCode) -> bool {
    status.is_success() && !matches!(status.as_u16(), 202 | 206)
}

/// Decodes a JSON object as `R`. `None` for anything else.
pub(crate) fn object<R: DeserializeOwned>(text: &str) -> Option<R> {
    Raw(text.trim()).read_object()
}

/// Reads the list in one field of a response, with the source text of each element. A single element may be sent
/// without brackets; null is no list.
///
/// Passes each element to `read` while the rest of the response is still arriving, and returns the list and the results
/// of `read`. `read` returns `None` if an element is not JSON of the expected shape.
pub(crate) async fn list<H>(
    response: reqwest::Response,
    sent: &Sent,
    field: &str,
    expected: &'static str,
    stall_limit: Option<Duration>,
    read: &mut (impl FnMut(&str) -> Option<H> + Send),
) -> Result<(RawList, Vec<H>), ClientError> {
    let status = response.status();
    let mut finder = ListFinder::of(field);
    let mut heads = Vec::new();
    let mut body = Vec::new();
    let mut read = |element: &str| read(&sent.clean_values(element));
    let arriving = arriving(response, &mut body, sent, expected, Limits::large(stall_limit), |body| {
        finder.look_at(body);
        if finder.is_hollow() {
            return Err(OddList::Hollow);
        }
        let whole = finder.objects().iter().skip(heads.len());
        heads.extend(whole.map_while(|place| read(str::from_utf8(body.get(place.clone())?).ok()?)));
        if finder.longest() > ELEMENT { Err(OddList::LongElement) } else { Ok(()) }
    });
    arriving.await?;
    let as_received = String::from_utf8(body).map_err(|error| text(error.as_bytes()).into_owned());
    let (Ok(read_so_far) | Err(read_so_far)) = &as_received;
    let text = match (sent.clean_values(read_so_far), &as_received) {
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
    let around = around.strip_prefix('\u{feff}').unwrap_or(&around);
    let [list, total, next_start, is_cut] = Raw(around)
        .some_fields([field, "total", "nextStart", "exceededTransferLimit"])
        .ok_or_else(unreadable)?;
    // Fields beside the list that show whether elements are missing. On the last page, `nextStart` is -1.
    let rest = Rest {
        total: total.and_then(Raw::number),
        goes_on: next_start.and_then(Raw::number).is_some_and(|next| next > 0)
            || is_cut.and_then(Raw::yes_or_no) == Some(true),
        warnings: Beside::of(Raw(around), &[field]).warnings,
    };
    if let Some(rejection) = rejection(around, status.as_u16(), sent) {
        return Err(rejection);
    }
    let list = list.filter(|list| is_whole(status) && !list.is_null()).ok_or_else(unreadable)?;
    let places = match found {
        Some((_, objects)) => objects,
        None => raw_list::places(&text, list).ok_or_else(|| ClientError::unreadable(expected, HOLLOW))?,
    };
    if places.iter().any(|place| place.len() > ELEMENT) {
        let raw = sent.raw(status.as_u16(), text.as_bytes());
        return Err(ClientError::too_long(expected, ELEMENT, None, raw));
    }
    for place in places.iter().skip(heads.len()) {
        heads.push(read(&text[place.clone()]).ok_or_else(unreadable)?);
    }
    Ok((RawList::at(text, places, rest), heads))
}

/// Reads a complete response body.
pub(crate) async fn bytes(
    response: reqwest::Response,
    sent: &Sent,
    expected: &'static str,
    limits: Limits,
) -> Result<Vec<u8>, ClientError> {
    let mut body = Vec::new();
    read(response, &mut body, sent, expected, limits).await?;
    Ok(body)
}

/// Reads a response body into `body`, which keeps the bytes received so far if the connection breaks.
pub(crate) async fn read(
    response: reqwest::Response,
    body: &mut Vec<u8>,
    sent: &Sent,
    expected: &'static str,
    limits: Limits,
) -> Result<(), ClientError> {
    arriving(response, body, sent, expected, limits, |_| Ok(())).await
}

/// Reason why a list is not read further.
enum OddList {
    /// An element is longer than [`ELEMENT`].
    LongElement,
    /// The elements need far more memory than the body.
    Hollow,
}

/// Reads a response body into `body` and calls `look` with all bytes received so far after each chunk.
async fn arriving(
    mut response: reqwest::Response,
    body: &mut Vec<u8>,
    sent: &Sent,
    expected: &'static str,
    Limits { size, stall }: Limits,
    mut look: impl FnMut(&[u8]) -> Result<(), OddList>,
) -> Result<(), ClientError> {
    let status = response.status().as_u16();
    let announced = response.content_length().and_then(|length| usize::try_from(length).ok());
    body.reserve_exact(announced.unwrap_or_default().min(size));
    let begun = Instant::now();
    let mut next = async || response.chunk().await.map_err(ClientError::while_reading);
    while let Some(chunk) = received_within(stall, Stage::Read, next()).await? {
        if stall.is_some() && begun.elapsed() > SLOWEST {
            return Err(ClientError::Slow { after: SLOWEST });
        }
        if body.len() + chunk.len() > size {
            body.extend_from_slice(&chunk[..size - body.len()]);
            return Err(ClientError::too_long(expected, size, announced, sent.raw(status, body)));
        }
        body.extend_from_slice(&chunk);
        look(body).map_err(|odd| match odd {
            OddList::LongElement => ClientError::too_long(expected, ELEMENT, None, sent.raw(status, body)),
            OddList::Hollow => ClientError::unreadable(expected, HOLLOW),
        })?;
    }
    Ok(())
}

/// Returns what is received within `limit`, in `stage`.
pub(crate) async fn received_within<T>(
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

/// Decodes a response body as text without its byte order mark. Some servers write paths in the encoding of their file
/// system: invalid UTF-8 is replaced, because losing a character is better than losing the report.
pub(crate) fn text(body: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body))
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde::de::IgnoredAny;

    use super::*;
    use crate::wire::is_json;

    #[test]
    fn invalid_utf8_and_byte_order_mark_are_accepted() {
        assert!(is_json(&text(b"\xEF\xBB\xBF{\"status\":\"success\"}")));
        let location = text(b"{\"location\":\"/M\xFCnchen\"}");
        assert_eq!(location, "{\"location\":\"/M\u{fffd}nchen\"}");
    }

    /// Body that is sent piece by piece, and counts the bytes that were taken of it.
    fn in_pieces(
        pieces: impl Iterator<Item = Vec<u8>> + Send + 'static,
    ) -> (reqwest::Response, Arc<AtomicUsize>) {
        let taken = Arc::new(AtomicUsize::new(0));
        let counter = taken.clone();
        let pieces = pieces.map(move |piece| {
            counter.fetch_add(piece.len(), Ordering::SeqCst);
            Ok::<_, Infallible>(piece)
        });
        let body = reqwest::Body::wrap_stream(futures_util::stream::iter(pieces));
        (http::Response::new(body).into(), taken)
    }

    /// Pieces of a body that goes on beyond `limit`. It ends soon after it, so that a test that fails does not take all
    /// memory.
    fn endless(byte: u8, piece: usize, limit: usize) -> impl Iterator<Item = Vec<u8>> + Send {
        std::iter::repeat_with(move || vec![byte; piece]).take(limit / piece + 10)
    }

    fn excerpt<T: std::fmt::Debug>(read: Result<T, ClientError>) -> String {
        match read {
            Err(ClientError::Unreadable { excerpt, .. }) => excerpt,
            other => panic!("{other:?}"),
        }
    }

    #[tokio::test]
    async fn a_body_may_be_as_long_as_its_limit_and_not_longer() {
        for (limit, pieces) in [(10, 1), (10, 3), (0, 0)] {
            let limits = Limits { size: limit, stall: None };
            let read = async |length: usize| {
                let body = vec![b'x'; length];
                let step = (length / pieces.max(1)).max(1);
                let pieces: Vec<_> = body.chunks(step).map(<[u8]>::to_vec).collect();
                let (response, _) = in_pieces(pieces.into_iter());
                bytes(response, &Sent::default(), "x", limits).await
            };

            assert_eq!(read(limit).await.unwrap().len(), limit);
            let told = excerpt(read(limit + 1).await);
            assert!(told.starts_with(&format!("more than {limit} bytes: HTTP 200: ")), "{told}");
        }
    }

    #[tokio::test]
    async fn an_endless_body_is_not_read_beyond_its_limit() {
        const PIECE: usize = 1024 * 1024;
        for (limits, most) in [(Limits::small(None), 1024 * 1024), (Limits::large(None), 256 * 1024 * 1024)] {
            let (response, taken) = in_pieces(endless(b' ', PIECE, most));

            let told = excerpt(json::<IgnoredAny>(response, &Sent::default(), "x", limits).await);

            assert!(told.starts_with(&format!("more than {most} bytes")), "{told}");
            assert_eq!(taken.load(Ordering::SeqCst), most + PIECE);
        }
    }

    #[tokio::test]
    async fn an_element_may_be_as_long_as_its_limit_and_not_longer() {
        let element = |length: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(length - 8));
        for (begins, ends) in [
            (r#"{"items":["#, "]}"),
            (r#"{"items":[{},"#, ",{}]}"),
            (r#"{"items":"#, "}"),
            (r#"{"items":[1,"#, "]}"),
        ] {
            let read = async |length: usize| {
                let body = format!("{begins}{}{ends}", element(length));
                let (response, _) = in_pieces(std::iter::once(body.into_bytes()));
                list(response, &Sent::default(), "items", "x", None, &mut |item| Some(item.len())).await
            };

            let (_, lengths) = read(ELEMENT).await.unwrap();
            assert!(lengths.contains(&ELEMENT), "{lengths:?}");
            let told = excerpt(read(ELEMENT + 1).await);
            assert!(told.starts_with("more than 1048576 bytes: HTTP 200: {\"items\":"), "{told}");
        }
    }

    #[tokio::test]
    async fn a_list_may_be_longer_than_its_elements_may() {
        let item = format!(r#"{{"a":"{}"}}"#, "x".repeat(500));
        let body = format!(r#"{{"items":[{}]}}"#, vec![item; 3_000].join(","));
        assert!(body.len() > ELEMENT);
        let pieces: Vec<_> = body.as_bytes().chunks(1_000).map(<[u8]>::to_vec).collect();
        let (response, _) = in_pieces(pieces.into_iter());

        let (items, _) =
            list(response, &Sent::default(), "items", "x", None, &mut |_| Some(())).await.unwrap();

        assert_eq!(items.len(), 3_000);
    }

    #[tokio::test]
    async fn a_part_of_a_list_is_not_taken_for_the_list() {
        for (status, is_list) in [(200, true), (202, false), (206, false)] {
            let (response, _) = in_pieces(std::iter::once(br#"{"items":[{}]}"#.to_vec()));
            let (mut head, body) = http::Response::from(response).into_parts();
            head.status = reqwest::StatusCode::from_u16(status).unwrap();
            let response = http::Response::from_parts(head, body).into();
            let read = list(response, &Sent::default(), "items", "x", None, &mut |_| Some(())).await;
            assert_eq!(read.is_ok(), is_list, "{status}");
        }
    }

    #[tokio::test]
    async fn an_endless_element_is_not_read_beyond_its_limit() {
        const PIECE: usize = 1000;
        let begin = std::iter::once(br#"{"items":[{},{"a":""#.to_vec());
        let (response, taken) = in_pieces(begin.chain(endless(b'x', PIECE, ELEMENT)));

        let read = list(response, &Sent::default(), "items", "x", None, &mut |_| Some(())).await;

        assert!(excerpt(read).starts_with("more than 1048576 bytes"));
        let taken = taken.load(Ordering::SeqCst);
        assert!((ELEMENT..=ELEMENT + 2 * PIECE).contains(&taken), "{taken}");
    }

    #[tokio::test]
    async fn an_endless_list_is_not_read_beyond_the_limit_of_a_list() {
        const PIECE: usize = 4 * 1024 * 1024;
        let begin = std::iter::once(br#"{"more":""#.to_vec());
        let (response, taken) = in_pieces(begin.chain(endless(b'x', PIECE, LARGE_BODY)));

        let read = list(response, &Sent::default(), "items", "x", None, &mut |_| Some(())).await;

        assert!(excerpt(read).starts_with("more than 268435456 bytes"));
        assert!(taken.load(Ordering::SeqCst) <= LARGE_BODY + 2 * PIECE);
    }

    #[test]
    fn a_field_that_occurs_twice_counts_only_with_one_value() {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        struct Reply {
            a: u8,
        }
        assert_eq!(object(r#" {"a":2,"a":2}"#), Some(Reply { a: 2 }));
        assert_eq!(object::<Reply>(r#"{"a":1,"a":2}"#), None);
        assert_eq!(object::<Reply>("[1]"), None, "an array is no object");
        let padded = |length: usize| format!(r#"{{"a":2,"a":2{}}}"#, " ".repeat(length - 13));
        assert_eq!(object(&padded(SMALL_BODY)), Some(Reply { a: 2 }));
        assert_eq!(object::<Reply>(&padded(SMALL_BODY + 1)), None);
    }

    #[test]
    fn half_of_json_is_not_json() {
        assert!(is_json("[1]") && !is_json("[1") && !is_json("") && !is_json("<html>"));
    }
}
