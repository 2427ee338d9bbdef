//! Accessibility check of the real window with axe-core, including colors.

use anyhow::{Context, Result};

use super::Window;

/// Path of axe-core, which is installed with the front end. Its component tests use it too.
const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/node_modules/axe-core/axe.min.js");

/// Script that runs axe and returns one text for each finding. Hidden elements are not checked. Enables the rule for
/// the size of targets, which axe leaves out by default. Hides frames that only decorate the window meanwhile, because
/// axe does not check the contrast of anything below them.
const LOOK: &str = "const done = arguments[0];
    const frames = [...document.querySelectorAll('[aria-hidden=true]')].filter((one) => {
        const { position, pointerEvents } = getComputedStyle(one);
        return position === 'fixed' && pointerEvents === 'none';
    });
    const show = (display) => frames.forEach((frame) => { frame.style.display = display });
    const options = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };
    show('none');
    window.axe.run(document, options).finally(() => show('')).then(
        ({ violations }) => done(violations.flatMap(({ id, help, nodes }) =>
            nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary}`))),
        (error) => done([`axe failed: ${error}`]));";

impl Window {
    /// Returns the findings of axe on the current page. Empty if there are none.
    ///
    /// # Errors
    /// Returns an error if axe is not installed, or a script cannot run in the page.
    pub async fn axe_findings(&self) -> Result<Vec<String>> {
        self.settle().await?;
        if self.ask_page("return window.axe === undefined").await? == true {
            let axe = std::fs::read_to_string(AXE).context("axe-core is missing; run `npm ci` in ui/")?;
            self.ask_page(&axe).await?;
        }
        let found = self.page.execute_async(LOOK, Vec::new()).await?;
        Ok(serde_json::from_value(found.json().clone())?)
    }
}
