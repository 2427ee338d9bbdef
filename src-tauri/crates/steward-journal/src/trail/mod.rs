//! The audit trail: an append-only table of events, each with the hash of the one before.
//!
//! [`append`] writes an event in the transaction of what it tells of, [`verification`] finds what was changed afterwards, in the
//! chain, and [`records`] in the records that it tells of; [`export`] writes the trail to files. [`crate::audit_trail`] offers all of it to the callers of the journal.
//!
//! # Invariants
//!
//! - An entry is two lines of JSON, stored as they were hashed: the *envelope* (number, time, kind, hash of the envelope
//!   before, hash of the body) and the *body* (what happened). The chain runs over envelopes, so that a file can have all
//!   envelopes and only some bodies. No function removes a body: one that is missing is a break.
//! - An event that writes a record has the hash of all of it, as it is stored (`stored_form`). If a record differs from
//!   its last event when it is changed next, a break is appended first, so that the new event does not hide it.
//! - Numbers begin at 1 and have no gaps; the first envelope names [`NOTHING`] as the one before.
//! - The trail is tamper-evident to whoever keeps a [`Head`] elsewhere. A user who controls the account can write the whole
//!   chain anew: then only a kept head differs (`docs/adr/0046`).

mod append;
mod entry;
mod event;
pub mod export;
mod of_record;
pub(crate) mod record_indexes;
pub(crate) mod records;
mod stored_form;
mod tell_all;
pub(crate) mod verification;

pub(crate) use append::{append, head};
pub(crate) use entry::hash;
pub use entry::{Break, Damage, Head, NOTHING};
pub use event::{Event, ForwardedTo, KINDS, OfRecord, Refusal};
pub(crate) use of_record::{ended, record, record_line, resolved, resolved_deactivation, sent};
pub use tell_all::tell_all;
