//! Looks of a page: light and dark, in a wide and a small window, at 100% and 200%, and in each language.

use std::time::Duration;

use anyhow::{Context, Result};
use steward_testkit::find_within;
use steward_testkit::window::Window;

const WIDE: (u32, u32) = (1280, 800);
const SMALL: (u32, u32) = (900, 600);

pub(crate) struct Appearance {
    pub(crate) name: &'static str,
    size: (u32, u32),
    zoom: u32,
    dark: bool,
    language: &'static str,
}

/// All appearances. Stops are reached in the first one. Sorted so that as little as possible changes from one to the next:
/// another theme is an attribute, another size or zoom draws the whole window again.
pub(crate) const APPEARANCES: [Appearance; 12] = [
    Appearance { name: "light", size: WIDE, zoom: 100, dark: false, language: "en" },
    Appearance { name: "dark", size: WIDE, zoom: 100, dark: true, language: "en" },
    Appearance { name: "dark-200", size: WIDE, zoom: 200, dark: true, language: "en" },
    Appearance { name: "light-200", size: WIDE, zoom: 200, dark: false, language: "en" },
    Appearance { name: "small-light-200", size: SMALL, zoom: 200, dark: false, language: "en" },
    Appearance { name: "small-dark-200", size: SMALL, zoom: 200, dark: true, language: "en" },
    Appearance { name: "small-dark", size: SMALL, zoom: 100, dark: true, language: "en" },
    Appearance { name: "small-light", size: SMALL, zoom: 100, dark: false, language: "en" },
    // A text that fits in English might not fit in another language.
    Appearance { name: "small-light-es", size: SMALL, zoom: 100, dark: false, language: "es" },
    Appearance { name: "small-dark-de", size: SMALL, zoom: 100, dark: true, language: "de" },
    Appearance { name: "dark-es", size: WIDE, zoom: 100, dark: true, language: "es" },
    Appearance { name: "light-de", size: WIDE, zoom: 100, dark: false, language: "de" },
];

impl Appearance {
    /// Applies the appearance to the window without pressing anything, so that an open dialog or menu stays open.
    pub(crate) async fn wear(&self, window: &Window) -> Result<()> {
        let (width, height) = self.size;
        window.resize(width, height).await?;
        let Self { zoom, dark, .. } = *self;
        // The program sets the zoom when it saves the preferences; the theme is an attribute of the page.
        window
            .ask_page(&format!(
                "const invoke = window.__TAURI_INTERNALS__.invoke;
                 invoke('preferences').then(({{ preferences }}) => preferences.zoom === {zoom} ? null :
                     invoke('save_preferences', {{ preferences: {{ ...preferences, zoom: {zoom} }}, proxyPassword: null }}));
                 document.documentElement.dataset.mantineColorScheme = {dark} ? 'dark' : 'light';"
            ))
            .await?;
        // The window changes its size after the request, when the window manager processes it.
        let wide = u64::from(width * 100 / zoom);
        let is_wide = async || {
            let now = window.ask_page("return window.innerWidth").await?.as_u64().unwrap_or_default();
            anyhow::Ok((now.abs_diff(wide) < 3).then_some(()))
        };
        let sized = find_within(Duration::from_secs(30), Duration::from_millis(50), is_wide).await?;
        sized.with_context(|| format!("the window does not become {wide} pixels wide"))?;
        self.speak(window).await?;
        // With zoom, only a part of the page is visible. The part that the stop shows has the focus.
        window
            .ask_page(
                "const part = document.activeElement;
                 part.scrollIntoView({ block: part.offsetHeight > window.innerHeight ? 'start' : 'nearest' });",
            )
            .await?;
        window.settle().await
    }

    /// Changes the language with the function that the settings of the page use. Pressing it there would leave the
    /// page.
    async fn speak(&self, window: &Window) -> Result<()> {
        let language = self.language;
        window
            .ask_page(&format!(
                "if (document.documentElement.lang === '{language}') return;
                 const root = document.querySelector('#root');
                 const find = (fiber) => {{
                     const held = fiber?.memoizedProps?.value;
                     if (held?.change && held?.preferences) return held;
                     return fiber ? (find(fiber.child) ?? find(fiber.sibling)) : null;
                 }};
                 const top = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
                 find(root[top]).change({{ language: '{language}' }});"
            ))
            .await?;
        window.wait_until(&format!("return document.documentElement.lang === '{language}'")).await
    }
}
