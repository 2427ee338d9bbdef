//! Commands of the window: one thin function each, which calls `steward-core` and returns its result.
//!
//! An error that a command returns is the one of the function that it calls.

pub(crate) mod alerts;
pub(crate) mod app;
pub(crate) mod audit_trail;
pub(crate) mod changes;
pub(crate) mod contacts_file;
pub(crate) mod deactivations;
pub(crate) mod forwarding;
pub(crate) mod history;
pub(crate) mod items;
pub(crate) mod listings;
pub(crate) mod operations;
pub(crate) mod overview;
pub(crate) mod plan_process;
pub(crate) mod plans;
pub(crate) mod practice;
pub(crate) mod rehearsals;
pub(crate) mod runs;
pub(crate) mod sign_in;
pub(crate) mod site_proofs;
pub(crate) mod sites;
pub(crate) mod updates;
pub(crate) mod uploads;
pub(crate) mod window;

use steward_app::steward::Steward;
use steward_core::model::problem::Problem;
use tauri::State;

/// The open program, which each command is given.
type Program<'a> = State<'a, Steward>;

/// Return value of a command.
type Reply<T> = Result<T, Problem>;
