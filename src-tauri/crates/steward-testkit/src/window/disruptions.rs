//! What happens to a window from outside: the page is loaded again, somebody closes it, the program is killed.

use anyhow::{Context, Result};
use tokio::process::Command;

use super::{Window, screen};

impl Window {
    /// Loads the page again, as a web view does after a crash of its own.
    ///
    /// # Errors
    /// When it stays empty afterwards.
    pub async fn reload(&self) -> Result<()> {
        let violations = self.policy_violations().await?;
        self.page.refresh().await?;
        self.see_any("//h1").await.context("the window stays empty after it was loaded again")?;
        self.watch_policy(&violations).await
    }

    /// Closes the window as its title bar does; the program may ask first.
    ///
    /// # Errors
    /// When there is no window.
    pub async fn ask_to_close(&self) -> Result<()> {
        screen::xdotool(&["windowactivate", "--sync", &screen::window().await?]).await?;
        screen::xdotool(&["key", "--clearmodifiers", "alt+F4"]).await
    }

    /// Waits until the program has ended by itself.
    ///
    /// # Errors
    /// When its window stays.
    pub async fn gone(self) -> Result<()> {
        screen::wait_until_gone().await
    }

    /// Kills the program, as a power cut would.
    ///
    /// # Errors
    /// When there is no program, or it lives on.
    pub async fn kill(self) -> Result<()> {
        let process = screen::process().await?;
        Command::new("kill").args(["-KILL", &process]).status().await?;
        screen::wait_until_gone().await
    }
}
