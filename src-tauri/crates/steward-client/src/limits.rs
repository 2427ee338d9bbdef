//! Limits of what a site returns: bodies, elements of lists, and texts (ADR 0040).

use crate::invisible::without_hidden;

/// Maximum size of the response to a request for a token or a description, and of a captured response, in bytes.
pub(crate) const SMALL_BODY: usize = 1024 * 1024;

/// Maximum size of a list or a report, which is held whole, in bytes. An import report about 50,000 services on
/// five machines has 52 MB.
pub(crate) const LARGE_BODY: usize = 256 * 1024 * 1024;

/// Maximum size of one element of a list, in bytes. An import report has none: the site keeps no copy of it.
pub(crate) const ELEMENT: usize = 1024 * 1024;

/// Maximum length of a text that is shown and stored, in bytes. A longer one is cut.
pub(crate) const SHOWN: usize = 8 * 1024;

/// Maximum length of an identifier, name, path or URL that a request uses, in bytes. A longer one is never cut: it
/// counts as missing.
pub(crate) const USED: usize = 4 * 1024;

/// Maximum length of a token, in bytes. A longer one counts as missing.
pub(crate) const TOKEN: usize = 48 * 1024;

/// Bytes of a text that are read before its secrets are masked: a secret that begins in the part that is shown ends
/// here.
pub(crate) const MASKED: usize = 64 * 1024;

/// Maximum number of details of an error.
pub(crate) const DETAILS: usize = 100;

/// Memory up to which the elements of a list are not compared with their text, in bytes.
const FEW_ELEMENTS: usize = 16 * 1024 * 1024;

/// Space for the mark of a cut text, in bytes.
const MARK: usize = 48;

/// Returns a text of a site, or of several, as it is shown and stored: without invisible characters, and at most 8 KiB.
/// A cut text ends with the number of bytes that are kept, and of the whole.
#[must_use]
pub fn shown(text: String) -> String {
    let length = text.len();
    cut(text, length)
}

/// Returns whether a text of a site can be used in a request: it is not empty, and not longer than 4 KiB.
#[must_use]
pub const fn is_usable(text: &str) -> bool {
    !text.is_empty() && text.len() <= USED
}

/// Returns whether the elements of a list need far more memory than their text: an empty object needs the memory of all
/// its fields.
pub(crate) const fn are_hollow(memory: usize, text: usize) -> bool {
    memory > FEW_ELEMENTS && memory / 2 > text
}

/// Returns the beginning of a text as [`shown`]. `length` is that of the whole text, in bytes.
pub(crate) fn cut(beginning: String, length: usize) -> String {
    let mut beginning = without_hidden(beginning);
    if length.max(beginning.len()) <= SHOWN {
        return beginning;
    }
    let kept = beginning.floor_char_boundary(SHOWN - MARK);
    beginning.truncate(kept);
    beginning.push_str(&format!("… [{kept} / {length} bytes]"));
    beginning.shrink_to_fit();
    beginning
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_up_to_the_limit_is_left_and_a_longer_one_says_how_long_it_was() {
        let longest = "ä".repeat(SHOWN / 2);
        assert_eq!(shown(longest.clone()), longest);

        let text = shown(format!("{longest}!"));

        assert!(text.ends_with("ä… [8144 / 8193 bytes]"), "{}", &text[8000..]);
        assert!(text.len() <= SHOWN);
        assert_eq!(shown(text.clone()), text, "a cut text is not cut again");
        let longest_mark = cut("x".repeat(SHOWN), usize::MAX);
        assert!(longest_mark.len() <= SHOWN, "{}", longest_mark.len());
    }

    #[test]
    fn a_text_is_shown_without_what_turns_or_hides_its_letters() {
        assert_eq!(shown("City \u{202e}drow\u{202c} a\u{200b}b".to_owned()), "City drow ab");
    }

    #[test]
    fn a_letter_at_the_cut_is_not_split() {
        let text = shown(format!("x{}", "ä".repeat(SHOWN)));
        assert!(text.ends_with("ä… [8143 / 16385 bytes]"), "{}", &text[8000..]);
    }

    #[test]
    fn a_text_can_be_used_up_to_its_limit() {
        assert!(is_usable("i") && is_usable(&"i".repeat(USED)));
        assert!(!is_usable("") && !is_usable(&"i".repeat(USED + 1)));
    }
}
