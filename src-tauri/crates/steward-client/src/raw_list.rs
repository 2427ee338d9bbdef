//! Source text of the elements of a JSON list.

use std::fmt;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::limits::are_hollow;
use crate::list_scanner::OBJECT;
use crate::wire::Raw;

/// Elements of a list, as the site wrote them.
///
/// The elements are ranges of the response text: copying 100,000 elements would take longer than reading the list.
#[derive(Clone, PartialEq, Eq)]
pub struct RawList {
    text: String,
    places: Vec<Range<usize>>,
    rest: Rest,
}

/// Fields of a response about elements that its list does not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rest {
    /// Number of all elements.
    pub(crate) total: Option<i64>,
    /// Whether there are more elements.
    pub(crate) goes_on: bool,
    /// Warnings beside the list.
    pub(crate) warnings: Vec<String>,
}

impl RawList {
    /// Reads a JSON list. `None` if the text is not one.
    #[must_use]
    pub fn read(text: String) -> Option<Self> {
        let list = Raw(serde_json::from_str::<&RawValue>(&text).ok()?.get());
        let places = list.is_list().then(|| places(&text, list)).flatten()?;
        Some(Self { text, places, rest: Rest::default() })
    }

    /// Creates a list of the elements at these ranges of `text`.
    pub(crate) const fn at(text: String, places: Vec<Range<usize>>, rest: Rest) -> Self {
        Self { text, places, rest }
    }

    /// Returns the number of all elements, as returned by the site.
    #[must_use]
    pub const fn total(&self) -> Option<i64> {
        self.rest.total
    }

    /// Returns whether the site reports that it has more elements.
    #[must_use]
    pub const fn goes_on(&self) -> bool {
        self.rest.goes_on
    }

    /// Returns the warnings beside the list.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.rest.warnings
    }

    /// Returns the number of elements.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether there are no elements.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the JSON text of the element at index `number`. `None` if the index is out of range.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&str> {
        self.text.get(self.places.get(number)?.clone())
    }
}

impl fmt::Debug for RawList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries((0..self.len()).filter_map(|number| self.get(number))).finish()
    }
}

/// Returns the ranges of the elements of a list in `text`, which it must be borrowed from. Null is a list without
/// elements, and a value that is no list counts as its only element. `None` if the ranges need far more memory than the
/// list.
pub(crate) fn places(text: &str, list: Raw<'_>) -> Option<Vec<Range<usize>>> {
    let (mut places, mut are_too_many) = (Vec::new(), false);
    list.elements(&mut |one| {
        if !are_too_many {
            let begins = one.0.as_ptr().addr() - text.as_ptr().addr();
            places.push(begins..begins + one.0.len());
            are_too_many = are_hollow(places.len() * OBJECT, list.0.len());
        }
    });
    (!are_too_many).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_equal_the_source_text() {
        let list = RawList::read(r#" [ {"a": 1 },"ä", [ ] ,null ] "#.to_owned()).unwrap();

        let elements: Vec<_> = (0..list.len()).filter_map(|number| list.get(number)).collect();

        assert_eq!(elements, [r#"{"a": 1 }"#, r#""ä""#, "[ ]", "null"]);
        assert_eq!((list.is_empty(), list.get(4)), (false, None));
    }

    #[test]
    fn other_values_than_lists_are_none() {
        for text in ["{}", "[1,]", "", "null"] {
            assert_eq!(RawList::read(text.to_owned()), None, "{text}");
        }
    }
}
