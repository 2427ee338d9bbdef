//! Site Steward without its window: saved sites, sign-in, the seven operations, history and settings.
//!
//! The shell, which names Tauri, composes a [`host::Host`] and carries the questions of the window here; a test does the
//! same without a window. Nothing here names Tauri, a dialog library or a keyring.

pub mod access;
pub mod actions;
pub mod batch;
pub mod diagnostics;
pub mod execution;
pub mod files;
pub mod follow_up;
pub mod history;
pub mod host;
pub mod listings;
pub mod logs;
pub mod model;
pub mod operations;
pub mod practice;
pub mod runs;
pub mod settings;
pub mod sites;
pub mod transfers;
pub mod updates;
