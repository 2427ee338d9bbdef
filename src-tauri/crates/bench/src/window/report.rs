//! Import report with fifty thousand messages.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use steward_journal::{Filter, Journal, Process, Report};
use steward_testkit::window::{Program, Window};

use super::act::{act, fill, press, shows};
use super::limits::{ANSWERED, MOST_ELEMENTS};
use crate::Bench;
use crate::program;
use crate::side_by_side::{RUNS, Times};
use crate::table::{Limit, Line};

const SOURCES: usize = 500;
const MESSAGES_OF_EACH: usize = 100;

pub(super) async fn measure(
    bench: &Bench,
    program: &Program,
    window: &Window,
    lines: &mut Vec<Line>,
) -> Result<()> {
    println!("Window, a report of {} messages", SOURCES * MESSAGES_OF_EACH);
    window.export_server(&bench.folder.join("practice.agssite")).await?;
    window.import_server().await?;
    let file = bench.folder.join("report.json");
    std::fs::write(&file, enlarge(&program.folder().join("journal.db"))?)?;

    let (mut whole, mut answered, mut filter, mut theirs) = <(Times, Times, Times, Times)>::default();
    let mut elements = 0.0_f64;
    for run in 0..RUNS {
        // The page keeps a report in memory.
        window.reload().await?;
        window.press("History").await?;
        window.press_at("(//*[@role='row']//*[normalize-space(.)='Server import'])[1]").await?;
        window.see("Open the import report").await?;
        let open = press("//button[normalize-space(.)='Open the import report']");
        let opened = act(window, &open, "document.querySelector('[role=tree] [role=treeitem]')").await?;
        whole.add_millis(opened.whole);
        answered.add_millis(opened.since("import_report")?);
        theirs.add(program::time(Command::new("python3").args(["-m", "json.tool"]).arg(&file))?);
        let words = fill("Search the report", &format!("layer 4 of service 7{run}"));
        let filtered = act(window, &words, &shows(" hidden by the filter")).await?;
        filter.add_millis(filtered.whole);
        elements = elements.max(opened.elements).max(filtered.elements);
    }
    let theirs = theirs.millis();
    lines.extend([
        Line::beside(
            "50,000 messages: press to painted rows",
            whole.millis(),
            "python3 -m json.tool",
            theirs,
        ),
        Line::new("50,000 messages: answer in the window to painted rows", answered.millis(), Limit::None),
        Line::new("50,000 messages: filter", filter.millis(), Limit::Millis(ANSWERED)),
        Line::new("50,000 messages: elements in the page", elements, Limit::Count(MOST_ELEMENTS)),
    ]);
    Ok(())
}

/// Makes the newest report of an import a long one, in the history and with its event, and returns it.
fn enlarge(journal: &Path) -> Result<String> {
    // The window runs, so this is another process.
    let journal = Journal::open_as(journal, Process::Runner)?;
    let imports = Filter { operation: Some("import_server".to_owned()), limit: Some(1), ..Filter::default() };
    let imports = journal.records(&imports)?;
    let id = &imports.first().context("the history has no import")?.id;
    let sources: Vec<Value> = (0..SOURCES)
        .map(|service| {
            let messages: Vec<Value> = (0..MESSAGES_OF_EACH).map(|layer| message(service, layer)).collect();
            json!({ "source": format!("City/Service{service:04}.MapServer"), "messages": messages })
        })
        .collect();
    journal.set_in_report(id, "$.sources", &Report::of(&sources)?)?;
    let report = journal.report(id)?.context("the import has no report")?;
    Ok(serde_json::to_string(&report)?)
}

fn message(service: usize, layer: usize) -> Value {
    let level = ["INFO", "WARNING", "SEVERE"][layer % 3];
    let text = format!("The data of layer {layer} of service {service} is not at /net/data/{service}");
    json!({ "level": level, "message": text, "service": null })
}
