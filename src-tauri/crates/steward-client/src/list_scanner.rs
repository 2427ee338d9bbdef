//! Incremental search for the objects of a list in a response that is still arriving.
//!
//! [`ListFinder::look_at`] consumes the bytes, [`ListFinder::objects`] returns the objects found so far,
//! [`ListFinder::found`] the complete list.

use std::ops::Range;

use crate::limits::are_hollow;

/// Scanner for the objects of the list in one field of a response.
///
/// Reads each byte once, whatever the chunk borders. Checks only the structure that is needed for that: callers must
/// parse the objects to find out whether they are valid JSON.
pub(crate) struct ListFinder<'a> {
    field: &'a str,
    seen: usize,
    depth: usize,
    text: Text,
    /// Range of the last string on the top level of the response: a name or a value.
    last_text: Range<usize>,
    is_in_field: bool,
    list: List,
    objects: Vec<Range<usize>>,
    /// Length of the longest complete object, in bytes.
    longest: usize,
    is_hollow: bool,
}

/// Memory that an object is assumed to take, in bytes: its range, and the fields that callers read of it.
pub(crate) const OBJECT: usize = 64;

/// Position relative to a JSON string.
#[derive(Clone, Copy)]
enum Text {
    Outside,
    /// Inside a string whose content starts at this offset.
    Inside(usize),
    /// Inside a string, after a backslash: the next character is escaped.
    Escaped(usize),
}

/// Progress in the list.
#[derive(Clone, Copy)]
enum List {
    Ahead,
    /// The list starts at this offset; then the expected token.
    Open(usize, Next),
    /// Offsets of start and end.
    Closed(usize, usize),
    /// The list contains something other than objects.
    Odd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    ObjectOrEnd,
    Object,
    /// Rest of the object that starts at this offset.
    Rest(usize),
    CommaOrEnd,
}

impl<'a> ListFinder<'a> {
    /// Creates a scanner for the list in `field`.
    pub(crate) const fn of(field: &'a str) -> Self {
        Self {
            field,
            seen: 0,
            depth: 0,
            text: Text::Outside,
            last_text: 0..0,
            is_in_field: false,
            list: List::Ahead,
            objects: Vec::new(),
            longest: 0,
            is_hollow: false,
        }
    }

    /// Scans the bytes added since the last call. `answer` is the complete response received so far.
    pub(crate) fn look_at(&mut self, answer: &[u8]) {
        let mut at = self.seen;
        while let Some(byte) = answer.get(at) {
            if self.is_hollow {
                return;
            }
            self.text = match (self.text, byte) {
                (Text::Inside(begun), b'\\') => Text::Escaped(begun),
                (Text::Inside(begun), b'"') => {
                    if self.depth == 1 {
                        self.last_text = begun..at;
                    }
                    Text::Outside
                }
                (Text::Escaped(begun), _) => Text::Inside(begun),
                (Text::Outside, b'"') => {
                    self.list = self.list.with_other(self.depth);
                    Text::Inside(at + 1)
                }
                (Text::Outside, _) => {
                    self.structure(answer, at, *byte);
                    Text::Outside
                }
                (inside @ Text::Inside(_), _) => {
                    // Most bytes of a list are inside strings.
                    let is_ordinary = |byte: &&u8| !matches!(byte, b'"' | b'\\');
                    at += answer[at + 1..].iter().take_while(is_ordinary).count();
                    inside
                }
            };
            at += 1;
        }
        self.seen = at;
    }

    /// Returns the ranges of the objects found so far.
    pub(crate) fn objects(&self) -> &[Range<usize>] {
        &self.objects
    }

    /// Returns whether the objects need [far more](are_hollow) memory than the response. Nothing is scanned any more
    /// then.
    pub(crate) const fn is_hollow(&self) -> bool {
        self.is_hollow
    }

    /// Returns the length of the longest object so far, in bytes. One that has not ended counts too.
    pub(crate) fn longest(&self) -> usize {
        let open = match self.list {
            List::Open(_, Next::Rest(begun)) => self.seen - begun,
            _ => 0,
        };
        self.longest.max(open)
    }

    /// Returns the range of the list and of its objects. `None` if the field has no list, several lists, or a list with
    /// anything other than objects.
    pub(crate) fn found(self) -> Option<(Range<usize>, Vec<Range<usize>>)> {
        match self.list {
            List::Closed(from, to) => Some((from..to, self.objects)),
            _ => None,
        }
    }

    fn structure(&mut self, answer: &[u8], at: usize, byte: u8) {
        match byte {
            b'{' | b'[' => {
                self.list = match self.list {
                    List::Ahead if byte == b'[' && self.depth == 1 && self.is_in_field => {
                        List::Open(at, Next::ObjectOrEnd)
                    }
                    list if self.depth == 2 => list.with_opening(at, byte),
                    list => list,
                };
                self.depth += 1;
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                match self.list {
                    List::Open(list, Next::Rest(begun)) if self.depth == 2 => {
                        self.objects.push(begun..at + 1);
                        self.longest = self.longest.max(at + 1 - begun);
                        self.is_hollow = are_hollow(self.objects.len() * OBJECT, at);
                        self.list = List::Open(list, Next::CommaOrEnd);
                    }
                    List::Open(list, next) if self.depth == 1 => {
                        let may_end = byte == b']' && next != Next::Object;
                        self.list = if may_end { List::Closed(list, at + 1) } else { List::Odd };
                    }
                    _ => {}
                }
            }
            b':' if self.depth == 1 => {
                self.is_in_field = answer.get(self.last_text.clone()) == Some(self.field.as_bytes());
                if self.is_in_field && !matches!(self.list, List::Ahead) {
                    self.list = List::Odd;
                }
            }
            b',' if self.depth == 2 => self.list = self.list.with_comma(),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            _ => self.list = self.list.with_other(self.depth),
        }
    }
}

impl List {
    const fn with_opening(self, at: usize, byte: u8) -> Self {
        match self {
            Self::Open(list, Next::ObjectOrEnd | Next::Object) if byte == b'{' => {
                Self::Open(list, Next::Rest(at))
            }
            Self::Open(..) => Self::Odd,
            other => other,
        }
    }

    const fn with_comma(self) -> Self {
        match self {
            Self::Open(list, Next::CommaOrEnd) => Self::Open(list, Next::Object),
            Self::Open(..) => Self::Odd,
            other => other,
        }
    }

    /// Returns the state after a value that is not an object, if it is an element of the list.
    const fn with_other(self, depth: usize) -> Self {
        match self {
            Self::Open(..) if depth == 2 => Self::Odd,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scans the same response in pieces of every size and expects the same result.
    fn found(answer: &str) -> Option<Vec<&str>> {
        let in_pieces = |most: usize| {
            let mut finder = ListFinder::of("items");
            for end in (0..answer.len()).step_by(most).chain([answer.len()]) {
                finder.look_at(&answer.as_bytes()[..end]);
            }
            finder.found()
        };
        let whole = in_pieces(usize::MAX);
        for most in 1..9 {
            assert_eq!(in_pieces(most), whole, "{answer} in pieces of {most}");
        }
        let (list, objects) = whole?;
        assert!(answer[list.clone()].starts_with('[') && answer[list].ends_with(']'), "{answer}");
        Some(objects.into_iter().map(|place| &answer[place]).collect())
    }

    #[test]
    fn objects_equal_the_source_text() {
        let answer =
            r#"{ "a": [{"items": [{}]}], "items" : [ {"b": "}]\"{" } ,{"c":[{},[1]]}], "z": "items" }"#;

        assert_eq!(found(answer), Some(vec![r#"{"b": "}]\"{" }"#, r#"{"c":[{},[1]]}"#]));
        assert_eq!(found("\u{feff}{\"items\":[]}"), Some(vec![]));
    }

    #[test]
    fn other_values_than_lists_of_objects_are_not_found() {
        for answer in [
            r#"{"items":null}"#,
            r#"{"items":{"a":1}}"#,
            r#"{"items":[1]}"#,
            r#"{"items":["{}"]}"#,
            r#"{"items":[[]]}"#,
            r#"{"items":[{},]}"#,
            r#"{"items":[,{}]}"#,
            r#"{"items":[{}{}]}"#,
            r#"{"items":[{}}"#,
            r#"{"items":[{}"#,
            r#"{"items":[{"a":1}],"items":[{"a":2}]}"#,
            r#"{"items":[{"a":1}],"items":null}"#,
            r#"{"error":{"items":[{}]}}"#,
            r#"["items",[{}]]"#,
            "",
        ] {
            assert_eq!(found(answer), None, "{answer}");
        }
    }
}
