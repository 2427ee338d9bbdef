//! Input from keyboard and mouse: it is sent to the window system, as the devices do, and not to an element.

use std::time::Duration;

use anyhow::{Result, bail};

use super::waiting::BLINK;
use super::{Window, screen};
use crate::find_within;

/// Time limit for the focus.
const LIMIT: Duration = Duration::from_secs(10);

/// Number of Tab stops, more than any page has.
const MOST_STOPS: usize = 120;

impl Window {
    /// Activates the window, as a click on its title bar does.
    ///
    /// # Errors
    /// Returns an error if the window is not on the screen.
    pub async fn focus(&self) -> Result<()> {
        screen::xdotool(&["windowactivate", "--sync", &screen::window().await?]).await
    }

    /// Waits until the element with this name has the focus.
    ///
    /// # Errors
    /// Returns an error with the focused element if it is still another one after 10 seconds.
    pub async fn has_focus(&self, name: &str) -> Result<()> {
        let has_focus = async || anyhow::Ok((self.focused().await? == name).then_some(()));
        if find_within(LIMIT, BLINK, has_focus).await?.is_none() {
            bail!("“{name}” has not got the focus; “{}” has", self.focused().await?);
        }
        Ok(())
    }

    /// Presses a key or a chord, by the names of the X window system: `Tab`, `Return`, `ctrl+k`.
    ///
    /// # Errors
    /// Returns an error if the key cannot be sent.
    pub async fn key(&self, chord: &str) -> Result<()> {
        screen::xdotool(&["key", "--clearmodifiers", chord]).await?;
        self.settle().await
    }

    /// Presses a button of the mouse in the middle of the window, by the numbers of the X window system: 8 is Back, and 9 is
    /// Forward.
    ///
    /// # Errors
    /// Returns an error if the window is not on the screen.
    pub async fn press_mouse(&self, button: u8) -> Result<()> {
        let area = self.area().await?;
        let [x, y] = [area.x + area.width / 2, area.y + area.height / 2].map(|place| place.to_string());
        screen::xdotool(&["mousemove", &x, &y, "click", &button.to_string()]).await?;
        self.settle().await
    }

    /// Types text into the focused element.
    ///
    /// # Errors
    /// Returns an error if the keys cannot be sent.
    pub async fn type_text(&self, text: &str) -> Result<()> {
        screen::xdotool(&["type", "--clearmodifiers", "--delay", "5", text]).await?;
        self.settle().await
    }

    /// Returns the accessible name of the focused element.
    ///
    /// # Errors
    /// Returns an error if the script cannot run in the page.
    pub async fn focused(&self) -> Result<String> {
        let script = "const one = document.activeElement;
            const words = (node) => (node?.textContent ?? '').replace(/\\s+/g, ' ').trim();
            return one.getAttribute('aria-label') || words(one.labels?.[0])
                || words(document.getElementById(one.getAttribute('aria-labelledby'))) || words(one);";
        Ok(self.ask_page(script).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Presses Tab until the element with this name has the focus.
    ///
    /// # Errors
    /// Returns an error with all stops if the element is not among them.
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
