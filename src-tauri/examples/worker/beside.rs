//! Measures something that the program does beside the same requests, sent bare.

use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::memory;
use crate::recorder::{Recorder, Sent};
use crate::test_app::{TestApp, Who};

/// How often; the one in the middle counts.
const TIMES: usize = 3;

/// Does `ours` at a site and sends the same requests `bare`, in turns, and says what each took, and how much memory the first
/// `begun` took.
pub(crate) async fn measure(
    who: &Who,
    begun: impl AsyncFnOnce(&TestApp) -> Result<()>,
    ours: impl AsyncFn(&TestApp) -> Result<()>,
    bare: impl AsyncFn(&reqwest::Client, &[Sent]) -> Result<()>,
) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    let idle = memory::resident("VmRSS:")?;
    begun(&app).await?;
    let peak = memory::resident("VmHWM:")?.saturating_sub(idle);
    let requests = recorded(who, &ours).await?;
    let http = reqwest::Client::new();
    let (mut by_us, mut by_them) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let began = Instant::now();
        ours(&app).await?;
        by_us.push(began.elapsed());
        let began = Instant::now();
        bare(&http, &requests).await?;
        by_them.push(began.elapsed());
    }
    let (ours, theirs) = (median(by_us), median(by_them));
    println!("{}", json!({ "ours": ours, "theirs": theirs, "requests": requests.len(), "peak": peak }));
    Ok(())
}

/// Returns what `ours` sends.
async fn recorded(who: &Who, ours: &impl AsyncFn(&TestApp) -> Result<()>) -> Result<Vec<Sent>> {
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
    ours(&app).await?;
    Ok(recorder.take())
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1_000.0
}
