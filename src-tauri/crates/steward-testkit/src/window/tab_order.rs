//! Tab order: every visible control must be a stop, or in a group with one.

use anyhow::Result;

use super::Window;

/// Number of Tab stops, more than any page has.
const MOST_STOPS: usize = 150;

/// Script that returns the controls of the page that must be a stop. Controls inside a group with arrow keys are left
/// out, and so are those that are hidden from screen readers because they repeat another one.
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

/// Script that stores the focused element, and returns whether it was stored before.
const STOP: &str = "window.stops ??= new Set();
    const one = document.activeElement;
    if (!one || one === document.body) return false;
    const again = window.stops.has(one);
    window.stops.add(one);
    return again && window.stops.size > 1;";

impl Window {
    /// Presses Tab until the focus is back at an earlier stop, and returns the HTML of the controls that were no stop.
    ///
    /// # Errors
    /// Returns an error if a key cannot be sent, or a script cannot run in the page.
    pub async fn controls_without_tab(&self) -> Result<Vec<String>> {
        self.settle().await?;
        self.ask_page("window.stops = new Set(); document.activeElement?.blur?.()").await?;
        for _ in 0..MOST_STOPS {
            self.key("Tab").await?;
            if self.ask_page(STOP).await? == true {
                break;
            }
        }
        // A grid has one stop, at one of its rows.
        let missed = format!(
            "const stops = [...window.stops];
            const isStop = (one) => stops.some((stop) => stop === one || (one.role === 'grid' && one.contains(stop)));
            return {CONTROLS}.filter((one) => !isStop(one)).map((one) => one.outerHTML.slice(0, 200))"
        );
        Ok(serde_json::from_value(self.ask_page(&missed).await?)?)
    }
}
