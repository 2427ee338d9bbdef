//! Multipart requests with files. Files are streamed to their destination and never kept in memory.

use super::{ApiError, RequestContext};
use crate::sign_in::{Capability, Component};
use axum::extract::Multipart;
use axum::extract::multipart::Field;
use std::io::Write;
use std::time::Duration;

/// Maximum size of files before the caller is authenticated, in bytes: some clients send the token after the file.
const MAX_UNAUTHENTICATED: u64 = 64 << 20;
/// Maximum total size of the text fields of a request, in bytes.
const LONGEST_TEXTS: usize = 1024 * 1024;
/// Maximum number of files. A client can send one more than needed; the field name selects the right one.
const MOST_FILES: usize = 2;
/// Timeout for the next piece of a file.
const PIECE_WITHIN: Duration = Duration::from_secs(30);

/// Complete multipart request. The caller is authenticated and has the capability.
pub(crate) struct FileForm<T> {
    /// Request context, with the form fields added to its parameters.
    pub(crate) call: RequestContext,
    pub(crate) files: Vec<Received<T>>,
}

/// File of a request.
pub(crate) struct Received<T> {
    /// Name of the form field.
    pub(crate) field: String,
    /// File name given by the client.
    pub(crate) name: String,
    /// Complete file. Not flushed to disk.
    pub(crate) file: T,
}

/// Factory for the destinations of files.
pub(crate) trait Targets {
    type File: Write + Send;

    /// Returns the destination of a field, based on the fields before it. The caller has the capability, or is not
    /// authenticated yet.
    fn of(
        &self,
        call: &RequestContext,
        field: &str,
    ) -> impl Future<Output = Result<Self::File, ApiError>> + Send;
}

impl<T: Write + Send> FileForm<T> {
    /// Reads the complete request.
    pub(crate) async fn receive(
        mut call: RequestContext,
        mut body: Multipart,
        component: Component,
        capability: Capability,
        targets: impl Targets<File = T>,
    ) -> Result<FileForm<T>, ApiError> {
        let (mut files, mut texts, mut from_strangers) = (Vec::new(), 0, 0);
        while let Some(field) = in_time(body.next_field()).await? {
            let Some(name) = field.name().map(str::to_owned) else {
                continue;
            };
            if field.file_name().is_none() {
                let text = read_text(field, LONGEST_TEXTS.saturating_sub(texts)).await?;
                texts += name.len() + text.len();
                call.add_parameter(name, text);
                continue;
            }
            if files.len() == MOST_FILES {
                return Err(ApiError::bad_request("One request carries one file."));
            }
            let stranger = call.is_anonymous();
            if !stranger {
                call.caller_with(component, capability).await?;
            }
            let limit = if stranger { MAX_UNAUTHENTICATED - from_strangers } else { u64::MAX };
            let called = field.file_name().unwrap_or_default().to_owned();
            let mut file = targets.of(&call, &name).await?;
            from_strangers += save(&mut file, field, limit).await?;
            files.push(Received { field: name, name: called, file });
        }
        call.caller_with(component, capability).await?;
        Ok(FileForm { call, files })
    }
}

/// Waits for the next piece of the request, up to [`PIECE_WITHIN`].
async fn in_time<T, E>(next: impl Future<Output = Result<T, E>>) -> Result<T, ApiError> {
    let next = tokio::time::timeout(PIECE_WITHIN, next).await.map_err(|_| ApiError::too_slow())?;
    next.map_err(|_| cut_off())
}

async fn read_text(mut field: Field<'_>, limit: usize) -> Result<String, ApiError> {
    let mut text = Vec::new();
    while let Some(bytes) = in_time(field.chunk()).await? {
        text.extend_from_slice(&bytes);
        if text.len() > limit {
            return Err(ApiError::too_large());
        }
    }
    String::from_utf8(text).map_err(|_| cut_off())
}

/// Writes a field to a file and returns its size in bytes.
async fn save(file: &mut impl Write, mut field: Field<'_>, limit: u64) -> Result<u64, ApiError> {
    let mut size = 0;
    while let Some(bytes) = in_time(field.chunk()).await? {
        size += bytes.len() as u64;
        if size > limit {
            return Err(
                ApiError::token_required().with_detail("The token must come before a file of this size.")
            );
        }
        file.write_all(&bytes).map_err(|cause| {
            ApiError::failed("There is no room for the upload. Nothing was kept.")
                .with_detail(cause.to_string())
        })?;
    }
    Ok(size)
}

fn cut_off() -> ApiError {
    ApiError::bad_request("The multipart body cannot be read to its end. Nothing was kept.")
}
