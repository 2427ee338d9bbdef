//! What was sent, when, by whom and with what outcome.
//!
//! Intent before effect: a record is on disk before the first byte of a request leaves, and its outcome is
//! written before the person sees it. A record whose outcome was never written belongs to a program that ended
//! in between; when the journal is opened next, it becomes `unknown`.
//!
//! # Secrets
//!
//! Everything passes [`redact`] on its way in, and once more on its way out into a file or a command: the
//! values of fields whose *name* says that they are secret, wherever such a pair can be read (form fields, the
//! query of an address, JSON at any depth, `name=value` and `name: value` in text), user information in
//! addresses, and what follows `Bearer` or `Basic`. A bare secret without a name cannot be told from other
//! text: whoever fills an [`Intent`] or a [`Conclusion`] must not hand one over, and must not hand over an
//! answer that *is* a secret, as an invitation is.

mod check;
pub mod evidence;
mod journal;
mod ledger;
mod older;
mod page;
mod record;
pub mod redact;
pub mod replay;
mod schema;
mod search;
mod settle;
pub mod tables;
mod ticks;
mod workstation;

pub use check::Health;
pub use journal::{Journal, JournalError};
pub use ledger::{Silence, SilenceState, SilencedWebhook, Silencing};
pub use record::{Answer, Conclusion, Intent, Outcome, Record, Request, Whole};
pub use search::{Filter, Page};
pub use settle::Settlement;
pub use workstation::Workstation;
