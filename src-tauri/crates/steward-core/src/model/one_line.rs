//! Texts that a user types into one line.

use steward_client::without_hidden;

/// Longest text, in characters.
const LONGEST: usize = 500;

/// Returns a text in one line, without invisible characters and blanks around it, of at most 500 characters: a pasted one can be
/// a page.
pub fn one_line(text: &str) -> String {
    let text = without_hidden(text.to_owned());
    let words: Vec<&str> = text.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let line: String = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_several_lines_becomes_one_line() {
        for (typed, kept) in [
            ("", ""),
            ("  \n ", ""),
            (" CHG-2291 ", "CHG-2291"),
            ("CHG-2291\r\n\tzoning\u{0}update", "CHG-2291 zoning update"),
            ("Straße – Übung", "Straße – Übung"),
            ("CHG\u{200b}-\u{202e}2291", "CHG-2291"),
        ] {
            assert_eq!(one_line(typed), kept);
        }
        assert_eq!(one_line(&"ß".repeat(10_000)).chars().count(), LONGEST);
    }
}
