//! Long lists in the program's real window: how soon they are painted, how quickly they answer, how little is drawn.

mod act;
mod items;
mod report;

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::Bench;
use crate::table::Line;

/// The most elements that a page may hold, however long its list is.
const MOST_ELEMENTS: f64 = 2_000.0;

/// The most milliseconds from the last byte of an answer to its first painted rows.
const PAINTED: f64 = 150.0;

/// The most milliseconds from a press of a heading, or a letter typed, to the rows in their new order.
const ANSWERED: f64 = 100.0;

/// Measures both lists in one window.
pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let program = Program::from_environment(&bench.folder.join("window"))?;
    let window = Window::open(&program).await?;
    window.start_practice().await?;
    // First, for an import of a hundred thousand items takes its time.
    report::measure(bench, &program, &window, lines).await?;
    items::measure(bench, &program, &window, lines).await?;
    window.close().await
}
