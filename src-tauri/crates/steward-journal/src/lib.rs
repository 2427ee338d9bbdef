//! History of the program: what was sent, when, by whom, and with what outcome, stored in one SQLite file.
//!
//! [`Journal::open`] opens or creates the file. An operation calls [`Journal::intend`] before it sends a request and
//! [`Journal::conclude`] after the response. [`Journal::page`] and [`Journal::whole`] read entries; [`audit_package`],
//! [`tables`], and [`command_export`] write them to files and text.
//!
//! # Invariants
//!
//! - An entry is on disk before the first byte of its request is sent, and its outcome is on disk before the user sees
//!   it. If the program ends in between, the outcome becomes [`Outcome::Unknown`] when the journal is opened next.
//! - A journal of a newer format is not changed.
//! - A row that was damaged on disk is never returned as if it was intact. It costs no other row, and a damaged page costs
//!   its rows only.
//!
//! # Secrets
//!
//! Everything passes [`steward_redact`] before it is stored, and again before it is exported: it masks secrets that it
//! recognizes by a name in front of them, or by their shape. It cannot detect another one: callers must not put it into an
//! [`Intent`] or a [`Conclusion`], and must not pass a response that is a secret as a whole, such as an invitation.

pub mod audit_package;
mod audit_trail;
mod batches;
mod checklist;
mod checksum;
pub mod command_export;
mod copy;
mod deactivations;
mod integrity_check;
mod journal;
mod opened;
mod outcome_resolution;
mod page;
mod process;
mod reason;
mod record;
mod report;
mod salvage;
mod schema;
mod search;
pub mod tables;
pub mod trail;
pub mod trail_files;
mod unsolved;
mod workstation;

pub use audit_trail::{Following, RolledBack, StandingEvent, TrailStatus, Verified};
pub use batches::BatchOutcomes;
pub use checksum::seal_all;
pub use deactivations::{DeactivatedWebhook, Deactivation, DeactivationState, NewDeactivation};
pub use integrity_check::Health;
pub use journal::{Fault, Journal, JournalError};
pub use process::Process;
pub use record::{
    Batch, Conclusion, Facts, Intent, NoteKind, NotePart, Outcome, OutcomeResolution, ReactivationCounts,
    RunPart, SettingChange, StoredRecord, StoredRequest, StoredResponse, Whole,
};
pub use report::Report;
pub use search::{DamagedRecords, Filter, Listed, Page};
pub use unsolved::{NewestExports, Unsolved};
pub use workstation::Workstation;
