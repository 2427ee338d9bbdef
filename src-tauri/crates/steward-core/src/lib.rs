//! Site Steward without its window: saved sites, sessions, the operations, history, and settings.
//!
//! `steward-app` opens its services, and the desktop shell passes the commands of the window to its functions; tests do the
//! same without a window. This crate does not depend on backup plans, Tauri, a dialog library, or a keyring.

pub mod access;
pub mod actions;
pub mod batch;
pub mod changes;
mod daily_copies;
pub mod diagnostics;
pub mod execution;
pub mod expiry;
pub mod files;
pub mod follow_up;
pub mod forwarding;
pub mod history;
pub mod inventory;
pub mod listings;
pub mod logs;
pub mod model;
pub mod operations;
mod outcome_facts;
pub mod practice;
pub mod proof;
pub mod request_preview;
pub mod runs;
pub mod settings;
pub mod site_context;
pub mod sites;
pub mod start;
pub mod transfers;
pub mod unreadable;
pub mod updates;
pub mod vendor_backups;
pub mod webhooks;
