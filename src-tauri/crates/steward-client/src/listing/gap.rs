//! What a site did not return of a list.

use serde::Serialize;

use crate::error::ClientError;
use crate::limits::shown;

/// What a site did not return of a list. It stands in place of the elements, so that the list is not taken for complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Gap {
    /// A part of the list, for example a folder.
    NotListed {
        /// Reason, as returned by the site or the library.
        reason: String,
    },
    /// Elements beyond the first ones.
    Cut {
        /// Number of returned elements.
        listed: u32,
        /// Number of all elements, as returned by the site.
        total: u32,
    },
}

impl Gap {
    pub(super) fn of(error: &ClientError) -> Self {
        Self::NotListed { reason: shown(error.to_string()) }
    }

    /// Returns the gap of a list with `listed` of `total` elements; `None` if there is none.
    pub(super) fn between(listed: usize, total: Option<i64>) -> Option<Self> {
        let [listed, total] = [i64::try_from(listed).unwrap_or(i64::MAX), total?];
        let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        (listed < total).then(|| Self::Cut { listed: number(listed), total: number(total) })
    }
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotListed { reason } => f.write_str(reason),
            Self::Cut { listed, total } => write!(f, "{listed} of {total} were returned"),
        }
    }
}
