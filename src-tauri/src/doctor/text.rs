//! The findings as one text, complete by itself. Its words are the window's.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::finding::Finding;

/// The words of the window, in the one language that whoever is asked for help reads.
const WORDS: &str = include_str!("../../../ui/src/messages/en/doctor.json");

/// The findings in English.
#[must_use]
pub fn as_text(findings: &[Finding]) -> String {
    let catalogue = serde_json::from_str(WORDS).unwrap_or(Value::Null);
    let words = |part: &str, key: &dyn ErasedKey| {
        let key = key.key();
        catalogue[part][&key].as_str().map_or(key.clone(), str::to_owned)
    };
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    let mut text = format!("Site Steward, examined {now}\n");
    for finding in findings {
        // Writing to a String does not fail.
        let _ = writeln!(text, "\n{}: {}", words("check", &finding.check), words("state", &finding.state));
        for fact in &finding.facts {
            let value = fact.value.trim().replace('\n', "\n    ");
            let _ = writeln!(text, "  {}: {value}", words("fact", &fact.name));
        }
        if let Some(advice) = &finding.advice {
            let _ = writeln!(text, "  > {}", words("advice", advice));
        }
    }
    text
}

/// The name of a variant, as the window knows it.
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
    use super::super::finding::{Advice, Check, FactName, State};
    use super::*;

    #[test]
    fn the_text_says_everything_in_words() {
        let finding = Finding::new(Check::Keyring)
            .fact(FactName::Kind, "Secret Service")
            .fact(FactName::Said, "one\ntwo")
            .say(State::Trouble, Advice::InstallKeyring);

        let text = as_text(&[finding]);

        for words in ["\nKeyring: ", "  Kind: Secret Service\n", "one\n    two", "  > "] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains("installKeyring"), "a key instead of words: {text}");
    }
}
