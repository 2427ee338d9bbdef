//! File uploads to a server, in one request or in parts.
//!
//! [`upload_whole`] sends one request. [`register`], [`upload_part`] and [`commit`] send parts. A part with the same
//! number replaces the earlier one, and the site does not change before the commit, so parts can be repeated. All other
//! requests are sent once.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::watch;

use crate::acknowledged::Acknowledged;
use crate::decode::{self, Limits};
use crate::endpoint::Endpoint;
use crate::error::{ClientError, Stage};
use crate::http::Connection;
use crate::listing::{StoredUpload, lacks_upload};
use crate::permit::Permit;
use crate::request::{Request, ResponseTimeout};
use crate::status_words::is_success;
use crate::wire::{Success, list_of_texts, text};

/// Why a response about another upload is unreadable. Does not quote the response.
const NAMES_ANOTHER: &str = "the response names another upload";

/// Default of allowed extensions, if the administrator did not change it.
const ALLOWED: &str = "soe,sd,sde,odc,csv,txt,zshp,kmz";

/// File content to send, piece by piece. The caller produces the pieces and derives the progress from that.
pub struct Outgoing {
    /// Total length, in bytes.
    pub length: u64,
    /// Pieces whose lengths add up to `length`.
    pub pieces: Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>,
}

impl Outgoing {
    /// Creates the content from bytes in memory.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { length, pieces: Box::pin(futures_util::stream::iter([Ok(Bytes::from(bytes))])) }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "StoredWire")]
struct Stored {
    item: StoredUpload,
}

#[derive(Deserialize)]
struct StoredWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    item: StoredUpload,
}

impl TryFrom<StoredWire> for Stored {
    type Error = &'static str;

    /// Fails for an item without an ID, because it cannot be requested, and for a status other than success.
    fn try_from(wire: StoredWire) -> Result<Self, Self::Error> {
        let StoredWire { status, item } = wire;
        match (status.is_empty() || is_success(&status)) && !item.id.is_empty() {
            true => Ok(Self { item }),
            false => Err("no stored item"),
        }
    }
}

/// Response to a commit: a success, unless it contains an item that is not complete. With the ID of the item, if it contains one.
#[derive(Deserialize)]
#[serde(try_from = "CommittedWire")]
struct Committed(Option<String>);

#[derive(Deserialize)]
struct CommittedWire {
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default)]
    success: Success,
    item: Option<StoredUpload>,
}

impl TryFrom<CommittedWire> for Committed {
    type Error = &'static str;

    fn try_from(wire: CommittedWire) -> Result<Self, Self::Error> {
        let CommittedWire { status, success, item } = wire;
        if success != Success::Yes && !is_success(&status) {
            return Err("no success");
        }
        match item {
            Some(item) if !item.is_committed() => Err("the upload is not complete"),
            item => Ok(Self(item.map(|item| item.id))),
        }
    }
}

/// Registers an upload in parts. The server checks the file extension of `name` here.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the file name or the request.
/// - [`ClientError::Unreadable`] if the response is not an upload.
/// - A connection or session error of [`ClientError`].
pub async fn register(
    permit: Permit<'_>,
    name: &str,
    description: &str,
) -> Result<StoredUpload, ClientError> {
    let request = Request::once(["admin", "uploads", "register"], ResponseTimeout::Minute)
        .field("itemName", name)
        .field("description", description);
    let stored: Stored = permit.send(&request, "the registered upload").await?;
    Ok(stored.item)
}

/// Sends one part. `number` starts at 1. The request fails if no byte of the part is sent within `timeout`.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the part.
/// - [`ClientError::TokenRenewed`] if it rejects the token. The part can be sent again.
/// - [`ClientError::Stalled`] if sending stalls for `timeout`, or no response is received within 5 times `timeout`.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn upload_part(
    permit: Permit<'_>,
    id: &str,
    number: u32,
    part: Outgoing,
    timeout: Duration,
) -> Result<(), ClientError> {
    let path = ["admin", "uploads", id, "uploadPart"];
    let number = number.to_string();
    // A part is small: if the response takes that long, it was lost. The part can be sent again, because it replaces
    // the one with the same number.
    let settings = Settings { timeout, response_timeout: Some(timeout * 5), connection: Connection::Kept };
    let form = [("partNumber", &*number)];
    let IgnoredAny = send(permit, &path, &form, ("partFile", "part"), part, settings).await?;
    Ok(())
}

/// Combines the parts 1 to `parts` into one file. Takes minutes for large files.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON, or names another upload.
/// - A connection or session error of [`ClientError`]. If the outcome is unknown, [`item`] returns whether the upload
///   is complete.
pub async fn commit(permit: Permit<'_>, id: &str, parts: u32) -> Result<(), ClientError> {
    let order: Vec<String> = (1..=parts).map(|number| number.to_string()).collect();
    let request = Request::once(["admin", "uploads", id, "commit"], ResponseTimeout::Hours)
        .field("parts", order.join(","));
    let expected = "the committed upload";
    let Committed(named) = permit.send(&request, expected).await?;
    match named {
        Some(named) if named != id => Err(ClientError::unreadable(expected, NAMES_ANOTHER)),
        _ => Ok(()),
    }
}

/// Sends a file in one request. The request fails if no byte is sent within `timeout`; the response can take any time.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the file.
/// - [`ClientError::Stalled`] if sending stalls for `timeout`.
/// - [`ClientError::Unreadable`] if the response is not an upload.
/// - A connection or session error of [`ClientError`].
pub async fn upload_whole(
    permit: Permit<'_>,
    name: &str,
    description: &str,
    file: Outgoing,
    timeout: Duration,
) -> Result<StoredUpload, ClientError> {
    let path = ["admin", "uploads", "upload"];
    let form = [("description", description)];
    let settings = Settings { timeout, response_timeout: None, connection: Connection::Fresh };
    let stored: Stored = send(permit, &path, &form, ("itemFile", name), file, settings).await?;
    match stored.item.is_committed() {
        true => Ok(stored.item),
        false => Err(ClientError::unreadable("the stored upload", "the server does not have all of it")),
    }
}

/// Returns one server upload, complete or not.
///
/// # Errors
/// - [`ClientError::Rejected`] if the upload does not exist or the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not this upload.
/// - A connection or session error of [`ClientError`].
pub async fn item(server: &Endpoint, id: &str) -> Result<StoredUpload, ClientError> {
    let expected = "an upload";
    let item: StoredUpload = server.get(&["admin", "uploads", id], &[], expected).await?;
    if item.id == id { Ok(item) } else { Err(ClientError::unreadable(expected, NAMES_ANOTHER)) }
}

/// Returns one server upload, complete or not; `None` if the server does not have it.
///
/// Servers reject the request for an unknown upload with any code, and with the same code if they fail. Therefore an
/// upload is gone only if the code is 404, or if the complete list of uploads lacks it.
///
/// # Errors
/// Those of [`item`], if the upload might be there.
pub async fn find(server: &Endpoint, id: &str) -> Result<Option<StoredUpload>, ClientError> {
    match item(server, id).await {
        Ok(item) => Ok(Some(item)),
        Err(ClientError::Rejected { code: 404, .. }) => Ok(None),
        Err(error) if error.is_of_one_resource() => match lacks_upload(server, id).await {
            Ok(true) => Ok(None),
            Ok(false) | Err(_) => Err(error),
        },
        Err(error) => Err(error),
    }
}

/// Returns the length of the file of a server upload, in bytes; `None` if the server does not return it. Reads no
/// content.
pub async fn length(server: &Endpoint, id: &str, timeout: Duration) -> Option<u64> {
    let location = server.address(&["admin", "uploads", id]);
    match server.download_stored(location.as_str(), timeout).await {
        Ok(download) => download.length(),
        Err(error) => {
            tracing::warn!(%error, "the size of a stored file is not known");
            None
        }
    }
}

/// Returns the request that deletes a server upload.
#[must_use]
pub fn deletion(id: &str) -> Request {
    Request::once(["admin", "uploads", id, "delete"], ResponseTimeout::Minute)
}

/// Deletes a server upload.
///
/// # Errors
/// - [`ClientError::Rejected`] if the upload does not exist or the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn delete(permit: Permit<'_>, id: &str) -> Result<(), ClientError> {
    permit.send::<Acknowledged>(&deletion(id), "the removed upload").await.map(drop)
}

/// Returns the file extensions that the server accepts, in lower case and without dots.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn allowed_extensions(server: &Endpoint) -> Result<Vec<String>, ClientError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Properties {
        #[serde(default, deserialize_with = "list_of_texts")]
        upload_file_extension_allowed_list: Vec<String>,
        /// The name before 10.9.
        #[serde(default, deserialize_with = "list_of_texts")]
        upload_file_extension_whitelist: Vec<String>,
    }
    let properties: Properties =
        server.get(&["admin", "system", "properties"], &[], "the server's properties").await?;
    let named = [properties.upload_file_extension_allowed_list, properties.upload_file_extension_whitelist];
    let list = named.map(|list| list.join(",")).into_iter().find(|list| !list.is_empty());
    let list = list.as_deref().unwrap_or(ALLOWED);
    let extensions = list.split(',').map(|one| one.trim().trim_start_matches('.').to_ascii_lowercase());
    Ok(extensions.filter(|one| !one.is_empty()).collect())
}

/// Timeouts and connection of a file upload.
struct Settings {
    /// Maximum time without progress while sending.
    timeout: Duration,
    /// Maximum time for the response after everything was sent. `None` for no limit.
    response_timeout: Option<Duration>,
    connection: Connection,
}

/// Sends a file with a form.
async fn send<R: serde::de::DeserializeOwned>(
    permit: Permit<'_>,
    path: &[&str],
    form: &[(&str, &str)],
    (field, name): (&'static str, &str),
    file: Outgoing,
    Settings { timeout, response_timeout, connection }: Settings,
) -> Result<R, ClientError> {
    let (moved, moves) = watch::channel(());
    let pieces = file.pieces.inspect(move |_| {
        moved.send_replace(());
    });
    let body = reqwest::Body::wrap_stream(pieces);
    let part = reqwest::multipart::Part::stream_with_length(body, file.length).file_name(name.to_owned());
    let signed = permit.endpoint();
    let sent = async {
        let response = signed.send_file(path, form, field, part, connection).await?;
        decode::json(response, &signed.sent(None), "the stored upload", Limits::small(None)).await
    };
    let reply = tokio::select! {
        biased;
        reply = sent => reply,
        (stage, after) = stalled(moves, timeout, response_timeout) => Err(ClientError::Stalled { stage, after }),
    };
    permit.settled(reply).await
}

/// Completes if no piece is taken for `timeout`, or if the response takes longer than `response_timeout` after the
/// last piece.
async fn stalled(
    mut moves: watch::Receiver<()>,
    timeout: Duration,
    response_timeout: Option<Duration>,
) -> (Stage, Duration) {
    loop {
        match tokio::time::timeout(timeout, moves.changed()).await {
            Err(_) => return (Stage::Send, timeout),
            Ok(Ok(())) => {}
            // The sender is dropped together with the body, after its last piece.
            Ok(Err(_)) => break,
        }
    }
    match response_timeout {
        Some(response_timeout) => {
            tokio::time::sleep(response_timeout).await;
            (Stage::Wait, response_timeout)
        }
        None => std::future::pending().await,
    }
}
