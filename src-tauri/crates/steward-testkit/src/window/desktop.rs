//! The window as the desktop has it: its title, its place, its ground, and whether anybody looks at it.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::{BLINK, Window, screen};
use crate::within;

/// A window manager takes its time to move a window.
const LIMIT: Duration = Duration::from_secs(10);

impl Window {
    /// What the window system says it is called.
    ///
    /// # Errors
    /// When it is not on the screen.
    pub async fn title(&self) -> Result<String> {
        Ok(screen::answer(&["getwindowname", &screen::window().await?]).await?.trim().to_owned())
    }

    /// Waits until the window system says that it is called so.
    ///
    /// # Errors
    /// When it goes on being called something else.
    pub async fn is_called(&self, title: &str) -> Result<()> {
        let is_called = async || anyhow::Ok((self.title().await? == title).then_some(()));
        if within(LIMIT, BLINK, is_called).await?.is_none() {
            bail!("the window is called “{}”, not “{title}”", self.title().await?);
        }
        Ok(())
    }

    /// Where it is.
    ///
    /// # Errors
    /// When it is not on the screen.
    pub async fn area(&self) -> Result<screen::ScreenRegion> {
        screen::area().await
    }

    /// Moves it and gives it another size, as a person does by its frame; answers where it came to be. The frame takes its
    /// share, so that this is not quite the place that was asked for.
    ///
    /// # Errors
    /// When it stays where it was.
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
        let area = within(LIMIT, BLINK, rests).await?;
        area.with_context(|| format!("the window is at {last:?}, where nobody put it"))
    }

    /// Waits until it is there.
    ///
    /// # Errors
    /// When it goes on being elsewhere.
    pub async fn is_at(&self, area: screen::ScreenRegion) -> Result<()> {
        let is_at = async || anyhow::Ok((self.area().await? == area).then_some(()));
        if within(LIMIT, BLINK, is_at).await?.is_none() {
            bail!("the window is at {:?}, not at {area:?}", self.area().await?);
        }
        Ok(())
    }

    /// The colour of its ground, as in `#242424`.
    ///
    /// # Errors
    /// When it has none.
    pub async fn ground(&self) -> Result<String> {
        self.settle().await?;
        screen::ground().await
    }

    /// Puts it away into the task bar, where nobody looks at it.
    ///
    /// # Errors
    /// When it stays.
    pub async fn put_away(&self) -> Result<()> {
        screen::xdotool(&["windowminimize", &screen::window().await?]).await?;
        screen::wait_until_gone().await
    }
}
