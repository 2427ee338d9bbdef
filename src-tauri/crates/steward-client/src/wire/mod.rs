//! Lenient deserializers for responses: every field can be missing, renamed, or of another type.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Returns a text, a list of texts, null or any other value as a list of texts.
pub(crate) fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.iter().flat_map(|one| texts(Some(one))).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        Some(other) => vec![other.to_string()],
    }
}

/// Deserializes any value as a text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(texts(Some(&Value::deserialize(deserializer)?)).join(" "))
}

/// Deserializes any value as a list of texts.
pub(crate) fn list_of_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(texts(Some(&Value::deserialize(deserializer)?)))
}

/// Deserializes a whole number given as a number or as a text. `None` for anything else.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(number(&Value::deserialize(deserializer)?))
}

/// Returns a whole number given as a number or as a text. `None` for anything else.
pub(crate) fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole_of)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(whole_of))
        }
        _ => None,
    }
}

/// Converts a float such as 1.7e12. `None` if it is too large to be exact.
#[expect(clippy::cast_possible_truncation, reason = "checked to be far below 2^63")]
fn whole_of(float: f64) -> Option<i64> {
    (float.abs() < 9e15).then_some(float as i64)
}

/// Deserializes a Boolean given as a Boolean or as a text in any case. `None` for anything else.
pub(crate) fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(yes_or_no_in(&Value::deserialize(deserializer)?))
}

/// Returns a Boolean given as a Boolean or as a text in any case. `None` for anything else.
pub(crate) fn yes_or_no_in(value: &Value) -> Option<bool> {
    if is_yes(value) {
        Some(true)
    } else if is_no(value) {
        Some(false)
    } else {
        None
    }
}

/// Returns whether a value is true, as a Boolean or as a text.
pub(crate) fn is_yes(value: &Value) -> bool {
    value == &Value::Bool(true) || value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("true"))
}

/// Returns whether a value is false, as a Boolean or as a text.
pub(crate) fn is_no(value: &Value) -> bool {
    value == &Value::Bool(false)
        || value.as_str().is_some_and(|text| text.trim().eq_ignore_ascii_case("false"))
}

/// Deserializes a list without its unreadable elements. A single element is a list of one; null and any other value are
/// an empty list.
pub(crate) fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> Deserialize<'a>,
{
    Ok(elements(Value::deserialize(deserializer)?))
}

/// Deserializes as [`list`]. `None` for null and a missing field.
pub(crate) fn list_if_any<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> Deserialize<'a>,
{
    let value = Value::deserialize(deserializer)?;
    Ok((!value.is_null()).then(|| elements(value)))
}

/// Converts a value as [`list`].
pub(crate) fn elements<T: for<'a> Deserialize<'a>>(value: Value) -> Vec<T> {
    match value {
        Value::Array(list) => list.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect(),
        Value::Null => Vec::new(),
        one => serde_json::from_value(one).into_iter().collect(),
    }
}
