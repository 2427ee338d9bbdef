//! Events from outside the window: the page is loaded again, the window is closed, the program is killed.

use anyhow::{Context, Result};
use tokio::process::Command;

use super::{Window, screen};

impl Window {
    /// Loads the page again, as a web view does after a crash.
    ///
    /// # Errors
    /// Returns an error if the page stays empty.
    pub async fn reload(&self) -> Result<()> {
        let violations = self.policy_violations().await?;
        self.page.refresh().await?;
        self.see_any("//h1").await.context("the window stays empty after it was loaded again")?;
        self.watch_policy(&violations).await
    }

    /// Closes the window as its title bar does. The program can show a confirmation first.
    ///
    /// # Errors
    /// Returns an error if there is no window.
    pub async fn ask_to_close(&self) -> Result<()> {
        screen::xdotool(&["windowactivate", "--sync", &screen::window().await?]).await?;
        screen::xdotool(&["key", "--clearmodifiers", "alt+F4"]).await
    }

    /// Waits until the program has ended.
    ///
    /// # Errors
    /// Returns an error if its window stays on the screen.
    pub async fn gone(self) -> Result<()> {
        screen::wait_until_gone().await
    }

    /// Kills the program, as a power failure would.
    ///
    /// # Errors
    /// Returns an error if there is no program, or if it does not end.
    pub async fn kill(self) -> Result<()> {
        let process = screen::process().await?;
        Command::new("kill").args(["-KILL", &process]).status().await?;
        screen::wait_until_gone().await
    }
}
