//! How fast a search index grows, from one check to the next.

use serde::{Deserialize, Serialize};

use crate::model::numbers::Millis;

/// Growth of a search index since the first check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexProgress {
    /// Time and entries of the first check.
    first: (Millis, u32),
    /// Time and entries of the last check that found a different number than the check before it.
    last: (Millis, u32),
}

impl IndexProgress {
    /// Returns the progress after a check that found `indexed` entries.
    pub(super) fn after(before: Option<Self>, at: Millis, indexed: u32) -> Self {
        match before {
            Some(before) if indexed > before.last.1 => Self { last: (at, indexed), ..before },
            Some(before) if indexed == before.last.1 => before,
            // The index has fewer entries: its rebuild began again.
            _ => Self { first: (at, indexed), last: (at, indexed) },
        }
    }

    /// Returns the time since which the index has not grown.
    pub(super) const fn stands_since(&self) -> Millis {
        self.last.0
    }

    /// Returns the seconds until `entries` more are indexed at the average pace since the first check; `None` if it has
    /// not grown.
    pub(super) fn left(&self, entries: u32) -> Option<u32> {
        let (took, grown) = (self.last.0.0 - self.first.0.0, self.last.1 - self.first.1);
        let millis =
            i64::from(entries).checked_mul(took).filter(|_| took > 0 && grown > 0)? / i64::from(grown);
        u32::try_from(millis / 1000).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_begins_anew_has_no_pace_of_before() {
        let at = |minute: i64| Millis(minute * 60_000);
        let first = IndexProgress::after(None, at(0), 0);
        assert_eq!(first.left(340), None);
        let half = IndexProgress::after(Some(first), at(6), 212);
        assert_eq!(half.left(128), Some(217));
        let stands = IndexProgress::after(Some(half), at(9), 212);
        assert_eq!((stands.stands_since(), stands.left(128)), (at(6), Some(217)));
        let anew = IndexProgress::after(Some(stands), at(10), 5);
        assert_eq!((anew.stands_since(), anew.left(335)), (at(10), None));
    }
}
