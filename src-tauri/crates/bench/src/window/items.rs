//! A hundred thousand data store items.

use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use steward_testkit::window::{Program, Window};

use super::act::{act, fill, press};
use super::limits::{ANSWERED, MOST_ELEMENTS, PAINTED};
use crate::Bench;
use crate::data_items;
use crate::side_by_side::{RUNS, Times};
use crate::site::{Component, Site};
use crate::table::{Limit, Line};

const ITEMS: u64 = 100_000;

/// Headings that are pressed in this order. Each requires a sort order that was not used before.
const HEADINGS: [(&str, &str); RUNS] =
    [("Name", "ascending"), ("Name", "descending"), ("Data location", "ascending")];

/// Condition: rows are painted while the rest is still being received.
const FIRST_ROWS: &str = "document.querySelector('[role=grid][inert] [role=gridcell]')?.textContent";

/// Condition: the filter leaves a part of the items.
const FILTERED: &str = "/[0-9] of [0-9,]+ items shown/.test(document.body.innerText)";

/// Condition: rows of the current search are painted.
const ROWS: &str = "document.querySelector('[role=grid][aria-busy=false] [role=gridcell]')?.textContent";

pub(super) async fn measure(
    bench: &Bench,
    program: &Program,
    window: &Window,
    lines: &mut Vec<Line>,
) -> Result<()> {
    println!("Window, {ITEMS} data items");
    data_items::fill_up(&program.folder().join("practice/server/server.db"), 0, ITEMS)?;
    window.press("Data store items").await?;
    window.see("Show all").await?;
    let (mut first, mut whole, mut answered) = <(Times, Times, Times)>::default();
    let (mut begun, mut ended, mut theirs) = <(Times, Times, Times)>::default();
    let mut elements = 0.0_f64;
    let peer = Peer::start(bench).await?;
    // The earlier results are visible until the search begins.
    let came = format!("window.answers.some(([name]) => name === 'find_items') && {ROWS}");
    let show_all = press("//button[normalize-space(.)='Show all']");
    for _ in 0..RUNS {
        first.add_millis(act(window, &show_all, FIRST_ROWS).await?.whole);
        afresh(window).await?;
        let found = act(window, &show_all, &came).await?;
        whole.add_millis(found.whole);
        answered.add_millis(found.since("find_items")?);
        elements = elements.max(found.elements);
        let [first_byte, last_byte, listed] = peer.ask()?;
        begun.add_millis(first_byte);
        ended.add_millis(last_byte);
        theirs.add_millis(listed);
        afresh(window).await?;
    }
    peer.stop()?;
    window.reload().await?;
    window.press("Data store items").await?;
    window.see_any("//*[@role='gridcell']").await?;

    let (mut sort, mut filter) = <(Times, Times)>::default();
    for (run, (heading, direction)) in HEADINGS.into_iter().enumerate() {
        let button = press(&format!("//*[@role='columnheader']//button[normalize-space(.)='{heading}']"));
        let turned = format!(
            "[...document.querySelectorAll('[aria-sort={direction}]')].some((one) => one.textContent.includes('{heading}')) && {ROWS}"
        );
        let sorted = act(window, &button, &turned).await?;
        sort.add_millis(sorted.whole);
        let words = fill("Filter these items", &format!("item00{run}77"));
        let filtered = act(window, &words, &format!("{FILTERED} && {ROWS}")).await?;
        filter.add_millis(filtered.whole);
        elements = elements.max(filtered.elements).max(sorted.elements);
        act(window, &fill("Filter these items", ""), &format!("!{FILTERED} && {ROWS}")).await?;
    }

    let (first, whole, begun, theirs) = (first.millis(), whole.millis(), begun.millis(), theirs.millis());
    lines.extend([
        Line::compared(
            "100,000 data items: first byte of the site's answer, as python3 sees it, to first painted rows",
            first - begun,
            ("the vendor's Python client, from there to its list", theirs - begun),
            Limit::Times(0.2, " ms"),
        ),
        Line::new(
            "100,000 data items: last byte of it to first painted rows",
            first - ended.millis(),
            Limit::Millis(PAINTED),
        ),
        Line::beside(
            "100,000 data items: press to the whole table",
            whole,
            "the vendor's Python client, to its list",
            theirs,
        ),
        Line::new(
            "100,000 data items: the program's answer in the window to the whole table",
            answered.millis(),
            Limit::Millis(PAINTED),
        ),
        Line::new("100,000 data items: sort", sort.millis(), Limit::Millis(ANSWERED)),
        Line::new("100,000 data items: filter", filter.millis(), Limit::Millis(ANSWERED)),
        Line::new("100,000 data items: elements in the page", elements, Limit::Count(MOST_ELEMENTS)),
    ]);
    Ok(())
}

/// Waits for the complete table and loads the page again, so that it has no rows. The program keeps the results.
async fn afresh(window: &Window) -> Result<()> {
    window.see_any("//*[@role='grid'][@aria-busy='false']//*[@role='gridcell']").await?;
    window.reload().await?;
    window.press("Data store items").await?;
    window.press("Change filters").await
}

/// Site with the same number of items, for the vendor's Python client.
struct Peer {
    python: OsString,
    site: Site,
    token: String,
}

impl Peer {
    async fn start(bench: &Bench) -> Result<Self> {
        let python = std::env::var_os("STEWARD_PYTHON").context("STEWARD_PYTHON names no Python")?;
        let data = bench.folder.join("peer").join("data");
        let site = Site::start_encrypted(&bench.site, &data).await?;
        data_items::fill_up(&data.join("server/server.db"), 0, ITEMS)?;
        let token = site.token(Component::Server).await?;
        Ok(Self { python, site, token })
    }

    /// Returns the milliseconds from the request to the first byte, to the last byte, and to the client's list.
    fn ask(&self) -> Result<[f64; 3]> {
        // The client sends one request before, so that the additional work of its first request is not counted.
        let script = "import ssl, sys, time, urllib.parse, urllib.request
from arcgis.gis import GIS
from arcgis.gis.server import Server
portal, server, user, password, token, certificate = sys.argv[1:]
form = urllib.parse.urlencode({'ancestorPath': '/', 'token': token, 'f': 'json'}).encode()
trust = ssl.create_default_context(cafile=certificate)
begun = time.perf_counter()
answer = urllib.request.urlopen(server + '/data/findItems', form, context=trust)
first = time.perf_counter()
answer.read()
last = time.perf_counter()
stores = Server(server, gis=GIS(portal, user, password, verify_cert=False)).datastores
stores.search(parent_path='/nothing')
asked = time.perf_counter()
items = stores.search(ancestor_path='/')['items']
listed = time.perf_counter()
print(len(items), *(span * 1000 for span in (first - begun, last - begun, listed - asked)))";
        let user = self.site.administrator()?;
        let text = |name: &str| user[name].as_str().unwrap_or_default();
        let mut client = Command::new(&self.python);
        client.args(["-W", "ignore", "-c", script, self.site.root(Component::Portal)?]);
        client.arg(format!("{}/admin", self.site.root(Component::Server)?));
        client.args([text("username"), text("password"), &self.token, &self.site.certificate()]);
        let output = client.output()?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers = said.lines().last().unwrap_or_default().split_whitespace();
        let numbers: Vec<f64> = numbers.filter_map(|word| word.parse().ok()).collect();
        let [count, first, last, listed] = numbers[..] else {
            anyhow::bail!("the client found nothing: {}", String::from_utf8_lossy(&output.stderr));
        };
        ensure!(count >= ITEMS as f64, "the client found {count} items");
        Ok([first, last, listed])
    }

    fn stop(self) -> Result<()> {
        let data = self.site.data().to_owned();
        drop(self.site);
        std::fs::remove_dir_all(&data).with_context(|| format!("cannot remove {}", data.display()))
    }
}
