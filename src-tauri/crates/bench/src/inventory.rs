//! Inventory of a server, its comparison with an export and the proof of an import, compared with jq on the same files.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::json;

use crate::Bench;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::site::{Component, Site};
use crate::table::{Limit, Line};
use crate::worker::Worker;

/// Numbers of services that are added to those of the practice site.
const SIZES: [(u32, &str); 3] = [(500, "500"), (5_000, "5,000"), (50_000, "50,000")];

const INVENTORY: &str = "[.reports[] | {path: (.serviceName + \".\" + .type),
    configured: .status.configuredState, realTime: .status.realTimeState}] | length";
const COMPARISON: &str = "[($now[0].services[] | {path, of: 1}), ($export[0].services[] | {path, of: 2})]
    | group_by(.path) | map(select(length == 1 and .[0].of == 1) | .[0].path) | length";
const PROOF: &str = "[.reports[] | select(.status.configuredState == \"STARTED\"
    and .status.realTimeState != \"STARTED\") | .serviceName] | length";

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let worker = Worker::from_environment()?;
    for (services, written) in SIZES {
        println!("Inventory, {services} services");
        let site = Site::start_encrypted(&bench.site, &bench.folder.join(services.to_string())).await?;
        add(&site, services)?;
        let token = site.token(Component::Server).await?;
        let (mut report, mut responses) = (Vec::new(), Times::default());
        for _ in 0..RUNS {
            let (_, listed) = site.post(Component::Server, "admin/services", &[("token", &token)]).await?;
            let (body, reported) =
                site.post(Component::Server, "admin/services/report", &[("token", &token)]).await?;
            responses.add(listed + reported);
            report = body;
        }
        let [report_file, now, export] =
            ["report.json", "now.json", "export.json"].map(|name| bench.folder.join(name));
        std::fs::write(&report_file, report)?;
        let said = worker.perform(&site, &json!({ "inventory": { "now": now, "export": export } }))?;
        let ours = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no number");
        let inventory = time(Command::new("jq").arg(INVENTORY).arg(&report_file))?;
        let comparison = time(&mut comparing(&now, &export))?;
        let proof = time(Command::new("jq").arg(PROOF).arg(&report_file))?;
        let name = |what: &str| format!("{written} services: {what}");
        lines.push(Line::new(name("list and report of the site alone"), responses.millis(), Limit::None));
        lines.push(Line::beside(name("inventory"), ours("taking")?, "jq", inventory));
        lines.push(Line::beside(name("comparison"), ours("comparing")?, "jq", comparison));
        lines.push(Line::beside(name("proof"), ours("proving")?, "jq", proof));
        lines.push(Line::new(name("memory (MiB)"), ours("peak")?, Limit::None));
    }
    Ok(())
}

fn comparing(now: &Path, export: &Path) -> Command {
    let mut command = Command::new("jq");
    command.arg("-n").arg("--slurpfile").arg("now").arg(now).arg("--slurpfile").arg("export").arg(export);
    command.arg(COMPARISON);
    command
}

/// Returns the median time, in milliseconds.
fn time(command: &mut Command) -> Result<f64> {
    let mut times = Times::default();
    for _ in 0..RUNS {
        times.add(program::time(command)?);
    }
    Ok(times.millis())
}

/// Adds copies of a service to the site.
pub(crate) fn add(site: &Site, services: u32) -> Result<()> {
    let database = rusqlite::Connection::open(site.data().join("server/server.db"))?;
    let sql = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
        INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state, real_time_state)
        SELECT '', 'Copy' || n, 'MapServer', '', configuration, data_path, 'STARTED', 'STARTED'
        FROM number, services WHERE folder = '' AND name = 'Basemap'";
    database.execute(sql, [services])?;
    Ok(())
}
