//! Keys that are typed into a form with a hundred sites saved: time to their paint, and whether each arrives in the field that
//! had the focus.

use anyhow::Result;
use steward_testkit::window::{Program, Window};

use crate::Bench;
use crate::saved_sites;
use crate::table::{Limit, Line};

const SITES: usize = 100;

/// Maximum time from a key to its paint, in milliseconds: a frame of a screen.
const PAINTED: f64 = 16.0;

/// Keys whose paint is measured, one after the other.
const KEYS: usize = 60;

/// Text that is typed in a burst. A Tab moves the focus at once, between two keys.
const WORDS: &str = "https://gis.example.org/a-portal-with-a-long-name-in-its-path/portal";

/// Stores the time of each key until the frame that shows it was drawn.
const LISTEN: &str = "window.painted = [];
    addEventListener('keydown', ({ timeStamp }) => requestAnimationFrame(() => {
        const drawn = new MessageChannel();
        drawn.port1.onmessage = () => window.painted.push(performance.now() - timeStamp);
        drawn.port2.postMessage(null);
    }), true);";

const FIELDS: [&str; 2] = ["Portal URL", "Portal administration URL (optional)"];

pub(super) async fn measure(bench: &Bench, lines: &mut Vec<Line>) -> Result<()> {
    println!("Window, keys with {SITES} sites");
    let program = Program::from_environment(&bench.folder.join("typing"))?;
    saved_sites::save(&program.folder(), SITES)?;
    let window = Window::open(&program).await?;
    window.focus().await?;
    window.key("ctrl+shift+s").await?;
    window.press("Add site").await?;
    window.press("Enter URLs manually").await?;
    // The one that is emptied last has the focus.
    for field in FIELDS.into_iter().rev() {
        window.fill(field, "").await?;
    }
    window.ask_page(LISTEN).await?;
    for _ in 0..KEYS {
        window.key("a").await?;
    }
    let painted = window.ask_page("return window.painted.toSorted((one, other) => one - other)").await?;
    let painted: Vec<f64> = serde_json::from_value(painted)?;

    window.fill(FIELDS[0], "").await?;
    window.type_text(&format!("{WORDS}\t{WORDS}")).await?;
    // Keys wait in the queue of the window while it paints. A lost one is counted below.
    let is_whole = format!("return document.activeElement.value.length >= {}", WORDS.len());
    drop(window.wait_until(&is_whole).await);
    let mut lost = 0;
    for field in FIELDS {
        let typed = window.value(field).await?;
        lost += if typed == WORDS { 0 } else { 1 };
    }
    let of_100 = |share: usize| painted.get(painted.len() * share / 100).copied().unwrap_or(f64::NAN);
    lines.extend([
        Line::new("100 sites: key to paint, median", of_100(50), Limit::None),
        Line::new("100 sites: key to paint, 95th percentile", of_100(95), Limit::Millis(PAINTED)),
        Line::new("100 sites: fields with other text than was typed", f64::from(lost), Limit::Count(0.0)),
    ]);
    window.close().await
}
