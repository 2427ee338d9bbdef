//! The program is killed while a request is held: in a process of its own, which is this file too.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use steward_journal::{Outcome, StoredRecord};

use crate::app::App;
use crate::case::Moment;
use crate::operations::{self, Subject};
use crate::rules::{self, path_of};
use crate::site::{Answer, Site};

const SUBJECT: &str = "INTERLEAVING_SUBJECT";
const ORIGIN: &str = "INTERLEAVING_ORIGIN";
const FOLDER: &str = "INTERLEAVING_FOLDER";

/// Not a test: what is killed. It prepares an operation, says so, and performs it when it is told to.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the process that the other test starts and kills"]
async fn performs_until_it_is_killed() {
    let Ok(name) = std::env::var(SUBJECT) else { return };
    let subject = *operations::ALL.iter().find(|subject| subject.name() == name).unwrap();
    let origin = std::env::var(ORIGIN).unwrap();
    let app = App::in_folder(&origin, &PathBuf::from(std::env::var(FOLDER).unwrap()));
    app.sign_in("steward").await.unwrap();
    let before = subject.prepare(&app).await;
    say("prepared");
    let mut word = String::new();
    std::io::stdin().read_line(&mut word).unwrap();
    Box::pin(subject.perform(&app, before)).await;
    say("ended");
    std::future::pending().await
}

fn say(word: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{word}").unwrap();
    out.flush().unwrap();
}

fn start(subject: Subject, site: &Site, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::performs_until_it_is_killed", "--ignored", "--nocapture"])
        .env(SUBJECT, subject.name())
        .env(ORIGIN, site.origin())
        .env(FOLDER, folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills the program while a request is held, opens it again, and returns the rule that does not hold.
pub(crate) async fn run(subject: Subject, moment: &Moment) -> Result<(), String> {
    let (site, mut queue) = Site::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut child = start(subject, &site, folder.path());
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let lines = tokio::task::spawn_blocking(move || {
        assert!(lines.any(|line| line.unwrap() == "prepared"), "the child did not begin");
        lines
    });
    drop(lines.await.unwrap());
    let (before, effects) = (site.webhooks(), site.effects().len());
    let arrived = site.arrived().len();
    site.hold(true);
    child.stdin.take().unwrap().write_all(b"now\n").unwrap();
    let mut seen = 0;
    let held = loop {
        let held = queue.recv().await.unwrap();
        seen += usize::from(held.label == moment.label);
        if held.label == moment.label && seen == moment.occurrence {
            break held;
        }
        held.go_on(Answer::Plain);
    };
    child.kill().unwrap();
    child.wait().unwrap();
    // What has reached the site goes on there.
    site.hold(false);
    held.go_on(Answer::Plain);
    while let Ok(held) = queue.try_recv() {
        held.go_on(Answer::Plain);
    }
    let effects = site.effects().split_off(effects);
    let arrived = site.arrived().split_off(arrived);

    let app = App::in_folder(&site.origin(), folder.path());
    let records = app.records().await;
    let paths = |record: &StoredRecord| -> Vec<String> {
        record.intent.requests.iter().map(|request| path_of(&request.address)).collect()
    };
    for effect in effects.iter().filter(|effect| !effect.contains("/uploads/")) {
        let is_told = |record: &&StoredRecord| {
            let might = !matches!(record.outcome, Outcome::NotSent | Outcome::Failed);
            might && paths(record).contains(effect)
        };
        if !records.iter().any(|record| is_told(&record)) {
            return Err(format!("{effect} was done, and no record tells of it"));
        }
    }
    for record in records.iter().filter(|record| matches!(record.outcome, Outcome::Sent | Outcome::Unknown)) {
        let paths = paths(record);
        if !paths.is_empty() && !paths.iter().any(|path| arrived.contains(path)) {
            return Err(format!("{} is unknown, and nothing of it was sent", record.intent.operation));
        }
    }
    rules::webhooks_are_known(&before, &app, &site).await
}
