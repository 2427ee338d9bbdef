//! Checks whether a whole site is back, or what its overview shows, and sends the same requests bare, in turns, and says what
//! each took.

use anyhow::{Context, Result, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use steward_app::overview::check_site;
use steward_app::steward::Steward;
use steward_core::model::site_proof::ProofAbout;

use crate::beside;
use crate::recorder::Sent;
use crate::test_app::{TestApp, Who, said};

/// What the site has.
#[derive(Deserialize)]
pub(crate) struct Proof {
    /// Services that were added. A check that sees fewer is not the one that is measured.
    services: u32,
}

/// Requests at once for data store items, as the check sends them.
const AT_ONCE: usize = 2;

pub(crate) async fn perform(who: &Who, proof: &Proof) -> Result<()> {
    let ours = async |app: &TestApp| check(app, proof).await;
    beside::measure(who, ours, ours, send).await
}

/// Measures the check of the overview in the same way: versions, services, backups, and expirations.
pub(crate) async fn overview(who: &Who, proof: &Proof) -> Result<()> {
    let ours = async |app: &TestApp| {
        let failed = check_site(&app.steward.context, &app.site).await.map_err(said)?;
        ensure!(failed.is_empty(), "the check is not whole: {failed:?}");
        let shown = app.steward.overviews().of_site(&app.site).await.map_err(said)?;
        let checks = shown.components.iter().filter_map(|one| one.services.value.as_ref());
        ensure!(checks.map(|check| check.services).sum::<u32>() >= proof.services, "services are missing");
        Ok(())
    };
    Box::pin(beside::measure(who, ours, ours, send)).await
}

async fn check(app: &TestApp, proof: &Proof) -> Result<()> {
    let Steward { context, proofs, .. } = &app.steward;
    proofs.check_again(context, &app.site).map_err(said)?;
    proofs.check_due(context).await;
    let found = proofs.of(context, &app.site).and_then(|view| view.proof).context("nothing was checked")?;
    let services = found.line(ProofAbout::Services).map_or(0, |line| line.of);
    ensure!(services >= proof.services, "the check is not whole: {:?}", found.lines);
    Ok(())
}

/// Sends requests one after the other, those for data store items two at once, and reads the responses to their ends.
async fn send(http: &reqwest::Client, requests: &[Sent]) -> Result<()> {
    for together in requests.chunk_by(|one, next| one.is_for_data_item() && next.is_for_data_item()) {
        let all = stream::iter(together).map(|sent| sent.again(http)).buffered(AT_ONCE);
        all.try_collect::<()>().await?;
    }
    Ok(())
}
