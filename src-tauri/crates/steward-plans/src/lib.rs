//! Backup plans: exports of a whole site by schedule, without a user.
//!
//! A [`plan`] names parts, a [`schedule`], and rules. The file `night.rs` asks [`due`] which plans are due, and an
//! [`attempt`] exports the parts of one, which leaves a [`set`]; [`process`] is the program of a night, whose progress
//! the window reads from the files of [`exchange`]. [`acceptance`] judges whether a plan can run without a user, before it is saved and
//! before each run. [`retention`] decides which sets are kept, and [`keeping`] removes the others. [`alerts`] report
//! faults. The decisions of `due`, `schedule`, `acceptance`, `retention`, `state` and `alerts::when` depend on their
//! arguments only. The window uses [`saved`], which validates a [`form`], and [`sets`] with their [`set_contents`] and
//! [`set_trail`]; the runner reads from `found` the changes of a set since its run. [`restore`] has the steps of a
//! restore from a set, and [`rehearsal`] tries them on a test site.

pub mod acceptance;
pub(crate) mod acceptance_facts;
pub mod acceptance_line;
mod account_key;
pub mod alerts;
pub(crate) mod all_well;
pub mod attempt;
pub(crate) mod attempt_end;
pub(crate) mod attempt_record;
pub(crate) mod awake;
pub(crate) mod changes;
mod copied;
pub(crate) mod cut_off;
pub mod data_files;
pub(crate) mod drive;
pub mod due;
pub(crate) mod events;
pub mod exchange;
pub mod expiries;
pub mod form;
mod found;
pub(crate) mod host;
pub mod keeping;
pub mod mark;
pub(crate) mod night;
pub mod not_removed;
pub mod older_runner;
pub(crate) mod open_sets;
pub mod plan;
pub mod plan_folder;
pub(crate) mod prepare;
pub mod process;
pub mod profiles;
pub mod rehearsal;
mod removal;
pub mod restore;
pub mod retention;
pub mod rules;
pub mod saved;
pub mod schedule;
pub mod scheduler;
pub(crate) mod services;
pub mod set;
pub mod set_contents;
pub mod set_search;
pub mod set_trail;
pub mod set_verification;
pub mod sets;
pub(crate) mod shown;
pub(crate) mod sign_of_life;
pub mod state;
pub mod store;
pub(crate) mod tell;
