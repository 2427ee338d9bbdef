//! Comparison of names: names that a typed confirmation cannot tell apart are equal.

use icu_normalizer::ComposingNormalizerBorrowed;
use steward_client::is_invisible;

/// Returns a name as it can be typed on any keyboard, for comparison: keyboards lack some characters of names.
///
/// `ui/src/lib/confirmation.ts` compares by the same rules.
pub(crate) fn typeable(text: &str) -> String {
    let mut typeable = String::with_capacity(text.len());
    for letter in ComposingNormalizerBorrowed::new_nfc().normalize(text).chars() {
        match letter {
            letter if is_invisible(letter) => {}
            'ß' => typeable.push_str("ss"),
            'ẞ' => typeable.push_str("SS"),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => typeable.push('-'),
            '\u{2018}'..='\u{201b}' | '\u{2032}' | '`' | '´' => typeable.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => typeable.push('"'),
            '…' => typeable.push_str("..."),
            letter if letter.is_whitespace() => {
                if !typeable.ends_with(' ') {
                    typeable.push(' ');
                }
            }
            letter => typeable.push(letter),
        }
    }
    typeable.trim().to_owned()
}
