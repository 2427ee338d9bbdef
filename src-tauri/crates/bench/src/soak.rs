//! Memory of the program after an hour of work, or another duration: it must not grow.

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::Bench;
use crate::site::Site;
use crate::table::{Limit, Line};
use crate::worker::Worker;

/// Default duration, in minutes.
const USUAL: u64 = 60;

/// Environment variable with another duration, in minutes.
const MINUTES: &str = "STEWARD_SOAK_MINUTES";

/// Maximum ratio of the memory at the end to that after a tenth of the time.
const MOST_GROWTH: f64 = 1.1;

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let minutes = match std::env::var(MINUTES) {
        Ok(asked) => asked.parse().with_context(|| format!("{MINUTES} is no number"))?,
        Err(_) => USUAL,
    };
    println!("Soak, {minutes} minutes");
    let worker = Worker::from_environment()?;
    let site = Site::start_encrypted(&bench.site, &bench.folder.join("data")).await?;
    let work = json!({ "soak": { "folder": bench.folder.join("exports"), "minutes": minutes } });
    let looks = worker.perform(&site, &work)?;
    for look in &looks {
        println!("{look}");
    }

    let (early, last) = (looks.get(looks.len() / 10), looks.last());
    let number =
        |look: Option<&Value>, name: &str| look.and_then(|look| look[name].as_f64()).context("no look");
    let (memory, open) = (number(early, "mebibytes")?, number(early, "open")?);
    lines.push(Line::new("rounds of five operations", number(last, "rounds")?, Limit::None));
    let most = Limit::Count(memory * MOST_GROWTH);
    lines.push(Line::new("memory at the end, MiB", number(last, "mebibytes")?, most));
    lines.push(Line::new("open files at the end", number(last, "open")?, Limit::Count(open)));
    Ok(())
}
