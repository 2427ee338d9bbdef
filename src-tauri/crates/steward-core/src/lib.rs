//! Site Steward without its window: saved sites, sign-in, the seven operations, history and settings.
//!
//! The shell, which names Tauri, composes a [`host::Host`] and carries the questions of the window here; a test does the
//! same without a window. Nothing here names Tauri, a dialog library or a keyring.

mod acts;
mod archive;
pub mod browser_sign_in;
mod collaboration_hosts;
mod confirmation;
mod connection;
pub mod contact_sheet;
pub mod data_folder;
pub mod dialogs;
pub mod doctor;
pub mod dropped;
pub mod finding;
pub mod gate;
pub mod history;
pub mod host;
pub mod item_searches;
pub mod kept_invitations;
pub mod lap;
pub mod locks;
pub mod logs;
mod marks;
pub mod operations;
mod own_address;
pub mod parachute;
pub mod persistence;
pub mod pickers;
pub mod places;
pub mod policy;
pub mod practice;
pub mod preferences;
pub mod problem;
pub mod reconcile;
pub mod reminders;
pub mod report_file;
pub mod runs;
pub mod saving;
mod sent;
pub mod sessions;
pub mod several;
pub mod sign_in;
pub mod silences;
pub mod sites;
mod stored_export;
pub mod task;
pub mod token_life;
pub mod updates;
pub mod uploading;
pub mod views;
pub mod words;
