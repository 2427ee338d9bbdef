//! A multipart request that carries files: they go to the disk as they arrive, and to memory never.

use super::{Call, Refusal};
use crate::sign_in::{Area, Capability};
use crate::sitefile::Hashing;
use anyhow::Context as _;
use axum::extract::Multipart;
use axum::extract::multipart::Field;
use std::io::Write as _;
use std::time::Duration;
use tempfile::NamedTempFile;

/// What somebody may send before we know who it is: some clients put the token behind the file.
const MOST_FROM_STRANGERS: u64 = 64 << 20;
/// How long the next piece of a file may take to arrive.
const PIECE_WITHIN: Duration = Duration::from_secs(60);

/// Everything a multipart request said. The caller is known and may do this.
pub(crate) struct FileForm {
    /// The call, with the fields of the form among its parameters.
    pub(crate) call: Call,
    pub(crate) files: Vec<Received>,
}

/// A file of a request, in the scratch folder.
pub(crate) struct Received {
    /// The name of the form's field.
    pub(crate) field: String,
    /// What the client calls the file.
    pub(crate) name: String,
    pub(crate) file: NamedTempFile,
    pub(crate) size: u64,
    pub(crate) sha256: String,
}

impl FileForm {
    pub(crate) async fn receive(
        mut call: Call,
        mut body: Multipart,
        area: Area,
        capability: Capability,
    ) -> Result<FileForm, Refusal> {
        let mut files = Vec::new();
        while let Some(field) = body.next_field().await.map_err(|_| cut_off())? {
            let Some(name) = field.name().map(str::to_owned) else {
                continue;
            };
            if field.file_name().is_none() {
                call.learn(name, field.text().await.map_err(|_| cut_off())?);
                continue;
            }
            let stranger = call.is_anonymous();
            if !stranger {
                call.caller_with(area, capability).await?;
            }
            let limit = if stranger { MOST_FROM_STRANGERS } else { u64::MAX };
            files.push(save(&call, name, field, limit).await?);
        }
        call.caller_with(area, capability).await?;
        Ok(FileForm { call, files })
    }
}

async fn save(call: &Call, name: String, mut field: Field<'_>, limit: u64) -> Result<Received, Refusal> {
    let called = field.file_name().unwrap_or_default().to_owned();
    let scratch = NamedTempFile::new_in(&call.app.folders.scratch).context("no room for an upload")?;
    let mut file = Hashing::new(scratch);
    let mut size = 0;
    loop {
        let piece =
            tokio::time::timeout(PIECE_WITHIN, field.chunk()).await.map_err(|_| Refusal::too_slow())?;
        let Some(bytes) = piece.map_err(|_| cut_off())? else {
            break;
        };
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
    let (file, content) = file.finish();
    file.as_file().sync_all().context("an upload")?;
    Ok(Received { field: name, name: called, file, size: content.size, sha256: content.sha256 })
}

fn cut_off() -> Refusal {
    Refusal::bad_request("The multipart body cannot be read to its end. Nothing was kept.")
}
