//! The program's real window: time to the painted rows of long lists, response time, number of elements, and typing.

mod act;
mod items;
mod limits;
mod report;
mod typing;

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::Bench;
use crate::table::Line;

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
