//! Time that the program adds to that of a site, compared with a bare request that does the same.

use anyhow::{Context, Result};
use serde_json::json;

use crate::Bench;
use crate::site::Site;
use crate::table::{Limit, Line};
use crate::worker::Worker;

/// Maximum of the added time, in milliseconds.
const MOST_MILLIS: f64 = 5.0;

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let worker = Worker::from_environment()?;
    let site = Site::start_encrypted(&bench.site, &bench.folder.join("data")).await?;
    let said = worker.perform(&site, &json!("small_operation"))?;
    let time = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no time");
    let (ours, theirs) = (time("ours")?, time("theirs")?);
    let beside = ("a bare request", theirs);
    lines.push(Line::compared("a contact corrected", ours, beside, Limit::None));
    lines.push(Line::new("what that is beyond a bare request", ours - theirs, Limit::Millis(MOST_MILLIS)));
    Ok(())
}
