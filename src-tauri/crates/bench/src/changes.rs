//! Snapshots of a site, compared with the same requests sent bare; and what 400 nights take, and two of them to compare.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use steward_changes::{
    Cause, Key, Kind, NewSnapshot, Store, Substitutions, Value as Stored, compare, fields,
};

use crate::Bench;
use crate::inventory;
use crate::site::Site;
use crate::table::{Limit, Line};
use crate::worker::Worker;

/// Services of the server.
const SERVICES: u32 = 5_000;

/// Nights, in each of which some services change.
const NIGHTS: u32 = 400;
const CHANGED: u32 = 20;

/// Maximum ratio of the time of a snapshot to that of the bare requests.
const MOST_TIMES: f64 = 1.15;

/// Maximum time to compare two nights, in milliseconds.
const MOST_MILLIS: f64 = 1_000.0;

/// Maximum size of one more night, in kB, and of all, in MB.
const MOST_OF_NIGHT: f64 = 500.0;
const MOST_OF_ALL: f64 = 200.0;

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    println!("Snapshots of {SERVICES} services, {NIGHTS} nights");
    nights(bench, lines)?;
    let worker = Worker::from_environment()?;
    // Without encryption: what is sent is recorded on its way.
    let site = Site::start(&bench.site, &bench.folder.join("data")).await?;
    inventory::add(&site, SERVICES)?;
    let said = worker.perform(&site, &json!({ "changes": { "services": SERVICES } }))?;
    let number = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no number");
    let beside = ("the same requests", number("theirs")?);
    let limit = Limit::Times(MOST_TIMES, " ms");
    lines.push(Line::compared("5,000 services: snapshot", number("ours")?, beside, limit));
    lines.push(Line::new("requests of a snapshot", number("requests")?, Limit::None));
    lines.push(Line::new("memory beyond idle, MiB", number("peak")?, Limit::None));
    Ok(())
}

/// Keeps the nights in a file, and compares the first one with the last.
fn nights(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let file = bench.folder.join("changes.db");
    let store = Store::open(&file)?;
    let mut site: BTreeMap<Key, Stored> =
        (0..SERVICES).map(|number| (key(number), configuration(number, 1))).collect();
    let (mut first, mut last, mut slowest, mut after_first) = (0, 0, Duration::ZERO, 0.0);
    for night in 0..NIGHTS {
        for changed in 0..if night == 0 { 0 } else { CHANGED } {
            let number = (night * CHANGED + changed) % SERVICES;
            site.insert(key(number), configuration(number, night + 1));
        }
        let at = i64::from(night) * 24 * 60 * 60 * 1000;
        let new = NewSnapshot {
            site: "bench".to_owned(),
            at,
            ended_at: at,
            cause: Cause::Plan,
            resources: site.clone(),
            gaps: Vec::new(),
            places: BTreeMap::new(),
        };
        let began = Instant::now();
        last = store.put(&new)?.0;
        slowest = slowest.max(began.elapsed());
        if night == 0 {
            (first, after_first) = (last, size(&file)?);
        }
    }
    let (before, after) = (store.contents("bench", first)?, store.contents("bench", last)?);
    let began = Instant::now();
    let found = compare(&before, &after, &Substitutions::NONE, |value| store.fields(value));
    let compared = began.elapsed();
    ensure!(found.differences.len() == SERVICES as usize, "{} differ", found.differences.len());
    drop(store);
    let whole = size(&file)?;
    let of_night = (whole - after_first) / f64::from(NIGHTS - 1);
    lines.push(Line::new(
        "two nights of which each service differs: compared",
        millis(compared),
        Limit::Millis(MOST_MILLIS),
    ));
    lines.push(Line::new("slowest night: kept", millis(slowest), Limit::None));
    lines.push(Line::new("one more night, kB", of_night / 1_000.0, Limit::Count(MOST_OF_NIGHT)));
    lines.push(Line::new("400 nights, MB", whole / 1_000_000.0, Limit::Count(MOST_OF_ALL)));
    Ok(())
}

/// Size of the file with its write-ahead log.
#[expect(clippy::cast_precision_loss, reason = "a size for a table")]
fn size(file: &std::path::Path) -> Result<f64> {
    let log = file.with_extension("db-wal");
    Ok((fs::metadata(file)?.len() + fs::metadata(log).map_or(0, |log| log.len())) as f64)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

fn key(number: u32) -> Key {
    let name = format!("Folder{}/Service{number}.MapServer", number % 50);
    Key { kind: Kind::Services, place: "server".to_owned(), name }
}

/// A configuration as servers return it, of about 2.5 kB.
fn configuration(number: u32, instances: u32) -> Stored {
    let name = format!("Service{number}");
    let extension = |kind: &str| -> Value {
        json!({ "typeName": kind, "enabled": "true", "capabilities": "Query,Create,Update,Delete,Uploads,Editing",
            "properties": { "onlineResource": format!("https://gis.example.org/server/services/{name}"), "maxRecords": 2000 } })
    };
    let extensions = ["KmlServer", "WFSServer", "WMSServer", "FeatureServer"].map(extension);
    let resource = json!({
        "serviceName": name, "type": "MapServer", "minInstancesPerNode": instances, "maxInstancesPerNode": 8,
        "maxWaitTime": 60, "maxIdleTime": 1800, "maxUsageTime": 600, "loadBalancing": "ROUND_ROBIN",
        "properties": { "filePath": format!("\\\\nas01\\gisdata\\{name}.msd"), "outputDir": "d:\\output",
            "virtualOutputDir": "/rest/directories/output", "maxRecordCount": "1000", "schemaLockingEnabled": "false" },
        "extensions": extensions,
    });
    Stored::of(&fields(&resource, None))
}
