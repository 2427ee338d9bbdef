//! Source text of a JSON value, and texts that are read from it.

use std::collections::HashMap;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::memory;
use crate::limits::{self, SHOWN, SMALL_BODY};

/// Depth of lists in lists that are read as several texts. A list below it is read as its source text.
const DEPTH: usize = 8;

/// Source text of a JSON value, without the spaces around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Raw<'a>(pub(crate) &'a str);

/// Text that is read up to a limit, with the length that it has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BoundedText {
    /// Beginning of the text; all of it if it is not longer than the limit.
    pub(crate) beginning: String,
    /// Length of the whole text, in bytes.
    pub(crate) length: usize,
    limit: usize,
}

impl BoundedText {
    /// Begins a text of which `limit` bytes are kept.
    pub(crate) const fn up_to(limit: usize) -> Self {
        Self { beginning: String::new(), length: 0, limit }
    }

    /// Adds to the text.
    pub(crate) fn push(&mut self, text: &str) {
        let room = self.limit.saturating_sub(self.beginning.len());
        self.beginning.push_str(&text[..text.floor_char_boundary(room)]);
        self.length += text.len();
    }

    /// Returns whether there is no text.
    pub(crate) const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the text as it is shown, with the part that was not read.
    pub(crate) fn shown(self) -> String {
        limits::cut(self.beginning, self.length)
    }
}

impl<'a> Raw<'a> {
    /// Returns whether the value is null.
    pub(crate) fn is_null(self) -> bool {
        self.0 == "null"
    }

    /// Returns whether the value is an object.
    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    /// Returns whether the value is a text.
    pub(crate) fn is_text(self) -> bool {
        self.0.starts_with('"')
    }

    /// Returns whether the value is a list.
    pub(crate) fn is_list(self) -> bool {
        self.0.starts_with('[')
    }

    /// Returns the value as `T`. `None` if it has another shape, or a field of `T` twice: with different values, or in
    /// a text that is too long to compare them.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Option<T> {
        memory::of_text(self.0.len(), || {
            serde_json::from_str(self.0).ok().or_else(|| serde_json::from_str(&once_each(self.0)?).ok())
        })
    }

    /// Returns an object as [`read`](Self::read). `None` for anything else.
    pub(crate) fn read_object<T: DeserializeOwned>(self) -> Option<T> {
        // serde would accept an array as a struct without field names.
        self.is_object().then(|| self.read()).flatten()
    }

    /// Returns the text of any value as it is shown. The texts of a list are joined.
    pub(crate) fn shown(self) -> String {
        self.text_up_to(SHOWN).shown()
    }

    /// Returns the text of any value. `None` if it is longer than `limit`.
    pub(crate) fn whole(self, limit: usize) -> Option<String> {
        let words = self.text_up_to(limit);
        (words.length <= limit).then_some(words.beginning)
    }

    /// Reads the text of any value up to `limit`.
    pub(crate) fn text_up_to(self, limit: usize) -> BoundedText {
        let mut words = BoundedText::up_to(limit);
        let mut is_first = true;
        self.each(&mut |one| {
            if !is_first {
                words.push(" ");
            }
            is_first = false;
            match one.is_text() {
                true => one.with_text(&mut |text| words.push(text)),
                false => words.push(one.0),
            }
        });
        words
    }

    /// Passes on each text in a text, a list of texts, or a list in a list. Null is no text, any other value one.
    pub(crate) fn each(self, pass: &mut dyn FnMut(Raw<'a>)) {
        self.each_to(DEPTH, pass);
    }

    fn each_to(self, depth: usize, pass: &mut dyn FnMut(Raw<'a>)) {
        match self {
            Raw("null") => {}
            list if list.is_list() && depth > 0 => {
                list.elements(&mut |one| one.each_to(depth - 1, pass));
            }
            other => pass(other),
        }
    }

    /// Passes on each element of a list. Null has none; any other value is one.
    pub(crate) fn elements(self, pass: &mut dyn FnMut(Raw<'a>)) {
        match self {
            Raw("null") => {}
            list if list.is_list() => {
                // The text is JSON, so this does not fail.
                let _ = serde_json::Deserializer::from_str(list.0).deserialize_seq(Elements(pass));
            }
            other => pass(other),
        }
    }

    /// Passes on the fields of an object. Returns whether it is one; if not, some might have been passed on.
    pub(crate) fn fields(self, pass: &mut dyn FnMut(&str, Raw<'a>)) -> bool {
        let mut text = serde_json::Deserializer::from_str(self.0);
        text.deserialize_map(Fields(pass)).and_then(|()| text.end()).is_ok()
    }

    /// Returns some fields of an object. `None` if it is no object, or has one of them twice with different values.
    pub(crate) fn some_fields<const N: usize>(self, names: [&str; N]) -> Option<[Option<Raw<'a>>; N]> {
        let (mut found, mut is_clear) = ([None; N], true);
        let is_object = self.fields(&mut |name, value| {
            if let Some(place) = names.iter().position(|one| *one == name) {
                is_clear &= found[place].is_none_or(|before| before == value);
                found[place] = Some(value);
            }
        });
        (is_object && is_clear).then_some(found)
    }

    /// Returns whether the value has a field twice with different values, at any depth: which of them counts is not
    /// known.
    pub(crate) fn contradicts_itself(self) -> bool {
        let mut found = false;
        if self.is_object() {
            let mut seen = HashMap::new();
            self.fields(&mut |name, value| {
                let before = seen.insert(name.to_owned(), value);
                found |= before.is_some_and(|before| before != value) || value.contradicts_itself();
            });
        } else if self.is_list() {
            self.elements(&mut |one| found |= one.contradicts_itself());
        }
        found
    }

    /// Passes on the content of a text, without a copy if it has no escapes.
    fn with_text(self, pass: &mut dyn FnMut(&str)) {
        let _ = serde_json::Deserializer::from_str(self.0).deserialize_str(Text(pass));
    }

    /// Returns a whole number given as a number or as a text. `None` for anything else.
    pub(crate) fn number(self) -> Option<i64> {
        if self.is_list() || self.is_object() {
            return None;
        }
        let text = self.whole(40)?;
        let text = text.trim();
        text.parse().ok().or_else(|| text.parse().ok().and_then(whole_of))
    }

    /// Returns a Boolean given as a Boolean or as a text in any case. `None` for anything else.
    pub(crate) fn yes_or_no(self) -> Option<bool> {
        match self.0 {
            "true" => Some(true),
            "false" => Some(false),
            _ if self.is_text() => match self.whole(40)?.trim() {
                yes if yes.eq_ignore_ascii_case("true") => Some(true),
                no if no.eq_ignore_ascii_case("false") => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Returns whether a text is JSON.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Returns a JSON text in which each field occurs once. `None` if it is not JSON, has a field twice with different
/// values, or is too long: this needs a tree.
pub(crate) fn once_each(text: &str) -> Option<String> {
    if text.len() > SMALL_BODY || Raw(text.trim()).contradicts_itself() {
        return None;
    }
    serde_json::from_str::<Value>(text).ok().map(|value| value.to_string())
}

/// Converts a float such as 1.7e12. `None` if it is too large to be exact.
#[expect(clippy::cast_possible_truncation, reason = "checked to be far below 2^63")]
fn whole_of(float: f64) -> Option<i64> {
    (float.abs() < 9e15).then_some(float as i64)
}

/// Visitor that passes on the source text of each element of a list.
struct Elements<'f, 'a>(&'f mut dyn FnMut(Raw<'a>));

impl<'a> Visitor<'a> for Elements<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(one) = list.next_element::<&'a RawValue>()? {
            (self.0)(Raw(one.get()));
        }
        Ok(())
    }
}

/// Visitor that passes on the fields of an object with the source text of their values.
struct Fields<'f, 'a>(&'f mut dyn FnMut(&str, Raw<'a>));

impl<'a> Visitor<'a> for Fields<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry::<String, &'a RawValue>()? {
            (self.0)(&name, Raw(value.get()));
        }
        Ok(())
    }
}

/// Visitor that passes on the content of a text.
struct Text<'f>(&'f mut dyn FnMut(&str));

impl Visitor<'_> for Text<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text")
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        (self.0)(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_value_is_a_text() {
        for (json, text) in [
            (r#""a\n\"b\"""#, "a\n\"b\""),
            (r#"["a",["b",null,7],{"c": 1}]"#, r#"a b 7 {"c": 1}"#),
            ("null", ""),
            ("[]", ""),
            ("true", "true"),
            ("10.81", "10.81"),
        ] {
            assert_eq!(Raw(json).shown(), text, "{json}");
        }
    }

    #[test]
    fn a_list_of_lists_without_end_does_not_end_the_program() {
        let json = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));

        assert_eq!(Raw(&json).text_up_to(10).beginning, "[[[[[[[[[[");
    }

    #[test]
    fn a_whole_text_ends_at_its_limit() {
        assert_eq!(Raw(r#""abcd""#).whole(4), Some("abcd".to_owned()));
        assert_eq!(Raw(r#""abcde""#).whole(4), None);
        assert_eq!(Raw(r#"["ab","c"]"#).whole(4), Some("ab c".to_owned()));
        assert_eq!(Raw(r#"["ab","cd"]"#).whole(4), None);
    }

    #[test]
    fn numbers_and_booleans_are_read_from_texts() {
        let number = |json| Raw(json).number();
        assert_eq!(
            (number("7"), number(r#"" 7 ""#), number("1.7e12")),
            (Some(7), Some(7), Some(1_700_000_000_000))
        );
        assert_eq!((number("null"), number("[7]"), number("{}"), number("1e40")), (None, None, None, None));
        let answer = |json| Raw(json).yes_or_no();
        assert_eq!((answer("true"), answer(r#"" FALSE ""#), answer("1")), (Some(true), Some(false), None));
    }
}
