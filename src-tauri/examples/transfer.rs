//! Downloads or uploads a file as the program does, without its window, and says how long it took and what memory it
//! needed. For `cargo xtask bench files`; it reads its order as JSON from standard input.

#![expect(clippy::print_stdout, reason = "it speaks to whoever started it")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use site_steward::commands::sign_in::sign_in_as;
use site_steward::dialogs::{Choice, Dialogs, Title};
use site_steward::host::Host;
use site_steward::problem::Problem;
use site_steward::runs::{RunId, RunRegistry};
use site_steward::saving;
use site_steward::sites::SiteForm;
use site_steward::uploading::{UploadEnd, UploadSource, upload};
use steward_vault::{MemoryStore, Secret};

#[derive(Deserialize)]
struct Order {
    portal: String,
    server: String,
    ca_certificate: String,
    username: String,
    password: String,
    /// The file here.
    file: PathBuf,
    /// The stored file to download; without it the file here is uploaded.
    location: Option<String>,
    /// Of an upload.
    part_mebibytes: u32,
}

/// A person who always means the same file.
struct Means(PathBuf);

impl Dialogs for Means {
    fn save_file<'a>(&'a self, _title: Title, _suggested: &'a str) -> Choice<'a> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }

    fn open_file(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::ready(Ok(Some(self.0.clone()))))
    }

    fn choose_folder(&self, _title: Title) -> Choice<'_> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn open_page(&self, _page: &url::Url) -> Result<(), Problem> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let order: Order = serde_json::from_reader(std::io::stdin()).context("the order cannot be read")?;
    let data = tempfile::tempdir()?;
    let host = Host::open(
        data.path(),
        Arc::new(MemoryStore::default()),
        Arc::new(Means(order.file.clone())),
        RunRegistry::new(Box::new(|_| ())),
    )?;
    let mut form = SiteForm::of("bench", &order.portal, &order.server);
    form.connection.ca_certificate = order.ca_certificate;
    let site = host.sites.save(&form).map_err(said)?;
    sign_in_as(&host, &site.id, &order.username, &Secret::new(order.password)).await.map_err(said)?;
    let idle = resident("VmRSS:")?;
    let began = Instant::now();
    match order.location {
        Some(location) => {
            let saved = host.sites.get(&site.id).map_err(said)?;
            let server = host.server(&saved).await.map_err(said)?;
            let never = std::future::pending();
            saving::download(&server, &location, &order.file, &host.persistence, never, |_, _| ())
                .await
                .map_err(|why| anyhow::anyhow!("not saved: {why:?}"))?;
        }
        None => {
            let source = UploadSource::Choose { part_mebibytes: order.part_mebibytes };
            let end = upload(&host, &site.id, RunId("bench".to_owned()), source).await.map_err(said)?;
            if !matches!(end, UploadEnd::Uploaded { .. }) {
                bail!("not uploaded: {end:?}");
            }
        }
    }
    let took = began.elapsed().as_secs_f64();
    println!("{}", serde_json::json!({ "took": took, "idle": idle, "peak": resident("VmHWM:")? }));
    Ok(())
}

fn said(problem: Problem) -> anyhow::Error {
    anyhow::anyhow!("{problem:?}")
}

/// In MiB.
fn resident(name: &str) -> Result<u64> {
    let status = std::fs::read_to_string(Path::new("/proc/self/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes: Option<u64> = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    kibibytes.map(|number| number / 1024).with_context(|| format!("the system tells no {name}"))
}
