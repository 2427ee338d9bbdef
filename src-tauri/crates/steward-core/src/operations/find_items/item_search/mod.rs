//! Results of data store item searches, in memory.
//!
//! The window requests the rows that it shows, because 100,000 items are too many for it, and secrets must not be
//! passed to it. [`ItemSearches`] keeps the last search of each server until the next one, a sign-in or sign-out, or a
//! change of its site.

mod cached_search;
mod columns;
mod file;
mod first_rows;
mod partial_item;
mod recent_filters;
pub mod rows;
mod searches;

pub use cached_search::{ItemQuery, ItemRows, ItemSearch, ItemSearchView, SearchId};
pub use columns::ItemColumn;
pub use file::{ItemFormat, save};
pub use first_rows::Arriving;
pub use partial_item::Head;
pub use recent_filters::RecentFilters;
pub use searches::ItemSearches;
