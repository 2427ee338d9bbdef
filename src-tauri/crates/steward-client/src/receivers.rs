//! Receiver URLs of webhooks, which often contain a key in path or query.
//!
//! [`Receivers`] collects the URLs that a site returns; [`Finder`] masks them in texts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aho_corasick::{AhoCorasick, MatchKind};
use url::{Position, Url};

use crate::spellings::spellings;

/// Minimum length of a path that is masked. Shorter paths also occur in other texts.
const SHORTEST_PATH: usize = 12;

/// Minimum length of a path segment or value that is masked. Shorter ones are not keys.
const SHORTEST_KEY: usize = 16;

/// Receiver URLs that a site returned so far. A site can repeat one in any message.
#[derive(Clone, Default)]
pub(crate) struct Receivers(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// Masked text and its replacement.
    texts: BTreeMap<String, String>,
    /// Search automaton for all texts. `None` until it is needed, and after a text was added.
    finder: Option<Finder>,
}

/// Replacement of the known receiver URLs in texts.
#[derive(Clone)]
pub(crate) struct Finder(Arc<(AhoCorasick, Vec<String>)>);

impl std::fmt::Debug for Receivers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receivers")
    }
}

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Finder")
    }
}

impl Receivers {
    /// Adds a receiver URL that the site returned.
    pub(crate) fn note(&self, address: &str) {
        let mut known = self.known();
        for (text, replacement) in secret_parts(address) {
            for spelling in spellings(&text) {
                if known.texts.insert(spelling, replacement.clone()).is_none() {
                    known.finder = None;
                }
            }
        }
    }

    /// Returns a finder for every URL added so far. `None` if there are none.
    pub(crate) fn finder(&self) -> Option<Finder> {
        let mut known = self.known();
        if known.finder.is_none() && !known.texts.is_empty() {
            let longest = MatchKind::LeftmostLongest;
            let automaton = AhoCorasick::builder().match_kind(longest).build(known.texts.keys()).ok()?;
            let replacement = known.texts.values().cloned().collect();
            known.finder = Some(Finder(Arc::new((automaton, replacement))));
        }
        known.finder.clone()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A panic cannot leave a single insertion incomplete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Finder {
    /// Returns `text` with the secret parts of the URLs masked.
    pub(crate) fn clean(&self, text: &str) -> String {
        let (automaton, replacement) = &*self.0;
        automaton.replace_all(text, replacement)
    }

    /// Returns the length of the longest masked text, in bytes.
    pub(crate) fn longest(&self) -> usize {
        self.0.0.max_pattern_len()
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
    let Ok(url) = Url::parse(address) else {
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
    fn receiver_urls_are_masked_except_the_origin() {
        let receivers = Receivers::default();
        assert!(receivers.finder().is_none());
        for address in [
            "https://hooks.example.org/services/T0/B0/aVeryLongKeyOfAReceiver?sig=a%2Fb&v=1",
            "https://sam:aPasswordOfAReceiver@other.example.org/h",
            "https://plain.example.org",
        ] {
            receivers.note(address);
        }
        let clean = |text: &str| receivers.finder().unwrap().clean(text);

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
}
