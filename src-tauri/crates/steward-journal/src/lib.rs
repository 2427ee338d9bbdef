//! What was sent, when, by whom and with what outcome.
//!
//! Intent before effect: a record is on disk before the first byte of a request leaves, and its outcome is
//! written before the person sees it. A record whose outcome was never written belongs to a program that ended
//! in between; when the journal is opened next, it becomes `unknown`.

mod journal;
mod record;

pub use journal::{Journal, JournalError};
pub use record::{Conclusion, Filter, Intent, Outcome, Record};
