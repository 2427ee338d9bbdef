//! Invisible characters. Some of them change the direction in which the characters beside them are shown.
//!
//! [`visible`] is for a name that a user gives, [`without_hidden`] for a text of a site as it is shown, and
//! [`has_hidden`] for a text that a request would send.

/// Returns whether a character is invisible: Unicode calls those `Default_Ignorable_Code_Point`, and three more have no
/// ink. Direction marks can make `exe.invite` look like `etivni.exe`.
///
/// `ui/src/lib/confirmation.ts` has the same ones.
#[must_use]
pub const fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Returns a name in one line, without control characters and invisible ones.
#[must_use]
pub fn visible(name: &str) -> String {
    let seen: String = name.chars().filter(|letter| !letter.is_control() && !is_invisible(*letter)).collect();
    seen.trim().to_owned()
}

/// Returns a text without its invisible characters. Its lines stay.
#[must_use]
pub fn without_hidden(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let mut before = ' ';
    let keeps = |letter: char| {
        let is_hidden = is_hidden(before, letter);
        // A removed character does not count as the one before.
        if !is_hidden {
            before = letter;
        }
        !is_hidden
    };
    let mut text = text;
    text.retain(keeps);
    text
}

/// Returns whether a text has a line break, another control character, or an invisible one.
#[must_use]
pub fn has_hidden(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|letter| {
        let is_hidden = letter.is_control() || ends_line(letter) || is_hidden(before, letter);
        before = letter;
        is_hidden
    })
}

const fn ends_line(letter: char) -> bool {
    matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Returns whether a character is invisible where it stands. Some scripts and emoji need one behind a letter of theirs:
/// it joins two letters, keeps them apart, or chooses a form.
fn is_hidden(before: char, letter: char) -> bool {
    let belongs = matches!(letter, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}') && !before.is_ascii();
    is_invisible(letter) && !ends_line(letter) && !belongs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invisible_character_behind_one_that_is_removed_is_removed_too() {
        for text in ["a\u{200b}\u{200d}b", "a\u{ad}\u{fe0f}b", "a\u{200d}\u{200d}b"] {
            assert_eq!(without_hidden(text.to_owned()), "ab", "{text:?}");
        }
    }

    #[test]
    fn an_invisible_character_is_found_and_one_that_a_script_needs_is_none() {
        for (text, seen) in [
            ("/srv/\u{200b}gis", "/srv/gis"),
            ("C:\\\u{202a}gis", "C:\\gis"),
            ("gis\u{202e}nimda", "gisnimda"),
            ("a\u{2067}b\u{2069}", "ab"),
            ("a\u{200d}b", "ab"),
            ("\u{feff}City", "City"),
            ("\u{200e}\u{ad}x", "x"),
        ] {
            assert_eq!(without_hidden(text.to_owned()), seen, "{text:?}");
            assert!(has_hidden(text), "{text:?}");
        }
        for text in [
            "",
            "/srv/gis",
            "Straße (Nord)",
            "\u{646}\u{645}\u{6cc}\u{200c}\u{62e}",
            "\u{1f469}\u{200d}\u{1f4bb}",
            "\u{2600}\u{fe0f}",
        ] {
            assert_eq!(without_hidden(text.to_owned()), text, "{text:?}");
            assert!(!has_hidden(text), "{text:?}");
        }
        for text in ["a\nb", "a\tb", "a\u{2028}b", "a\u{85}b"] {
            assert_eq!(without_hidden(text.to_owned()), text, "lines of a message stay: {text:?}");
            assert!(has_hidden(text), "{text:?}");
        }
    }
}
