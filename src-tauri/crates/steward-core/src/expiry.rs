//! What expires on a site: licenses, certificates, sessions, and invitations.
//!
//! [`check`] reads it from a component, and stores it where checked facts are kept. [`of_site`] makes one list of the stored facts,
//! and [`gaps`] returns what is not known. Both depend on their arguments only, and send nothing.

mod gaps;
mod list;
mod read;

pub use gaps::gaps;
pub use list::{LISTED_DAYS, NeededSession, WEEK, of_site};
pub(crate) use read::short;
pub use read::{check, failed};
