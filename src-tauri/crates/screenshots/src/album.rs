//! Album: the screenshots of every stop in every appearance, and a page that shows them.

use std::fmt::Write as _;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use steward_testkit::find_within;
use steward_testkit::window::Window;

use crate::appearance::{APPEARANCES, Appearance};

/// Time limit for reaching a stop. It is longer than the limit of each wait in it, so that the error names what was
/// missing.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time limit for drawing a page, long enough for a computer with full load.
const DRAWING: Duration = Duration::from_secs(30);

pub(crate) struct Album {
    folder: PathBuf,
    appearances: &'static [Appearance],
    /// Chapters that are shown. Empty for all.
    chapters: Vec<String>,
    /// Whether the current chapter is shown.
    shown: bool,
    stops: Vec<Stop>,
}

struct Stop {
    /// Name of the screenshots, with a number at its beginning so that they are sorted.
    name: String,
    /// Reason why the stop was not reached. `None` if it was.
    missed: Option<String>,
}

impl Album {
    /// Creates an album with all appearances.
    pub(crate) fn new(folder: PathBuf, chapters: Vec<String>) -> Self {
        Self { folder, appearances: &APPEARANCES, chapters, shown: true, stops: Vec::new() }
    }

    /// Creates an album with the first appearance only.
    pub(crate) fn in_one_look(folder: PathBuf) -> Self {
        Self { folder, appearances: &APPEARANCES[..1], chapters: Vec::new(), shown: true, stops: Vec::new() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Begins a chapter, and returns whether it is shown.
    pub(crate) fn chapter(&mut self, name: &str) -> bool {
        self.shown = self.chapters.is_empty() || self.chapters.iter().any(|one| one == name);
        self.shown
    }

    /// Runs `act` and takes screenshots of the result. If `act` fails, takes them of the current page, and records the
    /// reason.
    pub(crate) async fn stop(&mut self, window: &Window, name: &str, act: impl Future<Output = Result<()>>) {
        let start = Instant::now();
        let missed = match tokio::time::timeout(PATIENCE, act).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("{error:#}")),
            Err(_) => Some("it took too long".to_owned()),
        };
        println!("{name}: {:.1} s on the way", start.elapsed().as_secs_f64());
        let is_missed = missed.is_some();
        self.take(window, name, missed).await;
        if is_missed {
            // An open dialog would cover every later stop.
            self.leave(window).await;
        }
    }

    /// Closes a dialog or a menu with Escape.
    pub(crate) async fn leave(&self, window: &Window) {
        if let Err(error) = window.key("Escape").await {
            println!("Escape could not be pressed: {error:#}");
        }
    }

    /// Takes screenshots of the current page in every appearance. Returns the file name of the first one, if it exists.
    pub(crate) async fn take(
        &mut self,
        window: &Window,
        name: &str,
        missed: Option<String>,
    ) -> Option<String> {
        let name = format!("{:02}-{name}", self.stops.len());
        let start = Instant::now();
        let missed = match self.appearances(window, &name).await {
            Ok(()) => missed,
            Err(error) => missed.or_else(|| Some(format!("no picture: {error:#}"))),
        };
        println!("{name}: {:.1} s for its pictures", start.elapsed().as_secs_f64());
        if let Some(why) = &missed {
            println!("{name} was not reached: {why}");
        }
        let first = picture(&name, self.appearances[0].name);
        self.stops.push(Stop { name, missed });
        self.folder.join(&first).exists().then_some(first)
    }

    async fn appearances(&self, window: &Window, name: &str) -> Result<()> {
        if !self.shown {
            return Ok(());
        }
        // A page that is opened for the first time requests its data first.
        let drawn = "return document.querySelector('main h1, main [role=alert]') !== null
            && document.querySelector('main [role=status][aria-busy=true]') === null";
        let is_drawn = async || anyhow::Ok((window.ask_page(drawn).await? == true).then_some(()));
        let drawn = find_within(DRAWING, Duration::from_millis(100), is_drawn).await?;
        drawn.context("the screen is not drawn")?;
        for appearance in self.appearances {
            appearance.wear(window).await?;
            window.picture(&self.folder.join(picture(name, appearance.name))).await?;
        }
        self.appearances[0].wear(window).await
    }

    /// Writes the page with all screenshots, and returns the number of stops that were not reached.
    pub(crate) fn bind(&self) -> Result<usize> {
        let mut page = String::from(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Site Steward: screenshots</title>\n\
             <h1>Site Steward: screenshots</h1>\n",
        );
        for Stop { name, missed } in &self.stops {
            writeln!(page, "<h2 id=\"{name}\">{name}</h2>")?;
            if let Some(why) = missed {
                writeln!(page, "<p>Not reached: {}</p>", why.replace('&', "&amp;").replace('<', "&lt;"))?;
            }
            for appearance in self.appearances {
                let file = picture(name, appearance.name);
                let alt = format!("{name}, {}", appearance.name);
                writeln!(page, "<a href=\"{file}\"><img src=\"{file}\" alt=\"{alt}\" width=\"400\"></a>")?;
            }
        }
        std::fs::write(self.folder.join("index.html"), page)?;
        let missed = self.stops.iter().filter(|stop| stop.missed.is_some()).count();
        println!("{} stops, {missed} of them not reached: {}", self.stops.len(), self.folder.display());
        Ok(missed)
    }
}

fn picture(stop: &str, appearance: &str) -> String {
    format!("{stop}--{appearance}.png")
}

/// Returns from the result of an operation to its form, if the result is shown. That depends on the earlier chapters.
pub(crate) async fn back_to_the_form(window: &Window, button: &str) -> Result<()> {
    window.settle().await?;
    let is_there = format!(
        "return [...document.querySelectorAll('main button')].some((one) => one.textContent.trim() === '{button}')"
    );
    if window.ask_page(&is_there).await? == true { window.press(button).await } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_that_were_not_reached_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut album = Album::new(folder.path().to_path_buf(), Vec::new());
        album.stops.push(Stop { name: "00-overview".to_owned(), missed: None });
        album.stops.push(Stop { name: "01-history".to_owned(), missed: Some("it took too long".to_owned()) });
        assert_eq!(album.bind().unwrap(), 1);
        let page = std::fs::read_to_string(folder.path().join("index.html")).unwrap();
        assert!(page.contains("Not reached: it took too long"), "{page}");
    }
}
