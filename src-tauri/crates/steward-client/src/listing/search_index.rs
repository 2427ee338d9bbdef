//! Search index of a portal, beside its database.

use std::cmp::Ordering;

use serde::Deserialize;

use super::parts::no_list;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::wire::{list_if_any, name, whole};

/// Number of entries of a kind in the database of a portal, and in its search index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexCount {
    /// Name of the index: `users`, `groups`, or that of the items, which is `search`, and `items` on Kubernetes.
    pub name: String,
    /// Entries in the database. `None` if the portal does not return them.
    pub database: Option<u32>,
    /// Entries in the index. `None` if the portal does not return them.
    pub index: Option<u32>,
}

impl IndexCount {
    /// Compares the entries in the index with those in the database. `None` if the portal does not return both.
    #[must_use]
    pub fn beside_database(&self) -> Option<Ordering> {
        Some(self.index?.cmp(&self.database?))
    }
}

/// Returns the number of entries in the search index of a portal and in its database, by kind.
///
/// # Errors
/// - [`ClientError::Rejected`] if the portal rejects the request.
/// - [`ClientError::Unreadable`] if the response contains no list of indexes.
/// - A connection or session error of [`ClientError`].
pub async fn search_index(portal: &Endpoint) -> Result<Vec<IndexCount>, ClientError> {
    #[derive(Deserialize)]
    struct Status {
        #[serde(default, deserialize_with = "list_if_any")]
        indexes: Option<Vec<Index>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Index {
        #[serde(default, deserialize_with = "name")]
        name: Option<String>,
        #[serde(default, deserialize_with = "whole")]
        database_count: Option<i64>,
        #[serde(default, deserialize_with = "whole")]
        index_count: Option<i64>,
    }
    let expected = "the status of the search index";
    let path = ["portaladmin", "system", "indexer", "status"];
    let status: Status = portal.get(&path, &[], expected).await?;
    let indexes = status.indexes.ok_or_else(|| no_list(expected))?;
    // A portal returns -1 for what it did not count.
    let number = |count: Option<i64>| count.and_then(|count| u32::try_from(count).ok());
    let counts = indexes.into_iter().map(|one| IndexCount {
        name: one.name.unwrap_or_default().to_lowercase(),
        database: number(one.database_count),
        index: number(one.index_count),
    });
    Ok(counts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_or_database_that_was_not_counted_is_neither_complete_nor_behind() {
        for (database, index, expected) in [
            (Some(2), Some(1), Some(Ordering::Less)),
            (Some(2), Some(2), Some(Ordering::Equal)),
            (Some(2), Some(3), Some(Ordering::Greater)),
            (Some(2), None, None),
            (None, Some(2), None),
            (None, None, None),
        ] {
            let count = IndexCount { name: "users".to_owned(), database, index };
            assert_eq!(count.beside_database(), expected, "{count:?}");
        }
    }
}
