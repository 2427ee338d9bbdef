//! The elements of a list out of an answer, each as it came.

use std::fmt;
use std::ops::Range;

use serde_json::value::RawValue;

/// The elements of a list as the site wrote them. They lie in the text of the answer itself: a hundred thousand texts of
/// their own would take longer to make than the list to read.
#[derive(Clone, PartialEq, Eq)]
pub struct RawList {
    text: String,
    places: Vec<Range<usize>>,
}

impl RawList {
    /// Reads a text that is a list; `None` when it is none.
    #[must_use]
    pub fn read(text: String) -> Option<Self> {
        let places = places(&text, &serde_json::from_str::<Vec<&RawValue>>(&text).ok()?);
        Some(Self { text, places })
    }

    /// The elements at these places of a text.
    pub(crate) const fn at(text: String, places: Vec<Range<usize>>) -> Self {
        Self { text, places }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// One of them, as JSON.
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

/// Where these parts of a text stand in it.
pub(crate) fn places(text: &str, parts: &[&RawValue]) -> Vec<Range<usize>> {
    let place = |part: &&RawValue| {
        let begins = part.get().as_ptr().addr() - text.as_ptr().addr();
        begins..begins + part.get().len()
    };
    parts.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_is_what_the_site_wrote() {
        let list = RawList::read(r#" [ {"a": 1 },"ä", [ ] ,null ] "#.to_owned()).unwrap();

        let elements: Vec<_> = (0..list.len()).filter_map(|number| list.get(number)).collect();

        assert_eq!(elements, [r#"{"a": 1 }"#, r#""ä""#, "[ ]", "null"]);
        assert_eq!((list.is_empty(), list.get(4)), (false, None));
    }

    #[test]
    fn what_is_no_list_is_none() {
        for text in ["{}", "[1,]", "", "null"] {
            assert_eq!(RawList::read(text.to_owned()), None, "{text}");
        }
    }
}
