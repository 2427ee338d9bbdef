//! Isolates text of sites and users in sentences of this app: text from right to left would otherwise reorder the words
//! around it. `ui/src/messages/isolated.ts` does the same in the window.

use std::borrow::Cow;

use steward_client::without_hidden;

const BEGIN: char = '\u{2068}';
const END: char = '\u{2069}';

/// Returns a text for use in a sentence: without invisible characters, and in a bidirectional isolate. A text without
/// right-to-left letters needs no isolate.
pub(crate) fn isolated(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let text = seen(text);
    if !text.contains(turns) {
        return text.into();
    }
    let lines = text.split_inclusive(is_line_end).map(|line| {
        let content = line.trim_end_matches(is_line_end);
        match content {
            "" => line.to_owned(),
            _ => format!("{}{}", of_line(content), &line[content.len()..]),
        }
    });
    lines.collect::<String>().into()
}

/// Returns several texts in one line.
pub(crate) fn joined(texts: &[String], separator: &str) -> String {
    texts.iter().map(|text| isolated(text)).collect::<Vec<_>>().join(separator)
}

/// Returns a text without its invisible characters, except for isolates, which [`isolated`] might have added.
fn seen(text: &str) -> String {
    let parts = text.split_inclusive([BEGIN, END]).map(|part| {
        let content = part.trim_end_matches([BEGIN, END]);
        without_hidden(content.to_owned()) + &part[content.len()..]
    });
    parts.collect()
}

/// Whether a letter is of a right-to-left script, or begins or ends an isolate.
const fn turns(letter: char) -> bool {
    matches!(
        letter,
        '\u{590}'..='\u{8ff}'
            | BEGIN | END
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

/// Whether a character ends a line, which closes every isolate.
const fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Isolates one line, and balances the isolates in it: an unmatched end would close the outer isolate, and an unmatched
/// beginning would keep it open.
fn of_line(line: &str) -> String {
    let (mut kept, mut open) = (String::from(BEGIN), 0_usize);
    for letter in line.chars() {
        match letter {
            END if open == 0 => continue,
            END => open -= 1,
            BEGIN => open += 1,
            _ => {}
        }
        kept.push(letter);
    }
    kept.extend(std::iter::repeat_n(END, open + 1));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::localized_text::Texts;

    #[test]
    fn a_text_of_others_turns_no_word_around_it() {
        for (text, stands) in [
            ("Harbour", "Harbour"),
            ("", ""),
            ("Straße · 漢字 · 🗺", "Straße · 漢字 · 🗺"),
            ("Harbour \u{202e} drow", "Harbour  drow"),
            ("\u{202e}\u{5e0}\u{200b}", "\u{2068}\u{5e0}\u{2069}"),
            ("נמל", "\u{2068}נמל\u{2069}"),
            ("\u{627}\u{644} 12", "\u{2068}\u{627}\u{644} 12\u{2069}"),
            ("\u{10900}", "\u{2068}\u{10900}\u{2069}"),
            ("x\u{2069}\u{202e}y", "\u{2068}xy\u{2069}"),
            ("x\u{2067}y", "xy"),
            ("\u{2068}x\u{2069}\u{2069}y\u{2068}", "\u{2068}\u{2068}x\u{2069}y\u{2068}\u{2069}\u{2069}"),
            (
                "a\n\u{202e}\u{5e0}\r\n\nc",
                "\u{2068}a\u{2069}\n\u{2068}\u{5e0}\u{2069}\r\n\n\u{2068}c\u{2069}",
            ),
            ("a\u{2029}\u{202e}\u{5e0}", "\u{2068}a\u{2069}\u{2029}\u{2068}\u{5e0}\u{2069}"),
        ] {
            assert_eq!(isolated(text), stands, "{text:?}");
        }
        let list = ["a\u{202e}\u{5e0}".to_owned(), "b".to_owned()];
        assert_eq!(joined(&list, ", "), "\u{2068}a\u{5e0}\u{2069}, b");
        assert_eq!(
            isolated(&joined(&list, ", ")),
            "\u{2068}\u{2068}a\u{5e0}\u{2069}, b\u{2069}",
            "a list in a sentence"
        );
    }

    #[test]
    fn a_site_turns_no_word_of_a_notification() {
        for language in ["en", "de", "es"] {
            let said = Texts::of(language).say("notice.reminder", &[("site", "Harbour \u{202e} drow")]);
            assert!(said.contains("Harbour  drow") && !said.contains('\u{202e}'), "{said:?}");
        }
    }
}
