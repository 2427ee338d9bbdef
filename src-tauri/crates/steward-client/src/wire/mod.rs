//! Lenient deserializers for responses: every field can be missing, renamed, or of another type.
//!
//! They read the source text of a value, and never build a tree of it: a tree would need up to 64 times the memory of
//! the text. Therefore they deserialize from a `str` only. [`text`] is for what is shown, [`used`] for what a request
//! uses.

mod memory;
mod raw;

pub(crate) use raw::{BoundedText, Raw, is_json, once_each};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::limits::{ELEMENT, SHOWN, TOKEN, USED, are_hollow};

/// Deserializes any value as a text that is shown. A longer one than 8 KiB is cut.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(raw(deserializer)?.shown())
}

/// Deserializes any value as a text that a request uses: an identifier, name, path or URL. Empty if it is longer than
/// 4 KiB, because a part of it would name something else.
pub(crate) fn used<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(raw(deserializer)?.whole(USED).unwrap_or_default())
}

/// Deserializes as [`used`]. `None` if the text is too long.
pub(crate) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(raw(deserializer)?.whole(USED))
}

/// Deserializes as [`used`], and fails if the text is too long.
pub(crate) fn exact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    raw(deserializer)?.whole(USED).ok_or_else(|| serde::de::Error::custom("the text is too long"))
}

/// Deserializes any value as a token. Empty if it is longer than 48 KiB.
pub(crate) fn token<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(raw(deserializer)?.whole(TOKEN).unwrap_or_default())
}

/// Deserializes any value as a list of texts that are shown.
pub(crate) fn list_of_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    texts(raw(deserializer)?, |one| one.text_up_to(SHOWN).shown()).map_err(serde::de::Error::custom)
}

/// Deserializes any value as a list of texts that requests use. `None` for null, and for a text that is too long.
pub(crate) fn list_of_used<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<Option<String>>>, D::Error> {
    let value = raw(deserializer)?;
    if value.is_null() {
        return Ok(None);
    }
    texts(value, |one| one.whole(USED)).map(Some).map_err(serde::de::Error::custom)
}

/// Reads the texts in a value.
fn texts<T>(value: Raw<'_>, read: impl Fn(Raw<'_>) -> T) -> Result<Vec<T>, &'static str> {
    let (mut texts, mut fits) = (Vec::new(), Ok(()));
    value.each(&mut |one| {
        if fits.is_ok() {
            texts.push(read(one));
            fits = if memory::is_too_much(size_of::<T>() + SHORTEST) { Err(HOLLOW) } else { Ok(()) };
        }
    });
    fits.map(|()| texts)
}

/// Memory that the content of a text needs at least, in bytes.
const SHORTEST: usize = 16;

/// Deserializes a whole number given as a number or as a text. `None` for anything else.
pub(crate) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    Ok(raw(deserializer)?.number())
}

/// Deserializes a Boolean given as a Boolean or as a text in any case. `None` for anything else.
pub(crate) fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    Ok(raw(deserializer)?.yes_or_no())
}

/// Value of a field that reports success.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Success {
    /// Missing or null.
    #[default]
    Missing,
    Yes,
    No,
    /// Neither a Boolean nor the text of one.
    Other,
}

impl<'de> Deserialize<'de> for Success {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        Ok(match value.yes_or_no() {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None if value.is_null() => Self::Missing,
            None => Self::Other,
        })
    }
}

/// Deserializes a list without its unreadable elements, and fails if one is longer than 1 MiB. A single element is a
/// list of one; null and any other value are an empty list.
pub(crate) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    Ok(list_if_any(deserializer)?.unwrap_or_default())
}

/// Element of a list; the default if it cannot be read.
pub(crate) struct OrDefault<T>(pub(crate) T);

impl<'de, T: DeserializeOwned + Default> Deserialize<'de> for OrDefault<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(raw(deserializer)?.read_object().unwrap_or_default()))
    }
}

/// Deserializes as [`list`], with elements of any length: of a report that the site keeps no copy of.
pub(crate) fn list_of_report<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    elements(raw(deserializer)?, usize::MAX).map_err(serde::de::Error::custom)
}

/// Deserializes as [`list`]. `None` for null and a missing field.
pub(crate) fn list_if_any<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let value = raw(deserializer)?;
    if value.is_null() {
        return Ok(None);
    }
    elements(value, ELEMENT).map(Some).map_err(serde::de::Error::custom)
}

fn elements<T: DeserializeOwned>(list: Raw<'_>, longest: usize) -> Result<Vec<T>, &'static str> {
    let mut found = Vec::new();
    add_elements(&mut found, list, longest, 0, list.0.len())?;
    Ok(found)
}

/// Reason why a list is not read.
const LONG: &str = "an element is longer than 1 MiB";

/// Reason why a list is not read.
pub(crate) const HOLLOW: &str = "the elements need far more memory than the list";

/// Adds the elements of a list, without its unreadable ones. Each needs `more` bytes besides its own.
pub(crate) fn add_elements<T: DeserializeOwned>(
    to: &mut Vec<T>,
    list: Raw<'_>,
    longest: usize,
    more: usize,
    text: usize,
) -> Result<(), &'static str> {
    let (mut fits, each) = (Ok(()), size_of::<T>() + more);
    list.elements(&mut |one| {
        if fits.is_err() {
            return;
        }
        if one.0.len() > longest {
            fits = Err(LONG);
            return;
        }
        to.extend(one.read());
        if memory::is_too_much(each) || are_hollow(to.len() * each, text) {
            fits = Err(HOLLOW);
        }
    });
    fits
}

/// Deserializes the source text of a value.
pub(crate) fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Raw<'de>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(|value| Raw(value.get()))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::IgnoredAny;

    use super::{list, list_if_any, list_of_report};
    use crate::limits::ELEMENT;

    #[derive(Deserialize)]
    struct Listed {
        #[serde(default, deserialize_with = "list")]
        machines: Vec<IgnoredAny>,
        #[serde(default, deserialize_with = "list_if_any")]
        services: Option<Vec<IgnoredAny>>,
        #[serde(default, deserialize_with = "list_of_report")]
        messages: Vec<IgnoredAny>,
    }

    #[test]
    fn an_element_is_read_up_to_its_limit_and_one_of_a_report_beyond() {
        let read = |field: &str, length: usize| {
            let element = format!(r#"{{"a":"{}"}}"#, "x".repeat(length - r#"{"a":""}"#.len()));
            assert_eq!(element.len(), length);
            serde_json::from_str::<Listed>(&format!(r#"{{"{field}":[{{}},{element}]}}"#))
        };
        for field in ["machines", "services"] {
            let read_whole = read(field, ELEMENT).unwrap();
            assert_eq!(
                read_whole.machines.len() + read_whole.services.map_or(0, |list| list.len()),
                2,
                "{field}"
            );
            let error = read(field, ELEMENT + 1).err().unwrap().to_string();
            assert!(error.starts_with("an element is longer than 1 MiB"), "{field}: {error}");
        }
        assert_eq!(read("messages", ELEMENT + 1).unwrap().messages.len(), 2);
    }
}
