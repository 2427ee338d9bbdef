//! Backup plans: exports of a whole site by schedule, without a user.
//!
//! A [`plan`] names parts, [`schedule`], and rules; [`due`] decides whether it is due; [`run`] exports its parts, and leaves
//! a [`set`]; [`retention`] decides which sets are removed, and [`keeping`] removes them. The runner calls [`tick`], and writes
//! its progress to the [`store`]. `due`, `schedule` and `retention` are
//! pure: what they decide depends on their arguments only.

pub mod due;
pub mod keeping;
pub mod plan;
mod removal;
pub mod retention;
pub mod run;
pub mod schedule;
pub mod scheduler;
pub mod set;
pub mod store;
pub mod tick;
