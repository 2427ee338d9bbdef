//! The window as seen by the desktop: title, position, background color, and whether it is minimized.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::waiting::BLINK;
use super::{Window, screen};
use crate::find_within;

/// Time limit for the window manager to move a window.
const LIMIT: Duration = Duration::from_secs(10);

impl Window {
    /// Returns the title of the window.
    ///
    /// # Errors
    /// Returns an error if the window is not on the screen.
    pub async fn title(&self) -> Result<String> {
        Ok(screen::answer(&["getwindowname", &screen::window().await?]).await?.trim().to_owned())
    }

    /// Waits until the window has this title.
    ///
    /// # Errors
    /// Returns an error with the title if it is still another one after 10 seconds.
    pub async fn is_called(&self, title: &str) -> Result<()> {
        let is_called = async || anyhow::Ok((self.title().await? == title).then_some(()));
        if find_within(LIMIT, BLINK, is_called).await?.is_none() {
            bail!("the window is called “{}”, not “{title}”", self.title().await?);
        }
        Ok(())
    }

    /// Returns the position and size of the window.
    ///
    /// # Errors
    /// Returns an error if the window is not on the screen.
    pub async fn area(&self) -> Result<screen::ScreenRegion> {
        screen::area().await
    }

    /// Moves and resizes the window, and returns its position and size. The frame needs space, so the position differs
    /// slightly from the requested one.
    ///
    /// # Errors
    /// Returns an error if the window does not move.
    pub async fn put(&self, place: (i32, i32), size: (i32, i32)) -> Result<screen::ScreenRegion> {
        let window = screen::window().await?;
        let before = self.area().await?;
        let [x, y, width, height] = [place.0, place.1, size.0, size.1].map(|number| number.to_string());
        screen::xdotool(&["windowsize", &window, &width, &height]).await?;
        screen::xdotool(&["windowmove", &window, &x, &y]).await?;
        let mut last = before;
        let rests = async || {
            let now = self.area().await?;
            let is_moved = (now.x, now.y) != (before.x, before.y) && (now.width, now.height) == size;
            let is_still = std::mem::replace(&mut last, now) == now;
            anyhow::Ok((is_moved && is_still).then_some(now))
        };
        let area = find_within(LIMIT, BLINK, rests).await?;
        area.with_context(|| format!("the window is at {last:?}, where nobody put it"))
    }

    /// Waits until the window has this position and size.
    ///
    /// # Errors
    /// Returns an error if it still has others after 10 seconds.
    pub async fn is_at(&self, area: screen::ScreenRegion) -> Result<()> {
        let is_at = async || anyhow::Ok((self.area().await? == area).then_some(()));
        if find_within(LIMIT, BLINK, is_at).await?.is_none() {
            bail!("the window is at {:?}, not at {area:?}", self.area().await?);
        }
        Ok(())
    }

    /// Returns the background color of the window, for example `#242424`.
    ///
    /// # Errors
    /// Returns an error if the color cannot be read.
    pub async fn ground(&self) -> Result<String> {
        self.settle().await?;
        screen::ground().await
    }

    /// Minimizes the window.
    ///
    /// # Errors
    /// Returns an error if the window stays on the screen.
    pub async fn put_away(&self) -> Result<()> {
        screen::xdotool(&["windowminimize", &screen::window().await?]).await?;
        screen::wait_until_gone().await
    }
}
