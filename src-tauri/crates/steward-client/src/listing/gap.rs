//! What a site did not return of a list.

use serde::Serialize;

use crate::error::ClientError;
use crate::limits::shown;
use crate::raw_list::RawList;

/// Elements that a site did not return in a list. It takes their place, so that the list does not appear complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Gap {
    /// A part of the list, for example a folder.
    NotListed {
        /// Reason, as returned by the site or the library.
        reason: String,
    },
    /// The site returned only the first elements.
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

    /// Returns what a site did not return of a list that it returns in one response; `None` if there is nothing.
    #[must_use]
    pub fn of_list(list: &RawList) -> Option<Self> {
        let goes_on =
            || Self::NotListed { reason: "the list goes on after the returned elements".to_owned() };
        Self::between(list.len(), list.total())
            .or_else(|| list.goes_on().then(goes_on))
            .or_else(|| Self::of_warnings(list.warnings()))
    }

    /// Returns the gap of a list with warnings beside it, which can mean that elements are missing; `None` without one.
    pub(super) fn of_warnings(warnings: &[String]) -> Option<Self> {
        (!warnings.is_empty()).then(|| Self::NotListed { reason: shown(warnings.join("; ")) })
    }

    /// Returns the gap of a list with elements that cannot be read; `None` if there are none.
    #[must_use]
    pub fn of_unreadable(elements: usize) -> Option<Self> {
        let reason = match elements {
            0 => return None,
            1 => "1 entry has no name that can be used".to_owned(),
            _ => format!("{elements} entries have no name that can be used"),
        };
        Some(Self::NotListed { reason })
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
