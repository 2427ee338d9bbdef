//! findItems for one parent with a thousand items, compared with the same query in the sqlite3 shell.

use std::process::Command;

use anyhow::{Result, bail};
use serde_json::Value;

use crate::Bench;
use crate::data_items::{self, PER_PARENT};
use crate::program;
use crate::side_by_side::Times;
use crate::site::{Component, Site};
use crate::table::{Goal, Row};

const ITEMS: [u64; 3] = [10_000, 100_000, 1_000_000];

/// Number of runs. Each takes milliseconds, so the usual three are not precise enough.
const RUNS: usize = 21;

pub(crate) async fn measure(bench: &Bench, rows: &mut Vec<Row>) -> Result<()> {
    let data = bench.folder.join("find").join("data");
    let site = Site::start(&bench.site, &data).await?;
    let mut before = 0;
    for items in ITEMS {
        println!("findItems, {items} items");
        data_items::fill_up(&data.join("server/server.db"), before, items)?;
        before = items;
        rows.push(one_size(&site, items).await?);
    }
    drop(site);
    std::fs::remove_dir_all(&data)?;
    Ok(())
}

async fn one_size(site: &Site, items: u64) -> Result<Row> {
    let token = site.token(Component::Server).await?;
    // In the middle of all items.
    let parent = data_items::parent(items / PER_PARENT / 2);
    let form = [("parentPath", parent.as_str()), ("token", &token)];
    let query = format!("SELECT item FROM data_items WHERE parent_path = '{parent}' ORDER BY path");
    let database = site.data().join("server/server.db");
    let (mut ours, mut shell) = (Times::default(), Times::default());
    let idle = site.rest()?;
    for _ in 0..RUNS {
        let (body, time) = site.post(Component::Server, "admin/data/findItems", &form).await?;
        ours.add(time);
        check(&body)?;
        shell.add(program::time(Command::new("sqlite3").arg("-readonly").arg(&database).arg(&query))?);
    }
    let memory = site.memory(idle)?;
    let what = format!("findItems, {PER_PARENT} of {items} items");
    let (ours, theirs) = (ours.median(), shell.median());
    Ok(Row { what, ours, peer: "sqlite3 shell", theirs, goal: Goal::Within(2.0), memory })
}

/// Checks that the response has all items: an error is returned faster.
fn check(body: &[u8]) -> Result<()> {
    let answer: Value = serde_json::from_slice(body)?;
    match answer["items"].as_array().map(Vec::len) {
        Some(number) if number as u64 == PER_PARENT => Ok(()),
        Some(number) => bail!("findItems answered {number} items"),
        None => bail!("findItems answered {answer}"),
    }
}
