//! Texts that are shown outside the page of the window, in its language.
//!
//! Used by notifications, the menu, saved files, and the browser page after a sign-in. [`UiLanguage::texts`] returns
//! the texts of the current language. They come from the window's message catalogs.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::model::isolated::isolated;

const ENGLISH: &str = include_str!("../../../../../ui/src/messages/en/common.json");
const GERMAN: &str = include_str!("../../../../../ui/src/messages/de/common.json");
const SPANISH: &str = include_str!("../../../../../ui/src/messages/es/common.json");

/// Language of the window, as set by its page. English until it is set.
#[derive(Default)]
pub struct UiLanguage(Mutex<String>);

impl UiLanguage {
    /// Sets the language, for example `de`.
    pub fn speak(&self, language: &str) {
        language.clone_into(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the language tag, for example `de`.
    pub fn language(&self) -> String {
        let language = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if language.is_empty() { "en".to_owned() } else { language }
    }

    /// Returns the texts of the language.
    pub fn texts(&self) -> Texts {
        Texts::of(&self.language())
    }
}

/// Texts of one language. English replaces those that are missing.
pub struct Texts {
    language: &'static str,
    catalogues: [Value; 2],
}

impl Texts {
    /// Returns the texts of a language; of English if the language is not supported.
    pub fn of(language: &str) -> Self {
        let (language, own) = match language {
            "de" => ("de", GERMAN),
            "es" => ("es", SPANISH),
            _ => ("en", ENGLISH),
        };
        Self {
            language,
            catalogues: [own, ENGLISH].map(|words| serde_json::from_str(words).unwrap_or(Value::Null)),
        }
    }

    /// Returns the language tag, for example `de`.
    pub const fn language(&self) -> &'static str {
        self.language
    }

    /// Returns a text with its placeholders filled in; `name` if the catalogs do not contain it.
    pub fn say(&self, name: &str, given: &[(&str, &str)]) -> String {
        let found = self.catalogues.iter().find_map(|words| {
            let word = name.split('.').fold(words, |part, key| &part[key]);
            word.as_str()
        });
        let mut said = found.unwrap_or(name).to_owned();
        for (place, value) in given {
            said = said.replace(&format!("{{{{{place}}}}}"), &isolated(value));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_says_what_it_can_and_english_the_rest() {
        let operation = |language| Texts::of(language).say("operation.export_portal.name", &[]);
        assert_eq!(operation("en"), "Portal export");
        assert_eq!(operation("xx"), "Portal export");
        assert_ne!(operation("de"), "operation.export_portal.name");
        assert_eq!(Texts::of("en").say("no.such.word", &[]), "no.such.word");
    }
}
