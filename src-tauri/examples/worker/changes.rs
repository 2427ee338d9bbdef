//! Takes snapshots of a site, and sends the same requests bare, in turns, and says what each took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::json;
use steward_app::steward::Steward;
use steward_core::changes::view::Compared;
use steward_core::changes::{Cause, Kind};

use crate::memory;
use crate::recorder::{Recorder, Sent};
use crate::test_app::{TestApp, Who, said};

/// What the site has.
#[derive(Deserialize)]
pub(crate) struct Changes {
    /// Services that were added. A snapshot with fewer is not the one that is measured.
    services: u32,
}

/// How often; the one in the middle counts.
const TIMES: usize = 3;

/// Requests at once, as a snapshot sends them.
const AT_ONCE: usize = 2;

pub(crate) async fn perform(who: &Who, changes: &Changes) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    let idle = memory::resident("VmRSS:")?;
    // The second one learns the volatile fields, which the others need not do.
    for _ in 0..2 {
        take(&app).await?;
    }
    let peak = memory::resident("VmHWM:")?.saturating_sub(idle);
    ensure!(equal_services(&app).await? >= changes.services, "the snapshot is not whole");
    let requests = recorded(who).await?;
    let http = reqwest::Client::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        take(&app).await?;
        ours.push(began.elapsed());
        let began = Instant::now();
        let all = stream::iter(&requests).map(|sent| sent.again(&http)).buffered(AT_ONCE);
        all.try_collect::<()>().await?;
        theirs.push(began.elapsed());
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("{}", json!({ "ours": ours, "theirs": theirs, "requests": requests.len(), "peak": peak }));
    Ok(())
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
    let all = snapshots.view(&app.site).await.map_err(said)?.snapshots;
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

/// Returns what a snapshot sends.
async fn recorded(who: &Who) -> Result<Vec<Sent>> {
    let site = reqwest::Url::parse(&who.portal)?;
    let site = format!("{}:{}", site.host_str().unwrap_or_default(), site.port().unwrap_or_default());
    let recorder = Recorder::before(&site).await?;
    let through = |url: &str| url.replace(&site, recorder.address());
    let there = Who {
        portal: through(&who.portal),
        server: through(&who.server),
        ca_certificate: who.ca_certificate.clone(),
        username: who.username.clone(),
        password: who.password.clone(),
    };
    // The portal lists the server at its own address.
    let app = TestApp::signed_in_beside(&there, who.server.clone()).await?;
    recorder.take();
    take(&app).await?;
    Ok(recorder.take())
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1_000.0
}
