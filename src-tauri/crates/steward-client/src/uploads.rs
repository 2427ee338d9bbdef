//! Files for a server, whole or in parts.
//!
//! A part that is sent again takes the place of the first, and nothing of the site changes before the parts are
//! committed; so a part may be sent twice. Everything else here is sent once.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::watch;

use crate::area::{Area, Patience};
use crate::decode;
use crate::error::{ClientError, Stage};
use crate::http::Connection;
use crate::listing::StoredUpload;
use crate::turn::Turn;
use crate::wire::texts;

/// What servers take when their administrator has not said otherwise.
const ALLOWED: &str = "soe,sd,sde,odc,csv,txt,zshp,kmz";

/// What is sent, piece by piece. The caller reads it, and sees by that how far it is.
pub struct Outgoing {
    /// Bytes in all.
    pub length: u64,
    /// The pieces, which must come to `length`.
    pub pieces: Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>,
}

impl Outgoing {
    /// What is in memory already.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        let length = bytes.len() as u64;
        Self { length, pieces: Box::pin(futures_util::stream::iter([Ok(Bytes::from(bytes))])) }
    }
}

#[derive(Deserialize)]
struct Stored {
    item: StoredUpload,
}

/// Announces a file that will come in parts. It is refused here when its extension is not allowed.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn register(server: &Area, name: &str, description: &str) -> Result<StoredUpload, ClientError> {
    let form = [("itemName", name), ("description", description)];
    let path = ["admin", "uploads", "register"];
    let stored: Stored = server.post(&path, &form, Patience::Minute, "the registered upload").await?;
    Ok(stored.item)
}

/// Sends one part. When nothing of it moves for as long as `patience`, the connection counts as broken.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn upload_part(
    server: &Area,
    id: &str,
    number: u32,
    part: Outgoing,
    patience: Duration,
) -> Result<(), ClientError> {
    let path = ["admin", "uploads", id, "uploadPart"];
    let number = number.to_string();
    // A part is small; that a server takes long for it means that its answer was lost. It takes the place of one of
    // the same number.
    let manner = Manner { patience, answer: Some(patience * 5), connection: Connection::Kept };
    let form = [("partNumber", &*number)];
    let _: Value = send(server, &path, &form, ("partFile", "part"), part, manner).await?;
    Ok(())
}

/// Makes one file of the parts from the first to the last, which takes long for a large one.
///
/// # Errors
/// When the server refuses or cannot be reached. When its answer is lost, [`item`] says whether it is done.
pub async fn commit(server: &Area, id: &str, parts: u32) -> Result<(), ClientError> {
    let order: Vec<String> = (1..=parts).map(|number| number.to_string()).collect();
    let path = ["admin", "uploads", id, "commit"];
    let form = [("parts", &*order.join(","))];
    let _: Value = server.post(&path, &form, Patience::Hours, "the committed upload").await?;
    Ok(())
}

/// Sends a file in one request.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn upload_whole(
    server: &Area,
    name: &str,
    description: &str,
    file: Outgoing,
    patience: Duration,
) -> Result<StoredUpload, ClientError> {
    let path = ["admin", "uploads", "upload"];
    let form = [("description", description)];
    let manner = Manner { patience, answer: None, connection: Connection::Fresh };
    let stored: Stored = send(server, &path, &form, ("itemFile", name), file, manner).await?;
    Ok(stored.item)
}

/// One upload, complete or not.
///
/// # Errors
/// When the server refuses, does not know it, or cannot be reached.
pub async fn item(server: &Area, id: &str) -> Result<StoredUpload, ClientError> {
    server.get(&["admin", "uploads", id], &[], "an upload").await
}

/// Removes an upload.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn delete(server: &Area, id: &str) -> Result<(), ClientError> {
    let path = ["admin", "uploads", id, "delete"];
    let _: Value = server.post(&path, &[], Patience::Minute, "the removed upload").await?;
    Ok(())
}

/// The extensions that the server takes, in lower case and without dots.
///
/// # Errors
/// When the server refuses or cannot be reached.
pub async fn allowed_extensions(server: &Area) -> Result<Vec<String>, ClientError> {
    let properties: Value =
        server.get(&["admin", "system", "properties"], &[], "the server's properties").await?;
    // The second is its name before 10.9.
    let named = ["uploadFileExtensionAllowedList", "uploadFileExtensionWhitelist"];
    let list =
        named.into_iter().map(|name| texts(properties.get(name)).join(",")).find(|list| !list.is_empty());
    let list = list.as_deref().unwrap_or(ALLOWED);
    let extensions = list.split(',').map(|one| one.trim().trim_start_matches('.').to_ascii_lowercase());
    Ok(extensions.filter(|one| !one.is_empty()).collect())
}

/// How a file is sent.
struct Manner {
    /// How long nothing of it may move.
    patience: Duration,
    /// How long the answer may take once all of it was sent.
    answer: Option<Duration>,
    connection: Connection,
}

/// Sends a file with a form.
async fn send<R: serde::de::DeserializeOwned>(
    server: &Area,
    path: &[&str],
    form: &[(&str, &str)],
    (field, name): (&'static str, &str),
    file: Outgoing,
    Manner { patience, answer, connection }: Manner,
) -> Result<R, ClientError> {
    let (moved, moves) = watch::channel(());
    let pieces = file.pieces.inspect(move |_| {
        moved.send_replace(());
    });
    let body = reqwest::Body::wrap_stream(pieces);
    let part = reqwest::multipart::Part::stream_with_length(body, file.length).file_name(name.to_owned());
    let mut turn = Turn::first(server).await;
    let signed = turn.area();
    let sent = async {
        let response = signed.send_file(path, form, field, part, connection).await?;
        decode::json(response, &signed.sent(form), "the stored upload").await
    };
    let reply = tokio::select! {
        reply = sent => reply,
        (stage, after) = stalled(moves, patience, answer) => Err(ClientError::Stalled { stage, after }),
    };
    // The pieces are gone, so that whoever has them sends them again, with the next token.
    turn.settled(reply).await.unwrap_or_else(|| Err(ClientError::token_renewed()))
}

/// Completes when no piece was taken for as long as `patience`, or when all were and the answer takes too long.
async fn stalled(
    mut moves: watch::Receiver<()>,
    patience: Duration,
    answer: Option<Duration>,
) -> (Stage, Duration) {
    loop {
        match tokio::time::timeout(patience, moves.changed()).await {
            Err(_) => return (Stage::Send, patience),
            Ok(Ok(())) => {}
            // The body is gone, with its last piece.
            Ok(Err(_)) => break,
        }
    }
    match answer {
        Some(answer) => {
            tokio::time::sleep(answer).await;
            (Stage::Wait, answer)
        }
        None => std::future::pending().await,
    }
}
