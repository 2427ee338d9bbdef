//! Takes the inventory of a server, compares it with that of an export, and proves an import, and says what each took.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde::Deserialize;
use serde_json::json;
use steward_core::inventory::comparison::Comparison;
use steward_core::inventory::{Inventory, service_check};

use crate::memory;
use crate::test_app::{TestApp, Who, said};

/// What is compared.
#[derive(Deserialize)]
pub(crate) struct Paths {
    /// Where the inventory of the server is written.
    now: PathBuf,
    /// Where the inventory of the export is written: without the last of a hundred services.
    export: PathBuf,
}

/// How often; the one in the middle counts.
const TIMES: usize = 5;

pub(crate) async fn perform(who: &Who, paths: &Paths) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    let access = &app.steward.context.access;
    let server = access.server(&access.sites.at(&app.server).map_err(said)?).await.map_err(said)?;
    let idle = memory::resident("VmRSS:")?;

    let (mut taking, mut comparing, mut proving) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        let now = Inventory::take(&server, String::new()).await;
        taking.push(began.elapsed());
        ensure!(now.missing.is_empty(), "the inventory is not whole: {:?}", now.missing);
        std::fs::write(&paths.now, serde_json::to_vec(&now)?)?;
        let mut export = now;
        let kept = export.services.len() - export.services.len() / 100;
        let missing = export.services.len() - kept;
        export.services.truncate(kept);
        std::fs::write(&paths.export, serde_json::to_vec(&export)?)?;
        drop(export);

        // From the files, as the peer does.
        let began = Instant::now();
        let [now, export] = [&paths.now, &paths.export].map(|path| anyhow::Ok(read(path)?));
        let (now, export) = (now?, export?);
        let differences = Comparison::of(&now, &export).differences.len();
        comparing.push(began.elapsed());
        ensure!(differences == missing, "{differences} differences, not {missing}");

        let began = Instant::now();
        let proof = service_check::prove(&server, &now, Some(&export)).await;
        proving.push(began.elapsed());
        ensure!(proof.check.is_some() && proof.lost.is_some_and(|lost| lost.is_empty()), "nothing is proven");
    }
    let peak = memory::resident("VmHWM:")? - idle;
    let [taking, comparing, proving] = [taking, comparing, proving].map(median);
    println!("{}", json!({ "taking": taking, "comparing": comparing, "proving": proving, "peak": peak }));
    Ok(())
}

fn read(path: &PathBuf) -> Result<Inventory> {
    Ok(serde_json::from_slice(&std::fs::read(path)?)?)
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1_000.0
}
