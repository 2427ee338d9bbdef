//! Diagnostics as one English text for support.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::check_result::{CheckResult, FactValue};

/// Message catalog of the window, in English for support.
const WORDS: &str = include_str!("../../../../../ui/src/messages/en/diagnostics.json");

/// Returns the results as English text.
#[must_use]
pub fn as_text(findings: &[CheckResult]) -> String {
    let catalogue = serde_json::from_str(WORDS).unwrap_or(Value::Null);
    let words = |part: &str, key: &dyn ErasedKey| {
        let key = key.key();
        catalogue[part][&key].as_str().map_or(key.clone(), str::to_owned)
    };
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    let mut text = format!("Site Steward, diagnosed {now}\n");
    for finding in findings {
        // Writing to a String does not fail.
        let _ = writeln!(text, "\n{}: {}", words("check", &finding.check), words("state", &finding.state));
        for fact in &finding.facts {
            let value = match &fact.value {
                FactValue::Said { text } => text.trim().replace('\n', "\n    "),
                FactValue::Size { bytes } => size(bytes.0),
                FactValue::Span { millis } => span(millis.0),
                FactValue::Moment { at } => moment(at.0),
                FactValue::Words { words: which, about } => words("words", which).replace("{{about}}", about),
            };
            let _ = writeln!(text, "  {}: {value}", words("fact", &fact.name));
        }
        if let Some(advice) = &finding.advice {
            let _ = writeln!(text, "  > {}", words("advice", advice));
        }
    }
    text
}

/// Formats a size, for example `35.4 GB`, as in the window.
fn size(bytes: u64) -> String {
    let (unit, name) = match bytes {
        ..1_000 => return format!("{bytes} bytes"),
        1_000..100_000 => (1_000, "kB"),
        100_000..1_000_000_000 => (1_000_000, "MB"),
        1_000_000_000..10_000_000_000 => {
            let hundredths = bytes / 10_000_000;
            return format!("{}.{:02} GB", hundredths / 100, hundredths % 100);
        }
        10_000_000_000..1_000_000_000_000 => (1_000_000_000, "GB"),
        1_000_000_000_000.. => (1_000_000_000_000, "TB"),
    };
    let tenths = bytes / (unit / 10);
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// Formats a duration, for example `12 ms` or `3.5 s`.
fn span(millis: i64) -> String {
    let length = millis.unsigned_abs();
    if length < 1_000 {
        format!("{length} ms")
    } else {
        format!("{}.{} s", length / 1_000, length % 1_000 / 100)
    }
}

fn moment(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at).map_or_else(|_| at.to_string(), |at| at.to_string())
}

/// Returns the name of a variant, as in the message catalog.
trait ErasedKey {
    fn key(&self) -> String;
}

impl<T: Serialize> ErasedKey for T {
    fn key(&self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_result::{Advice, Check, FactName, FactWords, State};
    use super::*;

    #[test]
    fn the_text_says_everything_in_words() {
        let finding = CheckResult::new(Check::Keyring)
            .fact(FactName::Kind, "Secret Service")
            .fact(FactName::Said, "one\ntwo")
            .size(FactName::Size, 35_406_000_000)
            .span(FactName::AnsweredIn, 12)
            .span(FactName::SiteBehind, 3_540)
            .wording(FactName::PolicyFile, FactWords::NoFileAt, "/etc/policy.json")
            .say(State::Trouble, Advice::InstallKeyring);

        let text = as_text(&[finding]);

        for words in [
            "\nKeyring: ",
            "  Type: Secret Service\n",
            "one\n    two",
            "  Size: 35.4 GB\n",
            "  Response time: 12 ms\n",
            "  Site is behind by: 3.5 s\n",
            "  Policy file: none at /etc/policy.json\n",
            "  > ",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains("installKeyring"), "a key instead of words: {text}");
    }

    #[test]
    fn a_size_is_in_the_unit_that_fits_it() {
        let sizes = [0, 2_310, 214_640_000, 1_240_000_000, 9_999_000_000, 35_406_000_000, 1_800_000_000_000];
        let words = ["0 bytes", "2.3 kB", "214.6 MB", "1.24 GB", "9.99 GB", "35.4 GB", "1.8 TB"];
        assert_eq!(sizes.map(size), words);
    }
}
