//! Parts of the screen that a web driver cannot reach: the window as a whole, and the dialogs of the system.

use std::path::Path;
use std::process::Output;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::process::Command;

use super::waiting::{BLINK, PATIENCE};
use crate::find_within;

/// Class of the program's window in the window system.
const WINDOW_CLASS: &str = "site-steward";

/// Takes a screenshot of the program's window.
pub(super) async fn picture(file: &Path) -> Result<()> {
    let window = window().await?;
    // While the window is drawn again, the system has no picture of it.
    let taken = find_within(Duration::from_secs(2), Duration::from_millis(200), async || {
        let taken = Command::new("import").args(["-window", &window]).arg(file).status().await;
        let taken = taken.context("import could not be started; `cargo xtask test` installs it")?;
        anyhow::Ok(taken.success().then_some(()))
    });
    taken.await?.with_context(|| format!("no picture could be taken for {}", file.display()))
}

/// Returns the ID of the program's window in the window system. A window that is activated can appear later, so this
/// waits up to 5 seconds.
pub(super) async fn window() -> Result<String> {
    find_within(Duration::from_secs(5), BLINK, seen).await?.context("the window is not on the screen")
}

/// Returns the largest window: a tooltip is a window too.
async fn seen() -> Result<Option<String>> {
    let mut largest: Option<(i32, String)> = None;
    for window in search("--class", WINDOW_CLASS).await?.lines() {
        // Skip a window that was closed meanwhile.
        let Ok(ScreenRegion { width, height, .. }) = area_of(window).await else { continue };
        if largest.as_ref().is_none_or(|(size, _)| *size < width * height) {
            largest = Some((width * height, window.to_owned()));
        }
    }
    Ok(largest.map(|(_, window)| window))
}

/// Returns the ID of the process of the program's window.
pub(super) async fn process() -> Result<String> {
    let process = answer(&["getwindowpid", &window().await?]).await?;
    process.lines().next().map(ToOwned::to_owned).context("the window belongs to no process")
}

/// Position and size of a window on the screen, without its frame, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenRegion {
    /// Distance from the left edge of the screen.
    pub x: i32,
    /// Distance from the upper edge of the screen.
    pub y: i32,
    /// Width.
    pub width: i32,
    /// Height.
    pub height: i32,
}

/// Returns the position and size of the program's window.
pub(super) async fn area() -> Result<ScreenRegion> {
    area_of(&window().await?).await
}

async fn area_of(window: &str) -> Result<ScreenRegion> {
    let lines = answer(&["getwindowgeometry", "--shell", window]).await?;
    let number = |name: &str| -> Result<i32> {
        let line = lines.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        Ok(line.with_context(|| format!("the window has no {name}"))?.parse()?)
    };
    Ok(ScreenRegion { x: number("X")?, y: number("Y")?, width: number("WIDTH")?, height: number("HEIGHT")? })
}

/// Returns the color of the program's window near its lower left corner, which is part of the background, for example
/// `#242424`.
pub(super) async fn ground() -> Result<String> {
    color(&window().await?, area().await?.height - 8).await
}

/// Returns the color of a window near its left edge, `below` pixels from its upper edge.
async fn color(window: &str, below: i32) -> Result<String> {
    let mut import = Command::new("import");
    import.args(["-window", window, "-crop", &format!("1x1+8+{below}"), "-depth", "8", "txt:-"]);
    let output =
        import.output().await.context("import could not be started; `cargo xtask test` installs it")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let color = text.split_whitespace().find(|word| word.starts_with('#') && word.len() > 1);
    color.map(ToOwned::to_owned).with_context(|| format!("the window has no colour: {text}"))
}

/// Returns the background color of the next window that the program shows, as soon as something of it is drawn. Until
/// then the desktop is visible through it. The desktop gets a color of its own, so that a black desktop does not pass
/// for a black window.
///
/// # Errors
/// Returns an error if no window appears, or if nothing of it is drawn.
pub async fn first_ground() -> Result<String> {
    // The status is ignored: `display` also reports a failure when it has drawn the desktop, because there is no window
    // to wait for.
    let paint = ["-window", "root", "-size", "64x64", &format!("xc:{DESKTOP}")];
    Command::new("display").args(paint).status().await?;
    anyhow::ensure!(color("root", 8).await? == DESKTOP, "the desktop could not be painted");
    find_within(PATIENCE, Duration::ZERO, seen).await?.context("no window came")?;
    let painted = async || anyhow::Ok(ground().await.ok().filter(|color| color != DESKTOP));
    find_within(PATIENCE, Duration::ZERO, painted).await?.context("the window stays unpainted")
}

/// Color of the desktop before a window appears.
const DESKTOP: &str = "#7A007A";

/// Waits until the program's window is closed or minimized.
pub(super) async fn wait_until_gone() -> Result<()> {
    let is_gone = async || anyhow::Ok(seen().await?.is_none().then_some(()));
    find_within(Duration::from_secs(10), BLINK, is_gone).await?.context("the window is still there")
}

/// Cancels the dialog with this title.
///
/// # Errors
/// Returns an error if no dialog opens, or if it does not close.
pub async fn dismiss_dialog(title: &str) -> Result<()> {
    let dialog = opened(title).await?;
    for _ in 0..10 {
        xdotool(&["windowactivate", "--sync", &dialog]).await.ok();
        xdotool(&["key", "--clearmodifiers", "Escape"]).await?;
        if closes(title, Duration::from_secs(1)).await? {
            return Ok(());
        }
    }
    bail!("the dialog “{title}” does not close")
}

/// Selects the first printer in the print dialog, which prints to a file if there is no other, and prints.
///
/// # Errors
/// Returns an error if no dialog opens, or if it does not close.
pub async fn answer_print_dialog() -> Result<()> {
    let title = "^Print$";
    let dialog = opened(title).await?;
    for _ in 0..10 {
        xdotool(&["windowactivate", "--sync", &dialog]).await.ok();
        xdotool(&["key", "--clearmodifiers", "Down", "Return"]).await?;
        if closes(title, Duration::from_secs(1)).await? {
            return Ok(());
        }
        // The list of printers does not have the focus yet.
        xdotool(&["key", "--clearmodifiers", "Tab"]).await?;
    }
    bail!("the dialog to print does not close")
}

/// Waits for the dialog with this title.
async fn opened(title: &str) -> Result<String> {
    let dialog = find_within(PATIENCE, BLINK, async || find(title).await).await?;
    dialog.with_context(|| format!("no dialog “{title}” opened"))
}

/// Waits for the dialog with this title to close, and returns whether it did.
async fn closes(title: &str, limit: Duration) -> Result<bool> {
    let is_closed = async || anyhow::Ok(find(title).await?.is_none().then_some(()));
    Ok(find_within(limit, BLINK, is_closed).await?.is_some())
}

/// Waits for the save dialog with this title, enters a path, and presses Return until the dialog closes.
///
/// # Errors
/// Returns an error if no dialog opens, or if it does not close.
pub async fn answer_save_dialog(title: &str, path: &Path) -> Result<()> {
    enter_path(title, path, &[]).await
}

/// Waits for the open dialog with this title, and enters the path of an existing file or folder.
///
/// # Errors
/// Returns an error if no dialog opens, or if it does not close.
pub async fn answer_open_dialog(title: &str, path: &Path) -> Result<()> {
    // The dialog has no field for a path until a slash is typed. ctrl+l would hide the field again.
    enter_path(title, path, &["slash"]).await
}

/// Enters a path into the field of a dialog, which `opening` shows, and presses Return until the dialog closes.
async fn enter_path(title: &str, path: &Path, opening: &[&str]) -> Result<()> {
    let dialog = opened(title).await?;
    let path = path.display().to_string();
    // A dialog that is just opening ignores the first keys.
    for _ in 0..10 {
        xdotool(&["windowactivate", "--sync", &dialog]).await.ok();
        forget_selection().await?;
        // GTK ignores keys that are sent to a window, so send them to the one with the focus.
        xdotool(&[&["key", "--clearmodifiers"], opening, &["ctrl+a"]].concat()).await?;
        xdotool(&["type", "--clearmodifiers", "--delay", "5", &path]).await?;
        // A key can be lost. Where a folder is chosen, GTK makes the folder of a mistyped name and chooses it.
        if !field_has(&path).await? {
            continue;
        }
        xdotool(&["key", "--clearmodifiers", "Return"]).await?;
        if closes(title, Duration::from_secs(3)).await? {
            return Ok(());
        }
    }
    bail!("the dialog “{title}” does not close")
}

/// Waits up to 2 seconds until the field with the focus has this path, which a dialog completes with a slash if it is a
/// folder.
async fn field_has(path: &str) -> Result<bool> {
    let selected = async || {
        xdotool(&["key", "--clearmodifiers", "ctrl+a"]).await?;
        let selection = Command::new("xclip").args(["-out", "-selection", "primary"]).output().await;
        let selection = selection.context(NO_XCLIP)?.stdout;
        let selection = String::from_utf8_lossy(&selection);
        anyhow::Ok((selection.trim_end_matches('/') == path).then_some(()))
    };
    Ok(find_within(Duration::from_secs(2), BLINK, selected).await?.is_some())
}

/// Empties the selection, which can have the same path from an earlier dialog.
async fn forget_selection() -> Result<()> {
    let emptied = Command::new("xclip").args(["-in", "-selection", "primary", "/dev/null"]).status().await;
    anyhow::ensure!(emptied.context(NO_XCLIP)?.success(), "the selection could not be emptied");
    Ok(())
}

const NO_XCLIP: &str = "xclip could not be started; `cargo xtask test` installs it";

async fn find(title: &str) -> Result<Option<String>> {
    Ok(search("--name", title).await?.lines().next().map(ToOwned::to_owned))
}

/// Returns the IDs of the visible windows with a property, one in each line. Repeats a search that a closing window ended
/// with an error: it finds nothing, not even the windows that are still there.
async fn search(property: &str, value: &str) -> Result<String> {
    let searched = async || {
        let output = xdotool_output(&["search", "--onlyvisible", property, value]).await?;
        anyhow::Ok(output.stderr.is_empty().then_some(output.stdout))
    };
    let found =
        find_within(PATIENCE, Duration::ZERO, searched).await?.context("the windows cannot be searched")?;
    Ok(String::from_utf8_lossy(&found).into_owned())
}

/// Returns the output of xdotool.
pub(super) async fn answer(arguments: &[&str]) -> Result<String> {
    Ok(String::from_utf8_lossy(&xdotool_output(arguments).await?.stdout).into_owned())
}

async fn xdotool_output(arguments: &[&str]) -> Result<Output> {
    let output = Command::new("xdotool").args(arguments).output().await;
    output.context("xdotool could not be started; `cargo xtask test` installs it")
}

pub(super) async fn xdotool(arguments: &[&str]) -> Result<()> {
    if !xdotool_output(arguments).await?.status.success() {
        bail!("xdotool {} failed", arguments[0]);
    }
    Ok(())
}
