//! The keyboard alone: keys go to the window system, as from a person's hands, and not to an element.

use std::time::Duration;

use anyhow::{Result, bail};

use super::{BLINK, Window, screen};
use crate::within;

/// Longest wait for the focus.
const LIMIT: Duration = Duration::from_secs(10);

/// More stops than any screen has.
const MOST_STOPS: usize = 120;

impl Window {
    /// Lets the window have the keys, as a click on its title bar does.
    ///
    /// # Errors
    /// When it is not on the screen.
    pub async fn focus(&self) -> Result<()> {
        screen::xdotool(&["windowactivate", "--sync", &screen::window().await?]).await
    }

    /// Waits until the element of this name has the focus.
    ///
    /// # Errors
    /// When it does not get it.
    pub async fn has_focus(&self, name: &str) -> Result<()> {
        let has_focus = async || anyhow::Ok((self.focused().await? == name).then_some(()));
        if within(LIMIT, BLINK, has_focus).await?.is_none() {
            bail!("“{name}” has not got the focus; “{}” has", self.focused().await?);
        }
        Ok(())
    }

    /// Presses a key or a chord, by the names of the X window system: `Tab`, `Return`, `ctrl+k`.
    ///
    /// # Errors
    /// When it cannot be pressed.
    pub async fn key(&self, chord: &str) -> Result<()> {
        screen::xdotool(&["key", "--clearmodifiers", chord]).await?;
        self.settle().await
    }

    /// Types into whatever has the focus.
    ///
    /// # Errors
    /// When it cannot be typed.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        screen::xdotool(&["type", "--clearmodifiers", "--delay", "5", text]).await?;
        self.settle().await
    }

    /// What a screen reader would call the element with the focus.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn focused(&self) -> Result<String> {
        let script = "const one = document.activeElement;
            const words = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
            return one.getAttribute('aria-label') || words(one.labels?.[0])
                || words(document.getElementById(one.getAttribute('aria-labelledby'))) || words(one);";
        Ok(self.ask_page(script).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Walks with Tab until the element of this name has the focus.
    ///
    /// # Errors
    /// When the walk does not come by it.
    pub async fn tab_to(&self, name: &str) -> Result<()> {
        let mut stops = Vec::new();
        for _ in 0..MOST_STOPS {
            let focused = self.focused().await?;
            if focused == name {
                return Ok(());
            }
            stops.push(focused);
            self.key("Tab").await?;
        }
        bail!("“{name}” is not reached by Tab; these are: {}", stops.join(" | "))
    }
}
