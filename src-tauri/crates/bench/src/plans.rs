//! Backup plans: a start of the runner with nothing due, a thousand sets, and a run of a plan of three servers, compared with
//! curl and 7z, which export, download and verify the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::Bench;
use crate::inventory::add;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::site::{Component, Memory, Site};
use crate::table::{Goal, Limit, Line, Row, Table};
use crate::worker::Worker;

/// Number of starts with nothing due. Another one before them is not counted.
const STARTS: usize = 21;

/// Enabled plans, none of which is due.
const PLANS: usize = 20;

/// Sets of one plan.
const SETS: u32 = 1_000;

/// Services of the server whose sets are searched.
const SERVICES: u32 = 500;

/// Size of the three exports together, in MiB.
const MEBIBYTES: &str = "STEWARD_PLAN_MEBIBYTES";
const USUAL_MEBIBYTES: u32 = 2_048;

/// Names of the servers in the data folder of the practice site.
const SERVERS: [&str; 3] = ["server", "server2", "server3"];

pub(crate) async fn measure(bench: &Bench, table: &mut Table) -> Result<()> {
    starts(bench, &mut table.lines)?;
    let worker = Worker::from_environment()?;
    many_sets(bench, &worker, &mut table.lines).await?;
    three_servers(bench, &worker, &mut table.rows).await
}

fn starts(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    println!("Starts of the runner");
    let program = PathBuf::from(std::env::var_os("STEWARD_APP").context("STEWARD_APP names no program")?);
    let home = bench.folder.join("home");
    let data_folder = home.join("data/org.sitesteward.desktop");
    fs::create_dir_all(&data_folder)?;
    fs::write(data_folder.join("plans.json"), plans_that_are_not_due()?)?;
    let (mut times, mut most) = (Times::default(), 0);
    for run in 0..=STARTS {
        let (time, peak) = start(&program, &home)?;
        if run > 0 {
            times.add(time);
            most = most.max(peak);
        }
    }
    lines.push(Line::new("a start of the runner with nothing due", times.millis(), Limit::Millis(250.0)));
    lines.push(Line::new("memory of such a start, MiB", f64::from(most), Limit::Count(80.0)));
    Ok(())
}

/// Returns the content of `plans.json`: plans that were enabled now, and run once a week.
fn plans_that_are_not_due() -> Result<Vec<u8>> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_millis();
    let plan = |number: usize| {
        json!({
            "id": format!("plan-{number}"), "site": "city", "name": format!("Plan {number}"), "isEnabled": true,
            "since": u64::try_from(now).unwrap_or(u64::MAX),
            "parts": [{ "kind": "server", "server": "server" }],
            "schedule": {
                "days": ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
                "times": [{ "hour": 2, "minute": 30 }], "skipMissed": false,
            },
            "folder": "/backups", "deleteStored": true,
            "keep": { "last": 7, "daily": null, "weekly": null, "monthly": null, "withinDays": null },
            "rehearseEvery": null, "alerts": [],
        })
    };
    Ok(serde_json::to_vec(&json!({ "format": 1, "content": (0..PLANS).map(plan).collect::<Vec<_>>() }))?)
}

/// Returns the time of one start, and the most memory that was seen, in MiB.
fn start(program: &Path, home: &Path) -> Result<(Duration, u32)> {
    let mut command = Command::new(program);
    command.arg("run-due-plans").env("HOME", home).env("XDG_DATA_HOME", home.join("data"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        command.env_remove(name);
    }
    let began = Instant::now();
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = PathBuf::from(format!("/proc/{}/status", process.id()));
    let mut kibibytes = 0;
    let ended = loop {
        if let Some(ended) = process.try_wait()? {
            break ended;
        }
        // The memory at the very end of the process is not read: the process only frees there.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u32>().ok());
        kibibytes = kibibytes.max(peak.unwrap_or_default());
        std::thread::sleep(Duration::from_micros(500));
    };
    let time = began.elapsed();
    ensure!(ended.success() && kibibytes > 0, "the runner ended with {ended}, and {kibibytes} KiB were seen");
    Ok((time, kibibytes / 1024))
}

async fn many_sets(bench: &Bench, worker: &Worker, lines: &mut Vec<Line>) -> Result<()> {
    println!("{SETS} sets");
    let site = Site::start_encrypted(&bench.site, &bench.folder.join("sets-site")).await?;
    add(&site, SERVICES)?;
    let work = json!({ "plan_sets": { "folder": bench.folder.join("sets"), "sets": SETS } });
    let said = worker.perform(&site, &work)?;
    let number = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no number");
    let limit = Limit::Millis(1_000.0);
    lines.push(Line::new("1,000 sets: which are kept, and one removed", number("keeping")?, limit));
    let searching = number("searching")?;
    lines.push(Line::new("1,000 sets of 500 services: a search of all (ms)", searching, Limit::None));
    lines.push(Line::new("1,000 sets: memory of both, MiB", number("peak")?, Limit::None));
    Ok(())
}

async fn three_servers(bench: &Bench, worker: &Worker, rows: &mut Vec<Row>) -> Result<()> {
    let mebibytes = match std::env::var(MEBIBYTES) {
        Ok(asked) => asked.parse().with_context(|| format!("{MEBIBYTES} is no number"))?,
        Err(_) => USUAL_MEBIBYTES,
    };
    // As much for one server: with a third of it, the memory of a run must be the same.
    for mebibytes in [mebibytes / 3, mebibytes] {
        println!("Three servers, {mebibytes} MiB");
        let folder = bench.folder.join(format!("servers-{mebibytes}"));
        let site = Site::start_with_servers(&bench.site, &folder.join("data"), SERVERS.len()).await?;
        fill(&site, mebibytes / 3)?;
        let (mut ours, mut theirs) = (Times::default(), Times::default());
        let mut memory = Memory { idle: 0, peak: 0 };
        for run in 0..RUNS {
            let place = folder.join(format!("set-{run}"));
            let others = &site.servers()?[1..];
            let work = json!({ "plan_run": { "folder": place, "others": others } });
            let said = worker.perform(&site, &work)?;
            let number = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no number");
            ours.add(Duration::from_secs_f64(number("took")?));
            memory.idle = memory.idle.max(number("idle")? as u64);
            memory.peak = memory.peak.max(number("peak")? as u64);
            fs::remove_dir_all(&place)?;
            theirs.add(by_hand(&site, &folder.join("by-hand")).await?);
        }
        rows.push(Row {
            what: format!("backup set of three servers, {mebibytes} MiB, exported, downloaded, and verified"),
            ours: ours.median(),
            peer: "curl, 7z t",
            theirs: theirs.median(),
            goal: Goal::Within(1.2),
            memory,
        });
        drop(site);
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

/// Exports each server, downloads the file, verifies it, and deletes it there, with curl and 7z. Returns the time.
async fn by_hand(site: &Site, folder: &Path) -> Result<Duration> {
    fs::create_dir_all(folder)?;
    let token = site.token(Component::Server).await?;
    let certificate = site.certificate();
    let curl = || {
        let mut curl = Command::new("curl");
        curl.args(["-sSf", "--cacert", &certificate, "-H", &format!("Authorization: Bearer {token}")]);
        curl
    };
    let mut time = Duration::ZERO;
    for (number, server) in site.servers()?.iter().enumerate() {
        let file = folder.join(format!("{number}.agssite"));
        let began = Instant::now();
        let mut export = curl();
        let exported = export.args(["-d", "f=json", &format!("{server}/admin/exportSite")]).output()?;
        let answer: Value = serde_json::from_slice(&exported.stdout)?;
        let location = answer["location"].as_str().with_context(|| format!("no export: {answer}"))?;
        program::time(curl().arg("-o").arg(&file).arg(format!("{location}/download")))?;
        program::time(Command::new("sync").arg(&file))?;
        program::time(Command::new("7zz").arg("t").arg(&file))?;
        program::time(curl().args(["-d", "f=json", &format!("{location}/delete")]))?;
        time += began.elapsed();
    }
    fs::remove_dir_all(folder)?;
    Ok(time)
}

/// Gives each server services whose configurations are random, and together have this size.
fn fill(site: &Site, mebibytes: u32) -> Result<()> {
    for server in SERVERS {
        let database = rusqlite::Connection::open(site.data().join(server).join("server.db"))?;
        // Hexadecimal digits of random bytes are half as large when they are compressed.
        let sql = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
            INSERT INTO services (folder, name, type, description, configuration, data_path, configured_state, real_time_state)
            SELECT '', 'Large' || n, 'MapServer', '', json_object('content', hex(randomblob(1048576))), data_path,
                   'STARTED', 'STARTED'
            FROM number, (SELECT data_path FROM services LIMIT 1)";
        database.execute(sql, [mebibytes])?;
    }
    Ok(())
}
