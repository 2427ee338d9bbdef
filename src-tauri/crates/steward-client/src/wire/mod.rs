//! Tolerant shapes: every field of a reply may be missing, renamed or of a surprising type.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A text, a list of texts, null or anything else, as a list of texts.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.iter().flat_map(|one| texts(Some(one))).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(other) => vec![other.to_string()],
    }
}

/// A text, whatever was sent in its place.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(texts(Some(&Value::deserialize(deserializer)?)).join(" "))
}

/// A list of texts, whatever was sent in its place.
pub(crate) fn list_of_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(texts(Some(&Value::deserialize(deserializer)?)))
}

/// A whole number, written as a number or as a text.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(number(&Value::deserialize(deserializer)?))
}

/// A whole number, written as a number or as a text.
pub(crate) fn number(value: &Value) -> Option<i64> {
    match value {
        #[expect(clippy::cast_possible_truncation, reason = "a time as 1.7e12 is whole and far below 2^53")]
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|float| float as i64)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Yes or no, written as a boolean or as a text in any case.
pub(crate) fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::Bool(yes) => Some(yes),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    })
}

/// A list whose unreadable elements are left out; null and anything that is no list are an empty one.
pub(crate) fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> Deserialize<'a>,
{
    Ok(match Value::deserialize(deserializer)? {
        Value::Array(list) => list.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect(),
        _ => Vec::new(),
    })
}
