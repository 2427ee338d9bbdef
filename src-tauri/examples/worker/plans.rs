//! Runs a backup plan, and decides about and searches a thousand sets, and says what each took.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde_json::json;
use steward_core::model::numbers::Millis;
use steward_plans::attempt::{self, StoredSet};
use steward_plans::keeping;
use steward_plans::plan::{BackupPlan, PlanId, PlanPart};
use steward_plans::retention::KeepRules;
use steward_plans::schedule::{Day, Schedule, TimeOfDay};
use steward_plans::set::Verdict;
use steward_plans::set_search;
use tokio::sync::watch;

use crate::memory;
use crate::test_app::{TestApp, Who, said};

/// A set of all servers.
#[derive(Deserialize)]
pub(crate) struct PlanRun {
    /// Folder of the plan.
    folder: PathBuf,
    /// Root URLs of the servers beside the first one.
    others: Vec<String>,
}

/// Many sets.
#[derive(Deserialize)]
pub(crate) struct PlanSets {
    /// Folder of the plan.
    folder: PathBuf,
    /// Their number.
    sets: u32,
}

/// How often; the one in the middle counts.
const TIMES: usize = 3;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// A plan of all servers of the site, every night.
fn plan_of(app: &TestApp, folder: &Path, keep: KeepRules) -> Result<BackupPlan> {
    let site = app.steward.context.access.sites.get(&app.site).map_err(said)?;
    let parts = site.servers.iter().map(|server| PlanPart::Server { server: server.id.clone() }).collect();
    let times = vec![TimeOfDay { hour: 2, minute: 30 }];
    Ok(BackupPlan {
        id: PlanId("nightly".to_owned()),
        site: app.site.clone(),
        name: "Nightly".to_owned(),
        is_enabled: true,
        since: Millis::now(),
        enabled_since: Millis::now(),
        parts,
        schedule: Schedule { days: Day::ALL.to_vec(), times, skip_missed: false },
        folder: folder.to_owned(),
        delete_stored: true,
        keep,
        rehearse_every: None,
        tells_changes: false,
        paused: None,
        alerts: Vec::new(),
    })
}

async fn set_of(app: &TestApp, plan: &BackupPlan) -> Result<StoredSet> {
    let (_stop, stopped) = watch::channel(false);
    let stored = attempt::run(&app.steward.context, &app.steward.transfers, plan, None, &stopped).await;
    let stored = stored.map_err(said)?;
    ensure!(stored.set.verdict() == Verdict::AsExpected, "the set is not verified: {:?}", stored.set);
    Ok(stored)
}

pub(crate) async fn run(who: &Who, order: PlanRun) -> Result<()> {
    let app = TestApp::signed_in_to_all(who, order.others).await?;
    std::fs::create_dir_all(&order.folder)?;
    let plan = plan_of(&app, &order.folder, KeepRules::default())?;
    let idle = memory::resident("VmRSS:")?;
    let began = Instant::now();
    let stored = set_of(&app, &plan).await?;
    let took = began.elapsed().as_secs_f64();
    let size: u64 = stored.set.parts.iter().flat_map(|part| &part.files).map(|file| file.size.0).sum();
    println!("{}", json!({ "took": took, "size": size, "idle": idle, "peak": memory::resident("VmHWM:")? }));
    Ok(())
}

pub(crate) async fn sets(who: &Who, order: PlanSets) -> Result<()> {
    let app = TestApp::signed_in(who, "unused".into()).await?;
    std::fs::create_dir_all(&order.folder)?;
    let stored = set_of(&app, &plan_of(&app, &order.folder, KeepRules::default())?).await?;
    copy(&stored, &order)?;
    let idle = memory::resident("VmRSS:")?;

    let (mut searching, mut keeping) = (Vec::new(), Vec::new());
    for time in 0..TIMES {
        let plan = plan_of(&app, &order.folder, KeepRules::default())?;
        let began = Instant::now();
        let (data_folder, words) = (&app.steward.data_folder, "basemap".to_owned());
        let found = set_search::search(data_folder, vec![plan], words).await.map_err(said)?;
        searching.push(began.elapsed());
        ensure!(found.searched == order.sets - u32::try_from(time)?, "{} were searched", found.searched);

        // As after a night: the oldest goes.
        let last = Some(order.sets - 1 - u32::try_from(time)?);
        let plan = plan_of(&app, &order.folder, KeepRules { last, ..KeepRules::default() })?;
        let (context, data_folder) = (&app.steward.context, &app.steward.data_folder);
        let began = Instant::now();
        let done =
            keeping::remove_others(context, data_folder, &plan, Timestamp::now(), &TimeZone::UTC).await;
        keeping.push(began.elapsed());
        let done = done.map_err(said)?;
        ensure!(done.removed.len() == 1 && done.failed.is_empty(), "{done:?}");
    }
    let peak = memory::resident("VmHWM:")? - idle;
    let [searching, keeping] = [searching, keeping].map(median);
    println!("{}", json!({ "searching": searching, "keeping": keeping, "peak": peak }));
    Ok(())
}

/// Copies a set to the nights before it.
fn copy(stored: &StoredSet, order: &PlanSets) -> Result<()> {
    for night in 1..order.sets {
        let name = format!("night {night}");
        let folder = order.folder.join(&name);
        std::fs::create_dir(&folder)?;
        for file in stored.set.parts.iter().flat_map(|part| &part.files) {
            std::fs::hard_link(stored.folder.join(&file.name), folder.join(&file.name))?;
        }
        let mut set = stored.set.clone();
        set.folder_name = name;
        set.started = Millis(set.started.0 - i64::from(night) * DAY);
        set.ended = set.ended.map(|ended| Millis(ended.0 - i64::from(night) * DAY));
        set.write(&folder)?;
    }
    Ok(())
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64) * 1_000.0
}
