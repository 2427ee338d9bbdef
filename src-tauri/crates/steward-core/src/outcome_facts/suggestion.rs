//! The outcome that the facts of a check suggest.

use serde::Serialize;

/// Outcome that the facts of a check suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum Suggestion {
    /// The request was processed.
    Done,
    /// The request was not processed.
    NotDone,
    /// The facts are not conclusive. The request might still be in progress.
    Unclear,
}

impl Suggestion {
    /// Returns [`Done`](Self::Done) if the effect of the request was seen. That it was not seen proves nothing.
    pub(crate) const fn done_if(is_seen: bool) -> Self {
        if is_seen { Self::Done } else { Self::Unclear }
    }

    /// Returns the suggestion for a request that does the opposite.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::Done => Self::NotDone,
            Self::NotDone => Self::Done,
            Self::Unclear => Self::Unclear,
        }
    }
}
