//! Downloads or uploads a file, and says how long it took and what memory it needed.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use serde::Deserialize;
use serde_json::json;
use steward_core::files;
use steward_core::runs::RunId;
use steward_core::transfers::upload::{UploadEnd, UploadSource, upload};

use crate::memory::resident;
use crate::test_app::{TestApp, Who, said};

#[derive(Deserialize)]
pub(crate) struct Transfer {
    /// The file here.
    file: PathBuf,
    /// The stored file to download; without it the file here is uploaded.
    location: Option<String>,
    /// Of an upload.
    part_mebibytes: u32,
}

pub(crate) async fn perform(who: &Who, order: Transfer) -> Result<()> {
    let TestApp { steward, server, .. } = &TestApp::signed_in(who, order.file.clone()).await?;
    let idle = resident("VmRSS:")?;
    let began = Instant::now();
    match order.location {
        Some(location) => {
            let saved = steward.context.access.sites.at(server).map_err(said)?;
            let server = steward.context.access.server(&saved).await.map_err(said)?;
            let never = std::future::pending();
            files::download(
                &server,
                &location,
                &order.file,
                &steward.transfers.retry_policy,
                never,
                |_, _| (),
            )
            .await
            .map_err(|why| anyhow::anyhow!("not saved: {why:?}"))?;
        }
        None => {
            let source = UploadSource::Choose { part_mebibytes: order.part_mebibytes };
            let end = upload(&steward.context, &steward.transfers, server, RunId("bench".to_owned()), source)
                .await
                .map_err(said)?;
            if !matches!(end, UploadEnd::Uploaded { .. }) {
                bail!("not uploaded: {end:?}");
            }
        }
    }
    let took = began.elapsed().as_secs_f64();
    println!("{}", json!({ "took": took, "idle": idle, "peak": resident("VmHWM:")? }));
    Ok(())
}
