//! A rehearsal: a restore from a backup set, tried on a site that is marked as test (ADR 0081).
//!
//! [`begun`] has the rehearsals that were begun, [`view`] what the window shows of one, and [`conduct`] begins, goes
//! on, and ends one, which leaves a [`receipt`]. What was imported is read from the history, as for a restore.
//! [`differences`] and [`verdict`] decide by their arguments alone.

pub mod begun;
pub mod conduct;
pub mod differences;
pub mod receipt;
pub mod receipt_file;
pub mod verdict;
pub mod view;
