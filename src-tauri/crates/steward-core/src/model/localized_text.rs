//! The few words that the program says outside its page: in notifications of the system, in the menu, in files that
//! are saved for people, in the browser after a sign-in. They are those of the window's catalogues.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

const ENGLISH: &str = include_str!("../../../../../ui/src/messages/en/common.json");
const GERMAN: &str = include_str!("../../../../../ui/src/messages/de/common.json");
const SPANISH: &str = include_str!("../../../../../ui/src/messages/es/common.json");

/// The language of the window, as its page says. English before that.
#[derive(Default)]
pub struct Spoken(Mutex<String>);

impl Spoken {
    /// From now on this one.
    pub fn speak(&self, language: &str) {
        language.clone_into(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Its tag, as in `de`.
    pub fn language(&self) -> String {
        let language = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if language.is_empty() { "en".to_owned() } else { language }
    }

    /// Its words.
    pub fn words(&self) -> Words {
        Words::of(&self.language())
    }
}

/// The words of one language, with those of English where it has none.
pub struct Words {
    language: &'static str,
    catalogues: [Value; 2],
}

impl Words {
    /// The words of a language of the window; of English where there is none such.
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

    /// Whose words these are, as in `de`.
    pub const fn language(&self) -> &'static str {
        self.language
    }

    /// A sentence, with what is given in its places; its own name where the catalogue has none.
    pub fn say(&self, name: &str, given: &[(&str, &str)]) -> String {
        let found = self.catalogues.iter().find_map(|words| {
            let word = name.split('.').fold(words, |part, key| &part[key]);
            word.as_str()
        });
        let mut said = found.unwrap_or(name).to_owned();
        for (place, value) in given {
            said = said.replace(&format!("{{{{{place}}}}}"), value);
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_says_what_it_can_and_english_the_rest() {
        let operation = |language| Words::of(language).say("operation.export_portal.name", &[]);
        assert_eq!(operation("en"), "Portal export");
        assert_eq!(operation("xx"), "Portal export");
        assert_ne!(operation("de"), "operation.export_portal.name");
        assert_eq!(Words::of("en").say("no.such.word", &[]), "no.such.word");
    }
}
