//! Checks whether a whole site is back, and sends the same requests bare, in turns, and says what each took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::json;
use steward_app::steward::Steward;
use steward_core::model::site_proof::ProofAbout;

use crate::memory;
use crate::recorder::{Recorder, Sent};
use crate::test_app::{TestApp, Who, said};

/// What the site has.
#[derive(Deserialize)]
pub(crate) struct Proof {
    /// Services that were added. A check that sees fewer is not the one that is measured.
    services: u32,
}

/// How often; the one in the middle counts.
const TIMES: usize = 3;

/// Requests at once for data store items, as the check sends them.
const AT_ONCE: usize = 2;

pub(crate) async fn perform(who: &Who, proof: &Proof) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    let idle = memory::resident("VmRSS:")?;
    check(&app, proof).await?;
    let peak = memory::resident("VmHWM:")?.saturating_sub(idle);

    let requests = recorded(who, proof).await?;
    let http = reqwest::Client::new();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        check(&app, proof).await?;
        ours.push(began.elapsed());
        let began = Instant::now();
        send(&http, &requests).await?;
        theirs.push(began.elapsed());
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!("{}", json!({ "ours": ours, "theirs": theirs, "requests": requests.len(), "peak": peak }));
    Ok(())
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

/// Returns what a check sends.
async fn recorded(who: &Who, proof: &Proof) -> Result<Vec<Sent>> {
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
    check(&app, proof).await?;
    Ok(recorder.take())
}

/// Sends requests one after the other, those for data store items two at once, and reads the responses to their ends.
async fn send(http: &reqwest::Client, requests: &[Sent]) -> Result<()> {
    for together in requests.chunk_by(|one, next| one.is_for_data_item() && next.is_for_data_item()) {
        let all = stream::iter(together).map(|sent| sent.again(http)).buffered(AT_ONCE);
        all.try_collect::<()>().await?;
    }
    Ok(())
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1_000.0
}
