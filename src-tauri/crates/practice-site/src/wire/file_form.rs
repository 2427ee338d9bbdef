//! A multipart request that carries files: they go where they are kept as they arrive, and to memory never.

use super::{Call, Refusal};
use crate::sign_in::{Area, Capability};
use axum::extract::Multipart;
use axum::extract::multipart::Field;
use std::io::Write;
use std::time::Duration;

/// What somebody may send before we know who it is: some clients put the token behind the file.
const MOST_FROM_STRANGERS: u64 = 64 << 20;
/// What the texts of one request may come to.
const LONGEST_TEXTS: usize = 1024 * 1024;
/// A client may send one too many; what is meant is found by its field.
const MOST_FILES: usize = 2;
/// How long the next piece of a file may take to arrive.
const PIECE_WITHIN: Duration = Duration::from_secs(30);

/// Everything a multipart request said. The caller is known and may do this.
pub(crate) struct FileForm<T> {
    /// The call, with the fields of the form among its parameters.
    pub(crate) call: Call,
    pub(crate) files: Vec<Received<T>>,
}

/// A file of a request.
pub(crate) struct Received<T> {
    /// The name of the form's field.
    pub(crate) field: String,
    /// What the client calls the file.
    pub(crate) name: String,
    /// Where all of it was written. Nobody saw to it that it is on the disk.
    pub(crate) file: T,
}

/// Says where files are written.
pub(crate) trait Targets {
    type File: Write + Send;

    /// Where the file of a field goes, given what the call said before it. The caller may do this, or is not known
    /// yet.
    fn of(&self, call: &Call, field: &str) -> impl Future<Output = Result<Self::File, Refusal>> + Send;
}

impl<T: Write + Send> FileForm<T> {
    /// Reads the request to its end.
    pub(crate) async fn receive(
        mut call: Call,
        mut body: Multipart,
        area: Area,
        capability: Capability,
        targets: impl Targets<File = T>,
    ) -> Result<FileForm<T>, Refusal> {
        let (mut files, mut texts, mut from_strangers) = (Vec::new(), 0, 0);
        while let Some(field) = in_time(body.next_field()).await? {
            let Some(name) = field.name().map(str::to_owned) else {
                continue;
            };
            if field.file_name().is_none() {
                let text = read_text(field, LONGEST_TEXTS.saturating_sub(texts)).await?;
                texts += name.len() + text.len();
                call.learn(name, text);
                continue;
            }
            if files.len() == MOST_FILES {
                return Err(Refusal::bad_request("One request carries one file."));
            }
            let stranger = call.is_anonymous();
            if !stranger {
                call.caller_with(area, capability).await?;
            }
            let limit = if stranger { MOST_FROM_STRANGERS - from_strangers } else { u64::MAX };
            let called = field.file_name().unwrap_or_default().to_owned();
            let mut file = targets.of(&call, &name).await?;
            from_strangers += save(&mut file, field, limit).await?;
            files.push(Received { field: name, name: called, file });
        }
        call.caller_with(area, capability).await?;
        Ok(FileForm { call, files })
    }
}

/// The next of the request, if it comes in time.
async fn in_time<T, E>(next: impl Future<Output = Result<T, E>>) -> Result<T, Refusal> {
    let next = tokio::time::timeout(PIECE_WITHIN, next).await.map_err(|_| Refusal::too_slow())?;
    next.map_err(|_| cut_off())
}

async fn read_text(mut field: Field<'_>, limit: usize) -> Result<String, Refusal> {
    let mut text = Vec::new();
    while let Some(bytes) = in_time(field.chunk()).await? {
        text.extend_from_slice(&bytes);
        if text.len() > limit {
            return Err(Refusal::too_large());
        }
    }
    String::from_utf8(text).map_err(|_| cut_off())
}

/// Answers how much it was.
async fn save(file: &mut impl Write, mut field: Field<'_>, limit: u64) -> Result<u64, Refusal> {
    let mut size = 0;
    while let Some(bytes) = in_time(field.chunk()).await? {
        size += bytes.len() as u64;
        if size > limit {
            return Err(
                Refusal::token_required().with_detail("The token must come before a file of this size.")
            );
        }
        file.write_all(&bytes).map_err(|cause| {
            Refusal::failed("There is no room for the upload. Nothing was kept.")
                .with_detail(cause.to_string())
        })?;
    }
    Ok(size)
}

fn cut_off() -> Refusal {
    Refusal::bad_request("The multipart body cannot be read to its end. Nothing was kept.")
}
