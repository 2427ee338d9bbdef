//! Takes snapshots of a site, and sends the same requests bare, in turns, and says what each took.

use anyhow::{Context, Result, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use steward_app::steward::Steward;
use steward_core::changes::view::Compared;
use steward_core::changes::{Cause, Kind};

use crate::beside;
use crate::recorder::Sent;
use crate::test_app::{TestApp, Who, said};

/// What the site has.
#[derive(Deserialize)]
pub(crate) struct Changes {
    /// Services that were added. A snapshot with fewer is not the one that is measured.
    services: u32,
}

/// Requests at once, as a snapshot sends them.
const AT_ONCE: usize = 2;

pub(crate) async fn perform(who: &Who, changes: &Changes) -> Result<()> {
    let begun = async |app: &TestApp| {
        // The second one learns the volatile fields, which the others need not do.
        for _ in 0..2 {
            take(app).await?;
        }
        ensure!(equal_services(app).await? >= changes.services, "the snapshot is not whole");
        Ok(())
    };
    beside::measure(who, begun, async |app| take(app).await, send).await
}

async fn take(app: &TestApp) -> Result<()> {
    let Steward { context, snapshots, .. } = &app.steward;
    let taken = snapshots.take(context, &app.site, Cause::Manual).await.map_err(said)?;
    let newest = taken.snapshots.first().context("no snapshot was taken")?;
    ensure!(newest.failure.is_empty(), "no snapshot was taken: {}", newest.failure);
    Ok(())
}

/// Returns the number of services that the two newest snapshots have alike.
async fn equal_services(app: &TestApp) -> Result<u32> {
    let Steward { context, snapshots, .. } = &app.steward;
    let all = snapshots.view(&context.history, &app.site).await.map_err(said)?.snapshots;
    let [to, from, ..] = all.as_slice() else { return Ok(0) };
    let compared = Compared::Since { site: app.site.clone(), from: from.id, to: to.id };
    let found = snapshots.compare(context, &compared).await.map_err(said)?;
    ensure!(
        found.not_compared.iter().all(|gap| gap.resource_kind != Kind::Services),
        "{:?}",
        found.not_compared
    );
    Ok(found.equal.iter().find(|one| one.resource_kind == Kind::Services).map_or(0, |one| one.count))
}

/// Sends requests as a snapshot does, and reads the responses to their ends.
async fn send(http: &reqwest::Client, requests: &[Sent]) -> Result<()> {
    let all = stream::iter(requests).map(|sent| sent.again(http)).buffered(AT_ONCE);
    all.try_collect::<()>().await
}
