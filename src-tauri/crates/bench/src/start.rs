//! Time from the start of the program to visible content and to a usable window, and memory of all its processes then,
//! compared with two browsers that open one static page. The program starts without a site, and with twenty.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::Bench;
use crate::saved_sites;
use crate::table::{Limit, Line};

/// Number of measured starts of each program. Another one before them is not counted: it reads everything from the
/// disk.
const RUNS: usize = 7;

/// Time limit for one start.
const LIMIT: Duration = Duration::from_secs(60);

/// Time without activity before the memory of a program is measured.
const REST: Duration = Duration::from_secs(4);

/// Text in the program's log when its window can be used.
const USABLE: &str = "the window can be used";

/// Text in the same line before the time of the first paint, in milliseconds since 1970.
const CONTENT_AT: &str = "content_at=";

/// Data folder, relative to the home folder.
const DATA_FOLDER: &str = "data/org.sitesteward.desktop";

const PAGE: &str = "<!doctype html><title>A page</title><h1>A page</h1><script>\
    addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => fetch('/usable'))))</script>";

/// Measurements of one program.
#[derive(Default)]
struct Took {
    milliseconds: Vec<f64>,
    mebibytes: Vec<f64>,
    /// Times to the first content; only of Site Steward.
    content: Vec<f64>,
}

/// Measurements of one start.
struct Start {
    milliseconds: f64,
    mebibytes: f64,
    content: Option<f64>,
}

impl Took {
    fn add(&mut self, start: &Start) {
        self.milliseconds.push(start.milliseconds);
        self.mebibytes.push(start.mebibytes);
        self.content.extend(start.content);
    }
}

pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let program = std::env::var_os("STEWARD_APP").context("STEWARD_APP names no program")?;
    let home = bench.folder.join("home");
    let home_with_sites = bench.folder.join("home-with-sites");
    saved_sites::save(&home_with_sites.join(DATA_FOLDER), 20)?;
    let page = StaticPage::open().await?;
    let (mut ours, mut with_sites) = (Took::default(), Took::default());
    let (mut mini_browser, mut chromium) = (Took::default(), Took::default());
    for run in 0..=RUNS {
        println!("Start {run} of {RUNS}");
        let all = [
            (&mut ours, our_start(Path::new(&program), &home).await?),
            (&mut mini_browser, page.opened_by(mini_browser_of_this_system()?, &[], &home).await?),
            (&mut with_sites, our_start(Path::new(&program), &home_with_sites).await?),
            (&mut chromium, page.opened_by("chromium".into(), &CHROMIUM, &home).await?),
        ];
        for (took, start) in all {
            if run > 0 {
                took.add(&start);
            }
        }
    }
    let starts = [
        (&ours, "from the start to content on screen", "from the start to a usable window"),
        (
            &with_sites,
            "with twenty sites, from the start to content on screen",
            "with twenty sites, from the start to a usable window",
        ),
    ];
    let (mini, chrome) = ("MiniBrowser, one page", "Chromium, one page");
    for (ours, content, usable) in starts {
        let times = |most| Limit::Times(most, " ms");
        let beside_mini = (mini, median(&mini_browser.milliseconds));
        if ours.content.is_empty() {
            println!("The page did not say when it painted its first content");
        } else {
            lines.push(Line::compared(content, median(&ours.content), beside_mini, times(1.3)));
        }
        lines.push(Line::compared(usable, median(&ours.milliseconds), beside_mini, times(1.65)));
        let beside_chromium = (chrome, median(&chromium.milliseconds));
        lines.push(Line::compared(usable, median(&ours.milliseconds), beside_chromium, times(1.0)));
    }
    for (peer, theirs, most) in [(mini, &mini_browser, 1.3), (chrome, &chromium, 1.0)] {
        let beside = (peer, median(&theirs.mebibytes));
        let limit = Limit::Times(most, " MiB");
        lines.push(Line::compared("memory of all processes at rest", median(&ours.mebibytes), beside, limit));
    }
    Ok(())
}

fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Options that prevent background work of the browser, which would make it slower than Site Steward.
const CHROMIUM: [&str; 8] = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--user-data-dir=chromium",
];

/// Starts Site Steward with the files of its earlier starts.
async fn our_start(program: &Path, home: &Path) -> Result<Start> {
    let log = home.join(DATA_FOLDER).join("logs/site-steward.log");
    let said = || fs::read_to_string(&log).unwrap_or_default().matches(USABLE).count();
    let before = said();
    let by_the_clock = SystemTime::now();
    let began = Instant::now();
    let started = Started::new(program, &[], home)?;
    while said() == before {
        ensure!(began.elapsed() < LIMIT, "the program did not say that it can be used");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let took = began.elapsed();
    tokio::time::sleep(REST).await;
    let content = content_at(&fs::read_to_string(&log)?).map(|at| milliseconds(at, by_the_clock));
    Ok(Start {
        milliseconds: took.as_secs_f64() * 1_000.0,
        mebibytes: started.mebibytes()?,
        content: content.transpose()?,
    })
}

/// Returns the time of the first paint of the last start. `None` if it is not in the log.
fn content_at(log: &str) -> Option<Duration> {
    let line = log.lines().rfind(|line| line.contains(USABLE))?;
    let (_, number) = line.split_once(CONTENT_AT)?;
    let digits = number.split(|sign: char| !sign.is_ascii_digit()).next()?;
    digits.parse().ok().map(Duration::from_millis)
}

/// Returns the milliseconds from `start` to a time since 1970.
fn milliseconds(at: Duration, start: SystemTime) -> Result<f64> {
    let since = (UNIX_EPOCH + at).duration_since(start).context("the page painted before the start")?;
    Ok(since.as_secs_f64() * 1_000.0)
}

/// Static page, and the server that detects when it is usable.
struct StaticPage {
    listener: TcpListener,
    address: String,
}

impl StaticPage {
    async fn open() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}/", listener.local_addr()?);
        Ok(Self { listener, address })
    }

    async fn opened_by(&self, browser: PathBuf, options: &[&str], home: &Path) -> Result<Start> {
        let address =
            if options.is_empty() { self.address.clone() } else { format!("--app={}", self.address) };
        let began = Instant::now();
        let started = Started::new(&browser, &[options, &[address.as_str()]].concat(), home)?;
        let usable = tokio::time::timeout(LIMIT, self.serve_until_usable());
        usable.await.with_context(|| format!("{} did not show the page", browser.display()))??;
        let took = began.elapsed();
        tokio::time::sleep(REST).await;
        Ok(Start {
            milliseconds: took.as_secs_f64() * 1_000.0,
            mebibytes: started.mebibytes()?,
            content: None,
        })
    }

    async fn serve_until_usable(&self) -> Result<()> {
        loop {
            let (mut connection, _) = self.listener.accept().await?;
            let mut request = vec![0; 4_096];
            // A browser can open connections without using them.
            let Ok(Ok(length)) =
                tokio::time::timeout(Duration::from_millis(200), connection.read(&mut request)).await
            else {
                continue;
            };
            let is_usable = request[..length].starts_with(b"GET /usable");
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close";
            let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{PAGE}", PAGE.len());
            connection.write_all(answer.as_bytes()).await?;
            if is_usable {
                return Ok(());
            }
        }
    }
}

/// Program with its child processes. All of them end when this is dropped.
struct Started(Child);

impl Started {
    /// Starts a program in its own session, so that it ends with its children, and with its own home folder.
    fn new(program: &Path, arguments: &[&str], home: &Path) -> Result<Self> {
        fs::create_dir_all(home)?;
        let mut command = Command::new("setsid");
        command.arg(program).args(arguments).current_dir(home).env("HOME", home);
        command.env("XDG_DATA_HOME", home.join("data")).env("XDG_CONFIG_HOME", home.join("config"));
        command.env("XDG_CACHE_HOME", home.join("cache"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Self(command.spawn().with_context(|| format!("{} cannot be started", program.display()))?))
    }

    /// Returns the proportional memory of the program and all its descendants, in MiB.
    fn mebibytes(&self) -> Result<f64> {
        let mut family = vec![self.0.id()];
        let parents = parents()?;
        let mut next = 0;
        while let Some(&one) = family.get(next) {
            family.extend(parents.iter().filter(|(_, parent)| *parent == one).map(|(child, _)| child));
            next += 1;
        }
        // A process that has ended meanwhile has no memory.
        let kibibytes: u64 = family.into_iter().filter_map(proportional).sum();
        if kibibytes == 0 {
            bail!("the system tells nothing of its memory");
        }
        Ok(Duration::from_millis(kibibytes).as_secs_f64() * 1_000.0 / 1_024.0)
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Ignore the error: the processes have ended already.
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.0.id())]).status();
        let _ = self.0.wait();
    }
}

/// Returns every process with its parent.
fn parents() -> Result<Vec<(u32, u32)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let Some(process) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let Ok(status) = fs::read_to_string(format!("/proc/{process}/status")) else { continue };
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).map(str::trim);
        all.extend(parent.and_then(|number| number.parse().ok()).map(|parent| (process, parent)));
    }
    Ok(all)
}

/// Returns the proportional memory of a process (shared pages are divided by the processes that use them), in KiB.
fn proportional(process: u32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the path of `MiniBrowser`, which is installed with the library, in a folder with the name of the
/// architecture.
fn mini_browser_of_this_system() -> Result<PathBuf> {
    let folders = fs::read_dir("/usr/lib")?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut browsers = folders.map(|folder| folder.join("webkit2gtk-4.1/MiniBrowser"));
    browsers.find(|browser| browser.is_file()).context("WebKit's MiniBrowser is not installed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_says_when_the_last_start_had_content() {
        let log = "INFO site_steward: the window can be used content_at=1790000000123\n\
                   INFO site_steward: started\n\
                   INFO site_steward: the window can be used content_at=1790000009456\n";
        assert_eq!(content_at(log), Some(Duration::from_millis(1_790_000_009_456)));
    }

    #[test]
    fn a_start_that_says_no_content_is_not_taken_for_an_earlier_one() {
        let log = "INFO: the window can be used content_at=1790000000123\nINFO: the window can be used\n";
        assert_eq!(content_at(log), None);
    }
}
