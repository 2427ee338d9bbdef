//! The real window, driven: the program is started by WebKit's own driver, and found by what a person or a screen
//! reader would find it by.

mod axe;
mod desktop;
mod disruptions;
mod driver;
mod keyboard;
mod operations;
mod screen;
mod tab_order;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

use driver::Driver;
pub use screen::{
    ScreenRegion, answer_open_dialog, answer_print_dialog, answer_save_dialog, dismiss_dialog, first_ground,
};

use crate::within;

/// How long the window may take to show what is awaited. A debug build on a busy machine needs some.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often it is looked at meanwhile.
const BLINK: Duration = Duration::from_millis(100);

/// The program's window.
pub struct Window {
    page: WebDriver,
    // After the page: the driver must outlive it.
    _driver: Driver,
}

/// Where the program under test is, and where it may keep its files.
#[derive(Debug, Clone)]
pub struct Program {
    /// The built program.
    pub binary: PathBuf,
    /// Stands for the person's data folder.
    pub data: PathBuf,
    /// Words that follow its name when it is started.
    pub arguments: Vec<String>,
    /// Variables that differ from ours.
    pub environment: Vec<(&'static str, &'static str)>,
}

impl Program {
    /// The program whose path is in `STEWARD_APP`, with files of its own in `data`.
    ///
    /// # Errors
    /// When the variable is not set: the journeys are started by `cargo xtask test`.
    pub fn from_environment(data: &Path) -> Result<Self> {
        let binary = std::env::var_os("STEWARD_APP").context(
            "STEWARD_APP names no program; start the journeys with `cargo xtask test --only journeys`",
        )?;
        Ok(Self::new(binary, data))
    }

    /// A program with files of its own in `data`.
    pub fn new(binary: impl Into<PathBuf>, data: impl Into<PathBuf>) -> Self {
        Self { binary: binary.into(), data: data.into(), arguments: Vec::new(), environment: Vec::new() }
    }

    /// Where the program keeps its files.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.data.join("org.sitesteward.desktop")
    }
}

impl Window {
    /// Starts the program and waits for its first screen.
    ///
    /// # Errors
    /// When the program does not start or shows nothing.
    pub async fn open(program: &Program) -> Result<Self> {
        let driver = Driver::start(program).await?;
        let mut capabilities = Capabilities::new();
        let browser = serde_json::json!({ "binary": program.binary, "args": program.arguments });
        capabilities.set("webkitgtk:browserOptions", browser)?;
        let page = WebDriver::new(driver.address(), capabilities)
            .await
            .with_context(|| format!("{} could not be started", program.binary.display()))?;
        let window = Self { page, _driver: driver };
        window.see_any("//h1").await.context("the window stays empty")?;
        window.watch_policy(&serde_json::json!([])).await?;
        Ok(window)
    }

    /// Closes the window and waits for the program to end. No journey may have broken the content security policy.
    ///
    /// # Errors
    /// When the driver has lost the program, or a rule was broken.
    pub async fn close(self) -> Result<()> {
        let violations = self.policy_violations().await?;
        self.page.clone().quit().await?;
        ensure!(violations == serde_json::json!([]), "the content security policy was broken: {violations}");
        Ok(())
    }

    /// Presses a button, tab or link by its name.
    ///
    /// # Errors
    /// When there is none, or it stays disabled.
    pub async fn press(&self, name: &str) -> Result<()> {
        let quoted = quote(name);
        // The number beside a link is no part of its name.
        let unnamed = "normalize-space(.//*[@aria-hidden='true'][normalize-space(.)])";
        let named = format!("normalize-space(.)={quoted} or normalize-space(.)=concat({quoted}, {unnamed})");
        let path = format!(
            "//*[self::button or self::a or @role='button' or @role='option' or @role='menuitem' or @role='tab']\
             [not(@disabled)][@aria-label={quoted} or (not(@aria-label) and ({named}))]"
        );
        self.press_at(&path).await.with_context(|| format!("there is no button “{name}” to press"))
    }

    /// Chooses an option of a group by its label, as in a row of alternatives or a check box.
    ///
    /// # Errors
    /// When there is none.
    pub async fn choose(&self, label: &str) -> Result<()> {
        let quoted = quote(label);
        self.press_at(&format!("//label[normalize-space(.)={quoted}] | //input[@aria-label={quoted}]"))
            .await
            .with_context(|| format!("there is no choice “{label}”"))
    }

    /// Presses what an `XPath` finds.
    ///
    /// # Errors
    /// When it finds nothing that can be pressed.
    pub async fn press_at(&self, path: &str) -> Result<()> {
        // What was found may be drawn anew before it is pressed; then it is looked for again.
        for _ in 0..20 {
            let element = self.see_any(path).await?;
            element.scroll_into_view().await.ok();
            let pressed = match self.hold_still(&element).await {
                Ok(()) => element.click().await,
                Err(error) => Err(error),
            };
            match pressed {
                Ok(()) => return Ok(()),
                Err(error) if passes_by_itself(&error) => tokio::time::sleep(BLINK).await,
                Err(error) => return Err(error.into()),
            }
        }
        bail!("it cannot be pressed: something lies over it, or it is drawn again and again")
    }

    /// Waits until an element stands where it will stay and nothing lies over it. A dialog that slides in is
    /// pressed where it was, otherwise, and not where it is.
    async fn hold_still(&self, element: &WebElement) -> WebDriverResult<()> {
        // A busy machine draws the first frames of a movement late: they look alike, and the movement is known already.
        let script = "const [element, done] = arguments;
            let before = '';
            let frames = 0;
            let alike = 0;
            const moves = () => document.getAnimations().some(({ playState, effect }) =>
                playState === 'running' && effect?.target?.contains(element));
            const look = () => {
                const box = element.getBoundingClientRect();
                const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
                const now = `${box.x} ${box.y} ${box.width} ${box.height}`;
                const free = top && (element.contains(top) || top.contains(element));
                alike = free && now === before && !moves() ? alike + 1 : 0;
                if (alike > 2 || frames > 300) return done(null);
                before = now;
                frames += 1;
                requestAnimationFrame(look);
            };
            look();";
        self.page.execute_async(script, vec![element.to_json()?]).await?;
        Ok(())
    }

    /// Fills in a field by its label, in the place of what was there.
    ///
    /// # Errors
    /// When there is no such field.
    pub async fn fill(&self, label: &str, text: &str) -> Result<()> {
        let field = self.field(label).await?;
        field.click().await.ok();
        field.send_keys(Key::Control + "a").await?;
        field.send_keys(Key::Delete + "").await?;
        if !text.is_empty() {
            field.send_keys(text).await?;
        }
        Ok(())
    }

    /// What stands in a field.
    ///
    /// # Errors
    /// When there is no such field.
    pub async fn value(&self, label: &str) -> Result<String> {
        Ok(self.field(label).await?.prop("value").await?.unwrap_or_default())
    }

    /// Picks an option from the list of a field.
    ///
    /// # Errors
    /// When there is no such field or option.
    pub async fn pick(&self, label: &str, option: &str) -> Result<()> {
        self.settle().await?;
        let field = self.field(label).await?;
        field.scroll_into_view().await.ok();
        field.click().await?;
        // Lists that are closed keep their options, unseen.
        let open = "//*[@role='listbox'][not(ancestor-or-self::*[contains(@style, 'display: none')])]";
        self.press_at(&format!("{open}//*[@role='option'][normalize-space(.)={}]", quote(option)))
            .await
            .with_context(|| format!("“{label}” has no option “{option}”"))
    }

    /// Waits until this text is shown.
    ///
    /// # Errors
    /// When it does not appear.
    pub async fn see(&self, text: &str) -> Result<()> {
        let quoted = quote(text);
        // A path or an address is several texts, with places between them where a line may end.
        let path = format!(
            "//*[not(self::script or self::style)]/text()[contains(., {quoted})]/.. | //*[wbr][contains(., {quoted})]"
        );
        self.see_any(&path).await.map(drop).with_context(|| format!("“{text}” is not shown"))
    }

    /// Waits until this text is shown no longer.
    ///
    /// # Errors
    /// When it stays.
    pub async fn see_none(&self, text: &str) -> Result<()> {
        let quoted = serde_json::to_string(text)?;
        self.wait_until(&format!("return !document.body.innerText.includes({quoted})"))
            .await
            .with_context(|| format!("“{text}” is still shown"))
    }

    /// Waits until a script answers `true`.
    ///
    /// # Errors
    /// When it does not.
    pub async fn wait_until(&self, script: &str) -> Result<()> {
        let is_true = async || anyhow::Ok((self.ask_page(script).await? == true).then_some(()));
        let waited = within(PATIENCE, BLINK, is_true).await?;
        waited.with_context(|| format!("this does not become true: {script}"))
    }

    /// Waits until an `XPath` finds something that is shown.
    ///
    /// # Errors
    /// When it does not.
    pub async fn see_any(&self, path: &str) -> Result<WebElement> {
        // The driver's own idea of what is shown leaves out texts that are cut with an ellipsis.
        let script = "const found = document.evaluate(arguments[0], document, null, 7, null);
            for (let index = 0; index < found.snapshotLength; index += 1) {
                const element = found.snapshotItem(index);
                if (element.checkVisibility({ visibilityProperty: true })) return element;
            }
            return null;";
        let find = async || {
            let answer = self.page.execute(script, vec![path.into()]).await?;
            anyhow::Ok(if answer.json().is_null() { None } else { Some(answer.element()?) })
        };
        if let Some(element) = within(PATIENCE, BLINK, find).await? {
            return Ok(element);
        }
        let shown = self.page.find(By::Tag("body")).await?.text().await?;
        bail!("nothing that is shown is found at {path}. The window shows:\n{shown}");
    }

    /// Takes a picture of the window as it stands on the screen. The driver's own pictures never come where WebKit
    /// draws without a graphics card.
    ///
    /// # Errors
    /// When it cannot be taken.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        screen::picture(file).await
    }

    /// Makes the window another size. The screen's pointer and the driver's go to its corner: where they were, something
    /// else stands then, whose tooltip nobody wants.
    ///
    /// # Errors
    /// When the driver cannot.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.page.set_window_rect(0, 0, width, height).await?;
        screen::xdotool(&["mousemove", "0", "0"]).await?;
        Ok(self.page.action_chain().move_to(1, 1).perform().await?)
    }

    /// Waits until nothing moves any more: fades and slides have ended and the page has been drawn since.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn settle(&self) -> Result<()> {
        let script = "const done = arguments[0];
            const running = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
            Promise.allSettled(running.map((one) => one.finished))
                .then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(null))));";
        self.page.execute_async(script, Vec::new()).await?;
        Ok(())
    }

    /// Runs a script in the page; for what no person does, such as looking for broken rules.
    ///
    /// # Errors
    /// When the script fails.
    pub async fn ask_page(&self, script: &str) -> Result<serde_json::Value> {
        Ok(self.page.execute(script, Vec::new()).await?.json().clone())
    }

    /// The same for a script that answers later, through the function that is its last argument.
    ///
    /// # Errors
    /// When the script fails.
    pub async fn ask_page_later(&self, script: &str) -> Result<serde_json::Value> {
        Ok(self.page.execute_async(script, Vec::new()).await?.json().clone())
    }

    /// Violations of the content security policy since the window was opened, loaded again or not.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn policy_violations(&self) -> Result<serde_json::Value> {
        self.ask_page("return window.policyViolations").await
    }

    /// Collects violations, after those of `before`: a page that is loaded again has forgotten them.
    async fn watch_policy(&self, before: &serde_json::Value) -> Result<()> {
        self.ask_page(&format!(
            "window.policyViolations = {before};
             document.addEventListener('securitypolicyviolation', (event) => {{
                 window.policyViolations.push(`${{event.violatedDirective}}: ${{event.blockedURI}}`);
             }});"
        ))
        .await
        .map(drop)
    }

    async fn field(&self, label: &str) -> Result<WebElement> {
        let quoted = quote(label);
        let path = format!(
            "//*[self::input or self::textarea][@aria-label={quoted} or \
             @id=//label[normalize-space(text())={quoted}]/@for]"
        );
        self.see_any(&path).await.with_context(|| format!("there is no field “{label}”"))
    }
}

impl Drop for Window {
    /// A journey that failed ends at once. The library would ask the driver for a farewell that never comes, because
    /// it holds up the thread that would carry it.
    fn drop(&mut self) {
        // It has said farewell already when the window was closed.
        self.page.clone().leak().ok();
    }
}

/// Reads a driver's refusal: something that is about to change.
fn passes_by_itself(error: &WebDriverError) -> bool {
    matches!(
        &**error,
        WebDriverErrorInner::StaleElementReference(_)
            | WebDriverErrorInner::ElementClickIntercepted(_)
            | WebDriverErrorInner::ElementNotInteractable(_)
    )
}

/// A text as `XPath` writes it. It knows no escapes, so a text with both kinds of quotes is put together.
fn quote(text: &str) -> String {
    if text.contains('"') {
        let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
        return format!("concat({}, '')", parts.join(", '\"', "));
    }
    format!("\"{text}\"")
}
