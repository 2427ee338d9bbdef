//! Receiver URLs of webhooks, which often contain a key in path or query.
//!
//! [`Receivers`] collects the URLs that a site returns, and masks them in texts.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use url::{Position, Url};

use crate::spellings::spellings;

/// Minimum length of a path that is masked. Shorter paths also occur in other texts.
const SHORTEST_PATH: usize = 12;

/// Minimum length of a path segment or value that is masked. Shorter ones are not keys.
const SHORTEST_KEY: usize = 16;

/// Memory of the masked texts, in bytes. Each receiver has dozens of spellings; 30,000 ordinary ones fit.
const MOST: usize = 256 * 1024 * 1024;

/// Memory of a masked text besides its bytes.
const OVERHEAD: usize = 64;

/// Number of bytes that the search compares first. No masked text is shorter.
const START: usize = 6;

/// Receiver URLs that a site returned so far. A site can repeat one in any message.
#[derive(Clone, Default)]
pub(crate) struct Receivers(Arc<Mutex<MaskedTexts>>);

/// Texts to mask. A search automaton would need seven times the memory of the texts, and would be built anew after each
/// URL.
#[derive(Default)]
struct MaskedTexts {
    /// Masked text and its replacement.
    texts: BTreeMap<String, Arc<str>>,
    /// Beginnings of the texts.
    starts: HashSet<[u8; START]>,
    /// Length of the longest text, in bytes.
    longest: usize,
    /// Memory of the texts, in bytes.
    size: usize,
}

impl std::fmt::Debug for Receivers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receivers")
    }
}

impl Receivers {
    /// Adds a receiver URL that the site returned. Returns `false` if the URLs are too many, or too long, to be masked:
    /// the webhooks must not be used then.
    #[must_use]
    pub(crate) fn note(&self, address: &str) -> bool {
        let mut known = self.known();
        for (text, replacement) in secret_parts(address) {
            let replacement: Arc<str> = replacement.into();
            for spelling in spellings(&text) {
                known.note(spelling, &replacement);
            }
            if known.size > MOST {
                return false;
            }
        }
        true
    }

    /// Returns `text` with the secret parts of the URLs masked.
    pub(crate) fn clean(&self, text: &str) -> String {
        self.known().clean(text)
    }

    /// Returns the length of the longest masked text, in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.known().longest
    }

    fn known(&self) -> MutexGuard<'_, MaskedTexts> {
        // A panic leaves at most a text that is not found by its beginning.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MaskedTexts {
    fn note(&mut self, text: String, replacement: &Arc<str>) {
        if let Some(start) = text.as_bytes().first_chunk() {
            self.starts.insert(*start);
            let length = text.len();
            self.longest = self.longest.max(length);
            if self.texts.insert(text, replacement.clone()).is_none() {
                self.size += length + OVERHEAD;
            }
        }
    }

    fn clean(&self, text: &str) -> String {
        let mut cleaned = String::with_capacity(text.len());
        let (mut copied, mut at) = (0, 0);
        while let Some(start) = text.as_bytes()[at..].first_chunk() {
            match self.starts.contains(start).then(|| self.longest_at(&text[at..])).flatten() {
                Some((length, replacement)) => {
                    cleaned.push_str(&text[copied..at]);
                    cleaned.push_str(replacement);
                    at += length;
                    copied = at;
                }
                None => at += 1,
            }
        }
        cleaned.push_str(&text[copied..]);
        cleaned
    }

    /// Returns the longest text that `rest` begins with: its length and its replacement.
    fn longest_at(&self, rest: &str) -> Option<(usize, &str)> {
        let mut rest = &rest[..rest.floor_char_boundary(self.longest)];
        loop {
            // A text that `rest` begins with is not greater than `rest`, and of those the longest is the greatest.
            let (text, replacement) =
                self.texts.range::<str, _>((Bound::Unbounded, Bound::Included(rest))).next_back()?;
            if rest.starts_with(text) {
                return Some((text.len(), replacement));
            }
            let common = rest.bytes().zip(text.bytes()).take_while(|(one, other)| one == other).count();
            rest = &rest[..rest.floor_char_boundary(common)];
        }
    }
}

/// Returns the origin of a URL, which can be shown. Empty if `address` is not a URL.
pub(crate) fn origin(address: &str) -> String {
    Url::parse(address).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization())
}

/// Returns the secret parts of a URL and their replacements.
fn secret_parts(address: &str) -> Vec<(String, String)> {
    let hidden = || "…".to_owned();
    let address = address.trim();
    let Some(url) = Url::parse(address).ok().filter(Url::has_host) else {
        return if address.len() < SHORTEST_PATH { Vec::new() } else { vec![(address.to_owned(), hidden())] };
    };
    let shown = format!("{}/…", url.origin().ascii_serialization());
    let mut parts = Vec::new();
    let keys = [Some(url.username()), url.password()].into_iter().flatten();
    if url.path().len() > 1 || url.query().is_some() || keys.clone().any(|key| !key.is_empty()) {
        // Redirect targets are shown without their query.
        let wholes = [address, url.as_str(), &url[..Position::AfterPath]];
        parts.extend(wholes.map(|whole| (whole.to_owned(), shown.clone())));
    }
    let ends = [&url[Position::BeforePath..], url.path()];
    parts.extend(ends.iter().filter(|end| end.len() >= SHORTEST_PATH).map(|&end| (end.to_owned(), hidden())));
    let words = ends[0].split(['/', '?', '&', '=', '#', ';']).chain(keys);
    parts.extend(words.filter(|word| word.len() >= SHORTEST_KEY).map(|word| (word.to_owned(), hidden())));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn receivers_whose_spellings_need_too_much_memory_are_not_used() {
        let receivers = Receivers::default();
        let long = |number: usize| format!("https://hooks.example.org/{number}{}", "&'ü<".repeat(9_000));

        let noted = (0..100).take_while(|number| receivers.note(&long(*number))).count();

        assert!((1..50).contains(&noted), "{noted}");
    }

    #[test]
    fn receiver_urls_are_masked_except_the_origin() {
        let receivers = Receivers::default();
        assert_eq!(receivers.clean("https://hooks.example.org/a"), "https://hooks.example.org/a");
        for address in [
            "https://hooks.example.org/services/T0/B0/aVeryLongKeyOfAReceiver?sig=a%2Fb&v=1",
            "https://sam:aPasswordOfAReceiver@other.example.org/h",
            "https://plain.example.org",
        ] {
            assert!(receivers.note(address));
        }
        let clean = |text: &str| receivers.clean(text);

        assert_eq!(
            clean("(https://hooks.example.org/services/T0/B0/aVeryLongKeyOfAReceiver?sig=a%2Fb&v=1)"),
            "(https://hooks.example.org/…)"
        );
        assert_eq!(
            clean(
                "https:\\/\\/hooks.example.org\\/services\\/T0\\/B0\\/aVeryLongKeyOfAReceiver?sig=a%2Fb&v=1"
            ),
            "https://hooks.example.org/…"
        );
        assert_eq!(clean("POST /services/T0/B0/aVeryLongKeyOfAReceiver?sig=a%2Fb&amp;v=1"), "POST …");
        assert_eq!(clean("no receiver aVeryLongKeyOfAReceiver"), "no receiver …");
        assert_eq!(
            clean("https://sam:aPasswordOfAReceiver@other.example.org/h"),
            "https://other.example.org/…"
        );
        for harmless in ["https://plain.example.org", "https://hooks.example.org/other", "/services/T0"] {
            assert_eq!(clean(harmless), harmless);
        }
    }

    #[test]
    fn of_texts_that_begin_alike_the_longest_is_masked() {
        let mut known = MaskedTexts::default();
        for (text, replacement) in [("/hooks/ä", "1"), ("/hooks/äö-long", "2"), ("/hooks/z", "3")] {
            known.note(text.to_owned(), &replacement.into());
        }

        assert_eq!(known.clean("/hooks/äö-long"), "2");
        assert_eq!(known.clean("ü/hooks/äö-lon/hooks/zz"), "ü1ö-lon3z");
        assert_eq!(known.clean("/hooks/ /hooks/b /hook"), "/hooks/ /hooks/b /hook");
        assert_eq!(known.clean(""), "");
    }

    #[test]
    fn long_urls_need_little_more_memory_than_their_spellings() {
        let receivers = Receivers::default();
        for number in 0..100 {
            let key = format!("{number:08x}").repeat(40);
            let address = format!("https://flow.example.org/workflows/{key}/invoke?api-version=1&sig={key}");
            assert!(receivers.note(&address));
        }

        let known = receivers.known();
        let bytes: usize = known.texts.keys().map(String::len).sum();

        assert!(bytes < 5_000_000, "{bytes}");
        assert!(known.starts.len() < 500, "{}", known.starts.len());
    }
}
