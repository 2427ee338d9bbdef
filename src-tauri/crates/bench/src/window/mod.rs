//! The program's real window: time to the painted rows of long lists, response time, number of elements, and typing.

mod act;
mod items;
mod report;
mod typing;

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::Bench;
use crate::table::Line;

/// Maximum number of elements in a page, regardless of the length of its list.
const MOST_ELEMENTS: f64 = 2_000.0;

/// Maximum time from the last byte of a response to its first painted rows, in milliseconds.
const PAINTED: f64 = 150.0;

/// Maximum time from a pressed heading or a typed letter to the rows in their new order, in milliseconds.
const ANSWERED: f64 = 100.0;

/// Measures both lists in one window.
pub(crate) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    let program = Program::from_environment(&bench.folder.join("window"))?;
    let window = Window::open(&program).await?;
    window.start_practice().await?;
    // Before the items are added: an import with a hundred thousand items is slow.
    report::measure(bench, &program, &window, lines).await?;
    items::measure(bench, &program, &window, lines).await?;
    window.close().await?;
    typing::measure(bench, lines).await
}
