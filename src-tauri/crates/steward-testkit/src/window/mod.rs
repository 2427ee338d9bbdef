//! The real window, driven by WebKit's driver.
//!
//! [`Window::open`] starts a [`Program`]. Elements are found by their visible or accessible name, as users and screen
//! readers find them.

mod axe;
mod desktop;
mod disruptions;
mod driver;
mod keyboard;
mod operations;
mod program;
mod screen;
mod tab_order;
mod waiting;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

use driver::Driver;
pub use program::Program;
pub use screen::{
    ScreenRegion, answer_open_dialog, answer_print_dialog, answer_save_dialog, dismiss_dialog, first_ground,
};

use waiting::{BLINK, PATIENCE};

use crate::find_within;

/// Window of the program.
pub struct Window {
    page: WebDriver,
    // After the page: the driver must be dropped last.
    _driver: Driver,
}

impl Window {
    /// Starts the program and waits for its first page.
    ///
    /// # Errors
    /// Returns an error if the program does not start, or its window stays empty.
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

    /// Closes the window and waits until the program ends. Fails if the content security policy was violated.
    ///
    /// # Errors
    /// Returns an error if the driver lost its connection to the program, or if the policy was violated.
    pub async fn close(self) -> Result<()> {
        let violations = self.policy_violations().await?;
        self.page.clone().quit().await?;
        ensure!(violations == serde_json::json!([]), "the content security policy was broken: {violations}");
        Ok(())
    }

    /// Presses a button, tab or link with this name.
    ///
    /// # Errors
    /// Returns an error if there is none, or if it stays unavailable.
    pub async fn press(&self, name: &str) -> Result<()> {
        let quoted = quote(name);
        // The number next to a link is not part of its name.
        let unnamed = "normalize-space(.//*[@aria-hidden='true'][normalize-space(.)])";
        let named = format!("normalize-space(.)={quoted} or normalize-space(.)=concat({quoted}, {unnamed})");
        let path = format!(
            "//*[self::button or self::a or @role='button' or @role='option' or @role='menuitem' or @role='tab']\
             [not(@disabled)][@aria-label={quoted} or (not(@aria-label) and ({named}))]"
        );
        self.press_at(&path).await.with_context(|| format!("there is no button “{name}” to press"))
    }

    /// Selects an option or a check box by its label.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub async fn choose(&self, label: &str) -> Result<()> {
        let quoted = quote(label);
        self.press_at(&format!("//label[normalize-space(.)={quoted}] | //input[@aria-label={quoted}]"))
            .await
            .with_context(|| format!("there is no choice “{label}”"))
    }

    /// Presses the element that an `XPath` finds.
    ///
    /// # Errors
    /// Returns an error if there is no such element, or if it cannot be pressed.
    pub async fn press_at(&self, path: &str) -> Result<()> {
        // The page can replace an element between finding and pressing it. Find it again then.
        for _ in 0..20 {
            let element = self.see_any(path).await?;
            element.scroll_into_view().await.ok();
            match self.press_once(&element).await {
                Ok(true) => return Ok(()),
                Err(error) if !passes_by_itself(&error) => return Err(error.into()),
                Ok(false) | Err(_) => tokio::time::sleep(BLINK).await,
            }
        }
        bail!("it cannot be pressed: something lies over it, or it is drawn again and again")
    }

    /// Presses an element, and returns whether it received the press. It does not if the page moves or replaces it while
    /// the driver is on its way.
    async fn press_once(&self, element: &WebElement) -> WebDriverResult<bool> {
        self.hold_still(element).await?;
        let listen = "window.stewardPressed = false;
            arguments[0].addEventListener('click', () => { window.stewardPressed = true; }, { once: true, capture: true });";
        self.page.execute(listen, vec![element.to_json()?]).await?;
        element.click().await?;
        // A window that was closed by it has no answer, and a page that was loaded again no mark.
        let received = self.page.execute("return window.stewardPressed !== false;", Vec::new()).await;
        received.map_or(Ok(true), |answer| answer.convert())
    }

    /// Waits until an element has its final position and is not covered. Without this, a dialog that slides in is
    /// pressed at its earlier position.
    async fn hold_still(&self, element: &WebElement) -> WebDriverResult<()> {
        // A busy computer draws the first frames of an animation late. They are equal, although the animation has
        // begun.
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

    /// Replaces the content of the field with this label.
    ///
    /// # Errors
    /// Returns an error if there is no such field.
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

    /// Returns the content of a field.
    ///
    /// # Errors
    /// Returns an error if there is no such field.
    pub async fn value(&self, label: &str) -> Result<String> {
        Ok(self.field(label).await?.prop("value").await?.unwrap_or_default())
    }

    /// Selects an option in the list of a field.
    ///
    /// # Errors
    /// Returns an error if there is no such field or option.
    pub async fn pick(&self, label: &str, option: &str) -> Result<()> {
        self.settle().await?;
        let field = self.field(label).await?;
        field.scroll_into_view().await.ok();
        field.click().await?;
        // Closed lists keep their options, hidden.
        let open = "//*[@role='listbox'][not(ancestor-or-self::*[contains(@style, 'display: none')])]";
        self.press_at(&format!("{open}//*[@role='option'][normalize-space(.)={}]", quote(option)))
            .await
            .with_context(|| format!("“{label}” has no option “{option}”"))
    }

    /// Waits until this text is visible.
    ///
    /// # Errors
    /// Returns an error if it does not appear within 30 seconds.
    pub async fn see(&self, text: &str) -> Result<()> {
        let quoted = quote(text);
        // A path or a URL consists of several texts with possible line breaks between them.
        let path = format!(
            "//*[not(self::script or self::style)]/text()[contains(., {quoted})]/.. | //*[wbr][contains(., {quoted})]"
        );
        self.see_any(&path).await.map(drop).with_context(|| format!("“{text}” is not shown"))
    }

    /// Waits until this text is no longer visible.
    ///
    /// # Errors
    /// Returns an error if it is still visible after 30 seconds.
    pub async fn see_none(&self, text: &str) -> Result<()> {
        let quoted = serde_json::to_string(text)?;
        self.wait_until(&format!("return !document.body.innerText.includes({quoted})"))
            .await
            .with_context(|| format!("“{text}” is still shown"))
    }

    /// Waits until a script returns `true`.
    ///
    /// # Errors
    /// Returns an error if it does not within 30 seconds.
    pub async fn wait_until(&self, script: &str) -> Result<()> {
        let is_true = async || anyhow::Ok((self.ask_page(script).await? == true).then_some(()));
        let waited = find_within(PATIENCE, BLINK, is_true).await?;
        waited.with_context(|| format!("this does not become true: {script}"))
    }

    /// Waits until an `XPath` finds a visible element, and returns it.
    ///
    /// # Errors
    /// Returns an error with the text of the page if it finds none within 30 seconds.
    pub async fn see_any(&self, path: &str) -> Result<WebElement> {
        // The driver does not count texts that are cut with an ellipsis as visible.
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
        if let Some(element) = find_within(PATIENCE, BLINK, find).await? {
            return Ok(element);
        }
        let shown = self.page.find(By::Tag("body")).await?.text().await?;
        // The text of a page lacks what stands in its fields.
        let values =
            "const fields = document.querySelectorAll('input:not([type=checkbox], [type=radio]), textarea');
            return Array.from(fields, ({ value }) => value).join(' · ');";
        let values = self.page.execute(values, Vec::new()).await?;
        let values = values.json();
        bail!(
            "nothing that is shown is found at {path}. The window shows:\n{shown}\nIts fields have: {values}"
        );
    }

    /// Takes a screenshot of the window. Those of the driver do not complete where WebKit draws without a graphics
    /// card.
    ///
    /// # Errors
    /// Returns an error if the screenshot cannot be taken.
    pub async fn picture(&self, file: &Path) -> Result<()> {
        screen::picture(file).await
    }

    /// Resizes the window. Moves the pointers of the screen and of the driver to its corner, because another element
    /// can be at their position afterward and would show its tooltip.
    ///
    /// # Errors
    /// Returns an error if the driver cannot resize the window.
    pub async fn resize(&self, width: u32, height: u32) -> Result<()> {
        self.page.set_window_rect(0, 0, width, height).await?;
        screen::xdotool(&["mousemove", "0", "0"]).await?;
        Ok(self.page.action_chain().move_to(1, 1).perform().await?)
    }

    /// Waits until all animations have ended and the page has been drawn since.
    ///
    /// # Errors
    /// Returns an error if the script cannot run in the page.
    pub async fn settle(&self) -> Result<()> {
        let script = "const done = arguments[0];
            const running = document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity);
            Promise.allSettled(running.map((one) => one.finished))
                .then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(null))));";
        self.page.execute_async(script, Vec::new()).await?;
        Ok(())
    }

    /// Runs a script in the page and returns its result. Use it for what users cannot do, such as reading violations.
    ///
    /// # Errors
    /// Returns an error if the script fails.
    pub async fn ask_page(&self, script: &str) -> Result<serde_json::Value> {
        Ok(self.page.execute(script, Vec::new()).await?.json().clone())
    }

    /// Runs a script that passes its result to the function in its last argument, and returns that.
    ///
    /// # Errors
    /// Returns an error if the script fails.
    pub async fn ask_page_later(&self, script: &str) -> Result<serde_json::Value> {
        Ok(self.page.execute_async(script, Vec::new()).await?.json().clone())
    }

    /// Returns the violations of the content security policy since the window was opened, including those before a
    /// reload.
    ///
    /// # Errors
    /// Returns an error if the script cannot run in the page.
    pub async fn policy_violations(&self) -> Result<serde_json::Value> {
        self.ask_page("return window.policyViolations").await
    }

    /// Collects violations, after those of `before`: a page that is loaded again starts without them.
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
    /// Drops the session without closing it. The library would wait for the driver's response on the thread that has to
    /// receive it.
    fn drop(&mut self) {
        // An error means that the session was closed with the window.
        self.page.clone().leak().ok();
    }
}

/// Returns whether an error of the driver is temporary, because the page is changing.
fn passes_by_itself(error: &WebDriverError) -> bool {
    matches!(
        &**error,
        WebDriverErrorInner::StaleElementReference(_)
            | WebDriverErrorInner::ElementClickIntercepted(_)
            | WebDriverErrorInner::ElementNotInteractable(_)
    )
}

/// Returns a text as an `XPath` expression. `XPath` has no escapes, so a text with double quotes is concatenated.
fn quote(text: &str) -> String {
    if text.contains('"') {
        let parts: Vec<String> = text.split('"').map(|part| format!("\"{part}\"")).collect();
        return format!("concat({}, '')", parts.join(", '\"', "));
    }
    format!("\"{text}\"")
}
