//! How a screen is looked at: light and dark, in a wide window and in a small one, at its size and at twice that, and in
//! each language.

use std::time::Duration;

use anyhow::{Context, Result};
use steward_testkit::window::Window;
use steward_testkit::within;

const WIDE: (u32, u32) = (1280, 800);
const SMALL: (u32, u32) = (900, 600);

pub(crate) struct Look {
    pub(crate) name: &'static str,
    size: (u32, u32),
    zoom: u32,
    dark: bool,
    language: &'static str,
}

/// The first is the one that a stop is made in. They follow each other so that as little as can be changes between two:
/// another theme is an attribute, another size or zoom draws the whole window anew.
pub(crate) const LOOKS: [Look; 12] = [
    Look { name: "light", size: WIDE, zoom: 100, dark: false, language: "en" },
    Look { name: "dark", size: WIDE, zoom: 100, dark: true, language: "en" },
    Look { name: "dark-200", size: WIDE, zoom: 200, dark: true, language: "en" },
    Look { name: "light-200", size: WIDE, zoom: 200, dark: false, language: "en" },
    Look { name: "small-light-200", size: SMALL, zoom: 200, dark: false, language: "en" },
    Look { name: "small-dark-200", size: SMALL, zoom: 200, dark: true, language: "en" },
    Look { name: "small-dark", size: SMALL, zoom: 100, dark: true, language: "en" },
    Look { name: "small-light", size: SMALL, zoom: 100, dark: false, language: "en" },
    // What fits in English may not fit in another language.
    Look { name: "small-light-es", size: SMALL, zoom: 100, dark: false, language: "es" },
    Look { name: "small-dark-de", size: SMALL, zoom: 100, dark: true, language: "de" },
    Look { name: "dark-es", size: WIDE, zoom: 100, dark: true, language: "es" },
    Look { name: "light-de", size: WIDE, zoom: 100, dark: false, language: "de" },
];

impl Look {
    /// Makes the window look so. Nothing is pressed for it: a dialog or a menu that is open stays open.
    pub(crate) async fn wear(&self, window: &Window) -> Result<()> {
        let (width, height) = self.size;
        window.resize(width, height).await?;
        let Self { zoom, dark, .. } = *self;
        // The program sets the zoom when it keeps the preferences; the theme is an attribute of the page.
        window
            .ask_page(&format!(
                "const invoke = window.__TAURI_INTERNALS__.invoke;
                 invoke('preferences').then(({{ preferences }}) => preferences.zoom === {zoom} ? null :
                     invoke('save_preferences', {{ preferences: {{ ...preferences, zoom: {zoom} }}, proxyPassword: null }}));
                 document.documentElement.dataset.mantineColorScheme = {dark} ? 'dark' : 'light';"
            ))
            .await?;
        // A window changes its size when the desktop comes to it.
        let wide = u64::from(width * 100 / zoom);
        let is_wide = async || {
            let now = window.ask_page("return window.innerWidth").await?.as_u64().unwrap_or_default();
            anyhow::Ok((now.abs_diff(wide) < 3).then_some(()))
        };
        let sized = within(Duration::from_secs(30), Duration::from_millis(50), is_wide).await?;
        sized.with_context(|| format!("the window does not become {wide} pixels wide"))?;
        self.speak(window).await?;
        // Zoomed, little of a page is in sight: the part that the stop is about has the focus.
        window
            .ask_page(
                "const part = document.activeElement;
                 part.scrollIntoView({ block: part.offsetHeight > window.innerHeight ? 'start' : 'nearest' });",
            )
            .await?;
        window.settle().await
    }

    /// Chooses the language as the page's own settings do. To press it there would leave the screen.
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
