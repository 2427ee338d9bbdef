//! What axe-core finds wrong in the real window, colours included.

use anyhow::{Context, Result};

use super::Window;

/// Installed with the front end, whose component tests use it too.
const AXE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/node_modules/axe-core/axe.min.js");

/// Told in words that say where to look; what is hidden from everybody is not looked at. Targets that are too small for
/// a finger are looked for as well: axe leaves that out unless it is asked. A frame that lies over the window for the eye
/// alone is taken away meanwhile, because axe judges no colour that something lies over.
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
    /// What axe finds wrong on the screen as it stands; empty when all is well.
    ///
    /// # Errors
    /// When axe is not installed, or the page cannot be asked.
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
