//! Where Tab stops: every control that is shown has to be among them.

use anyhow::Result;

use super::Window;

/// More stops than any screen has.
const MOST_STOPS: usize = 150;

/// Controls of the page. One of a group that arrow keys walk through stands for all of them; what repeats a control
/// for the mouse is hidden from a screen reader.
const CONTROLS: &str = "(() => {
    const walked = '[role=grid] *, [role=listbox] *, [role=menu] *, [role=tablist] *, [aria-hidden=true] *, [aria-hidden=true]';
    const all = [...document.querySelectorAll('a[href], button, input, textarea, select, [role=button], [role=grid], [tabindex=\"0\"]')];
    const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.type !== 'hidden';
    const picked = (one) => one.type !== 'radio' || one.checked
        || !document.querySelector(`input[type=radio][name=\"${CSS.escape(one.name)}\"]:checked`);
    const first = (one) => one.type !== 'radio' || one.checked
        || document.querySelector(`input[type=radio][name=\"${CSS.escape(one.name)}\"]:not(:disabled)`) === one;
    return all.filter((one) => shown(one) && !one.matches(walked) && picked(one) && first(one));
})()";

/// Remembers where the focus is; answers whether it was there before.
const STOP: &str = "window.stops ??= new Set();
    const one = document.activeElement;
    if (!one || one === document.body) return false;
    const again = window.stops.has(one);
    window.stops.add(one);
    return again && window.stops.size > 1;";

impl Window {
    /// Walks through the page with Tab, once around, and tells the controls that it did not come by.
    ///
    /// # Errors
    /// When a key cannot be pressed or the page cannot be asked.
    pub async fn controls_without_tab(&self) -> Result<Vec<String>> {
        self.settle().await?;
        self.ask_page("window.stops = new Set(); document.activeElement?.blur?.()").await?;
        for _ in 0..MOST_STOPS {
            self.key("Tab").await?;
            if self.ask_page(STOP).await? == true {
                break;
            }
        }
        // Of a grid, Tab stops at a row.
        let missed = format!(
            "const stops = [...window.stops];
            const isStop = (one) => stops.some((stop) => stop === one || (one.role === 'grid' && one.contains(stop)));
            return {CONTROLS}.filter((one) => !isStop(one)).map((one) => one.outerHTML.slice(0, 200))"
        );
        Ok(serde_json::from_value(self.ask_page(&missed).await?)?)
    }
}
