//! One act in the page, and the time until what it leads to has been painted.

use anyhow::{Context, Result};
use serde_json::Value;
use steward_testkit::window::Window;

/// Notes when the last byte of each of the program's answers is there, before it is read. The program's answers come by
/// `fetch`, each under the name of its command.
const LISTEN: &str = "if (!window.answers) {
        window.answers = [];
        const ask = window.fetch;
        window.fetch = async (address, ...more) => {
            const answer = await ask(address, ...more);
            const text = () => Response.prototype.text.call(answer).then((body) => {
                window.answers.push([String(address).split('/').pop(), performance.now()]);
                return body;
            });
            answer.json = () => text().then(JSON.parse);
            return answer;
        };
    }";

/// A frame after the one in which it came true, it has been painted.
const MEASURE: &str = "const done = arguments[arguments.length - 1];
    const at = (path) => document.evaluate(path, document, null, 9, null).singleNodeValue;
    const type = (label, text) => {
        const field = document.querySelector(`[aria-label='${label}']`);
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    window.answers.length = 0;
    const begun = performance.now();
    ACT;
    const look = () => {
        if (!(CAME)) return requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => {
            const now = performance.now();
            done({ whole: now - begun, answers: window.answers.map(([name, time]) => [name, now - time]),
                elements: document.querySelectorAll('*').length });
        }));
    };
    requestAnimationFrame(look);";

/// What one act took, in milliseconds.
pub(super) struct Took {
    /// From the act to the painting.
    pub(super) whole: f64,
    /// Elements in the page afterwards.
    pub(super) elements: f64,
    answers: Vec<(String, f64)>,
}

impl Took {
    /// From the last byte of the program's answer to a command until the painting.
    pub(super) fn since(&self, command: &str) -> Result<f64> {
        let answer = self.answers.iter().rfind(|(name, _)| name == command);
        answer.map(|(_, time)| *time).with_context(|| format!("{command} gave no answer: {:?}", self.answers))
    }
}

/// Does something and waits until a condition of the page holds; both are scripts.
pub(super) async fn act(window: &Window, act: &str, came: &str) -> Result<Took> {
    window.settle().await?;
    window.ask_page(LISTEN).await?;
    let script = MEASURE.replace("ACT", act).replace("CAME", came);
    let answer = match window.ask_page_later(&script).await {
        Ok(answer) => answer,
        Err(error) => {
            let shown = window.ask_page("return document.body.innerText").await?;
            return Err(error.context(format!("{act} led to no {came}; the window shows: {shown}")));
        }
    };
    let number = |name: &str| answer[name].as_f64().with_context(|| format!("no {name}: {answer}"));
    Ok(Took {
        whole: number("whole")?,
        elements: number("elements")?,
        answers: serde_json::from_value::<Vec<(String, f64)>>(answer["answers"].clone()).unwrap_or_default(),
    })
}

/// Presses what an `XPath` finds.
pub(super) fn press(path: &str) -> String {
    format!("at({}).click()", Value::from(path))
}

/// Types into the field with this label, in the place of what was there.
pub(super) fn fill(label: &str, text: &str) -> String {
    format!("type({}, {})", Value::from(label), Value::from(text))
}

/// Whether a text is shown.
pub(super) fn shows(text: &str) -> String {
    format!("document.body.innerText.includes({})", Value::from(text))
}
