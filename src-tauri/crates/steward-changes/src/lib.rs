//! Snapshots of the configuration of sites, and their differences.
//!
//! [`fields()`] frees a resource of its secrets and brings it into the form in which two readings compare equal, [`Store`] keeps
//! it, and [`compare`] finds what differs between two snapshots. Nothing here knows a site, a user, or a window.
//!
//! Invariants: what is written to disk passed [`fields()`]; what was not read is a [`Gap`], and is neither equal nor missing.

mod comparison;
mod fields;
mod key;
mod store;
mod substitutions;
mod value;
mod volatile;

pub use comparison::{Between, Change, Comparison, Difference, FieldDifference, between, compare};
pub use fields::{Fields, Leaf, PrintKey, fields, visible};
pub use key::{Contents, Gap, Held, Key, Kind};
pub use store::{
    Accepted, Cause, KEPT, NewSnapshot, SavedSubstitution, Store, StoreError, StoredSnapshot, VolatileField,
};
pub use substitutions::{MadeEqual, Substitution, Substitutions};
pub use value::Value;
pub use volatile::{differing, pattern, set_apart};
