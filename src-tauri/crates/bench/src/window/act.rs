//! One action in the page, and the time until its result is painted.

use anyhow::{Context, Result};
use serde_json::Value;
use steward_testkit::window::Window;

/// Script that stores the time of the last byte of each response of the program, before it is parsed. Responses are
/// received by `fetch`, whose URL ends with the name of the command.
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

/// Script that performs the action and measures the time. The result is painted one frame after the condition is true.
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

/// Measurements of one action, in milliseconds.
pub(super) struct Took {
    /// Time from the action to the painted result.
    pub(super) whole: f64,
    /// Number of elements in the page afterward.
    pub(super) elements: f64,
    answers: Vec<(String, f64)>,
}

impl Took {
    /// Returns the time from the last byte of the response to a command until the painted result.
    pub(super) fn since(&self, command: &str) -> Result<f64> {
        let answer = self.answers.iter().rfind(|(name, _)| name == command);
        answer.map(|(_, time)| *time).with_context(|| format!("{command} gave no answer: {:?}", self.answers))
    }
}

/// Performs the action `act` and waits until the condition `came` is true. Both are scripts.
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

/// Returns a script that presses the element that an `XPath` finds.
pub(super) fn press(path: &str) -> String {
    format!("at({}).click()", Value::from(path))
}

/// Returns a script that replaces the content of the field with this label.
pub(super) fn fill(label: &str, text: &str) -> String {
    format!("type({}, {})", Value::from(label), Value::from(text))
}

/// Returns a condition that is true if a text is visible.
pub(super) fn shows(text: &str) -> String {
    format!("document.body.innerText.includes({})", Value::from(text))
}
