//! Backup plans: exports of a whole site by schedule, without a user.
//!
//! A [`plan`] names parts, a [`schedule`], and rules. The [`runner`] asks [`due`] which plans are due, and [`run`] exports the
//! parts of one, which leaves a [`set`]. [`retention`] decides which sets are kept, and [`keeping`] removes the others. What
//! `due`, `schedule` and `retention` return depends on their arguments only.

pub mod due;
pub mod keeping;
pub mod plan;
mod removal;
pub mod retention;
pub mod run;
pub mod runner;
pub mod schedule;
pub mod scheduler;
pub mod set;
pub mod store;
