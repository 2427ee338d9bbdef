//! Redaction of JSON in its text: a tree of it would need a multiple of its size.

use std::fmt::Formatter;

use serde::de::{MapAccess, Visitor};
use serde::ser::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::mask::MASK;
use super::names::{is_masked, is_secret, named_in};
use super::scanner::text;

/// Levels of JSON that are read. Each reads again what is in it, so that a response of nothing but brackets would take
/// long and exhaust the stack.
const MOST_LEVELS: usize = 64;

/// JSON that is redacted while it is serialized, which fails for more than 64 levels. Numbers stay as they are written.
pub struct Redacted<'a> {
    json: &'a RawValue,
    level: usize,
}

impl<'a> Redacted<'a> {
    /// Takes JSON that is to be redacted.
    #[must_use]
    pub fn of(json: &'a RawValue) -> Self {
        Self { json, level: 0 }
    }

    /// Returns the redacted text. Room for it is reserved at once: a text that grows by itself would need three times
    /// as much memory.
    ///
    /// # Errors
    ///
    /// If the JSON has more than 64 levels.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = Vec::with_capacity(self.json.get().len() + 64);
        serde_json::to_writer(&mut text, self)?;
        String::from_utf8(text).map_err(serde_json::Error::custom)
    }

    fn inner(&self, json: &'a RawValue) -> Self {
        Self { json, level: self.level + 1 }
    }
}

impl Serialize for Redacted<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.level > MOST_LEVELS {
            return Err(S::Error::custom("too many levels"));
        }
        match self.json.get().as_bytes().first() {
            Some(b'"') => to.serialize_str(&text(&read::<String, S>(self.json)?)),
            Some(b'[') => {
                to.collect_seq(read::<Vec<_>, S>(self.json)?.into_iter().map(|item| self.inner(item)))
            }
            Some(b'{') => {
                let Fields(fields) = read::<_, S>(self.json)?;
                let is_named = |value: &&RawValue| {
                    serde_json::from_str(value.get()).is_ok_and(|name: String| is_secret(&name))
                };
                let named = named_in(fields.iter().map(|(name, value)| (name, value)), is_named);
                to.collect_map(fields.iter().map(|(name, value)| {
                    let is_empty = matches!(value.get(), "null" | "true" | "false" | "\"\"");
                    let is_masked = is_masked(name, is_empty, named);
                    (name, if is_masked { Field::Masked(MASK) } else { Field::Kept(self.inner(value)) })
                }))
            }
            _ => self.json.serialize(to),
        }
    }
}

fn read<'a, T: Deserialize<'a>, S: Serializer>(json: &'a RawValue) -> Result<T, S::Error> {
    serde_json::from_str(json.get()).map_err(S::Error::custom)
}

#[derive(Serialize)]
#[serde(untagged)]
enum Field<'a> {
    Masked(&'static str),
    Kept(Redacted<'a>),
}

/// Fields of an object in their order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Each).map(Self)
    }
}
