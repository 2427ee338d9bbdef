//! Addresses of the receivers of webhooks, which often are secrets from the first slash on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aho_corasick::{AhoCorasick, MatchKind};
use url::{Position, Url};

use crate::answer::spellings;

/// Shorter parts of an address stand in other texts as well.
const SHORTEST_PATH: usize = 12;

/// Shorter words are no keys.
const SHORTEST_KEY: usize = 16;

/// The addresses that a site named so far. A site may repeat one in any of its messages.
#[derive(Clone, Default)]
pub(crate) struct Receivers(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    /// What is taken out, and what stands there instead.
    texts: BTreeMap<String, String>,
    /// Made when it is needed, from all of them.
    finder: Option<Finder>,
}

/// Takes the known addresses out of texts.
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
    /// Notes an address that the site named.
    pub(crate) fn note(&self, address: &str) {
        let mut known = self.known();
        for (text, instead) in secret_parts(address) {
            for spelling in spellings(&text) {
                if known.texts.insert(spelling, instead.clone()).is_none() {
                    known.finder = None;
                }
            }
        }
    }

    /// Finds every address that was noted; `None` where there is none.
    pub(crate) fn finder(&self) -> Option<Finder> {
        let mut known = self.known();
        if known.finder.is_none() && !known.texts.is_empty() {
            let longest = MatchKind::LeftmostLongest;
            let automaton = AhoCorasick::builder().match_kind(longest).build(known.texts.keys()).ok()?;
            let instead = known.texts.values().cloned().collect();
            known.finder = Some(Finder(Arc::new((automaton, instead))));
        }
        known.finder.clone()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Single insertions; none can be left half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Finder {
    /// A text without what is secret of the addresses.
    pub(crate) fn clean(&self, text: &str) -> String {
        let (automaton, instead) = &*self.0;
        automaton.replace_all(text, instead)
    }

    /// The length of the longest text that is taken out.
    pub(crate) fn longest(&self) -> usize {
        self.0.0.max_pattern_len()
    }
}

/// The origin of an address, which may be shown; empty for what is no address.
pub(crate) fn origin(address: &str) -> String {
    Url::parse(address).map_or_else(|_| String::new(), |url| url.origin().ascii_serialization())
}

/// What of an address must not be shown, and what stands there instead.
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
        // Redirections are told without their queries.
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
    fn only_the_origin_of_an_address_is_left_however_it_is_repeated() {
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
