//! The few words that the program says outside its page: in notifications of the system and in the menu. They are
//! those of the window's catalogues.

use serde_json::Value;

const ENGLISH: &str = include_str!("../../ui/src/messages/en/common.json");

/// The words of one language.
pub(crate) struct Words {
    catalogue: Value,
}

impl Words {
    /// The words of a language of the window; of English where there is none such.
    pub(crate) fn of(language: &str) -> Self {
        let catalogue = match language {
            _ => ENGLISH,
        };
        Self { catalogue: serde_json::from_str(catalogue).unwrap_or(Value::Null) }
    }

    /// A sentence, with what is given in its places; its own name where the catalogue has none.
    pub(crate) fn say(&self, name: &str, given: &[(&str, &str)]) -> String {
        let found = name.split('.').fold(&self.catalogue, |part, key| &part[key]);
        let mut said = found.as_str().unwrap_or(name).to_owned();
        for (place, value) in given {
            said = said.replace(&format!("{{{{{place}}}}}"), value);
        }
        said
    }
}
