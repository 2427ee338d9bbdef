//! Check whether a whole site is back, and check of its overview, compared with the same requests sent bare.

use anyhow::{Context, Result};
use rusqlite::{Connection, params};
use serde_json::json;

use crate::Bench;
use crate::site::Site;
use crate::table::{Limit, Line};
use crate::worker::Worker;
use crate::{data_items, inventory};

/// Services of the server, each with an item of the portal.
const SERVICES: u32 = 5_000;

/// Items of the portal, and as many data store items of the server.
const ITEMS: u32 = 100_000;

/// Maximum ratio of the time to that of the bare requests.
const MOST_TIMES: f64 = 1.15;

/// Maximum memory beyond that of the idle program, in MiB.
const MOST_MEMORY: f64 = 64.0;

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    println!("Check of a whole site, {SERVICES} services, {ITEMS} items");
    let worker = Worker::from_environment()?;
    // Without encryption: what is sent is recorded on its way.
    let site = Site::start(&bench.site, &bench.folder.join("data")).await?;
    inventory::add(&site, SERVICES)?;
    add_items(&site)?;
    data_items::fill_up(&site.data().join("server/server.db"), 0, ITEMS.into())?;
    for (work, what) in [("proof", "is it back"), ("overview", "overview, backups, and what expires")] {
        let said = worker.perform(&site, &json!({ work: { "services": SERVICES } }))?;
        let number = |name: &str| said.last().and_then(|line| line[name].as_f64()).context("no number");
        let beside = ("the same requests", number("theirs")?);
        let limit = Limit::Times(MOST_TIMES, " ms");
        let name = format!("5,000 services and 100,000 items, {what}");
        lines.push(Line::compared(name, number("ours")?, beside, limit));
        lines.push(Line::new(format!("{what}: requests"), number("requests")?, Limit::None));
        lines.push(Line::new(
            format!("{what}: memory beyond idle, MiB"),
            number("peak")?,
            Limit::Count(MOST_MEMORY),
        ));
    }
    Ok(())
}

/// Adds an item for each added service, and others, until there are as many as are wanted.
fn add_items(site: &Site) -> Result<()> {
    let database = Connection::open(site.data().join("portal/portal.db"))?;
    let sql = "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
        INSERT INTO items (id, owner, title, type, access, file, size, created, modified, url)
        SELECT printf('%032x', n), (SELECT username FROM users LIMIT 1), 'Item ' || n,
            CASE WHEN n <= ?2 THEN 'Map Service' ELSE 'Feature Collection' END, 'org', 'file.json', 0, 0, 0,
            CASE WHEN n <= ?2 THEN 'server/rest/services/Copy' || n || '/MapServer' END
        FROM number";
    database.execute(sql, params![ITEMS, SERVICES])?;
    Ok(())
}
