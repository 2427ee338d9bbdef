//! Journeys: the real program in a real window, with the real keyring, real file dialogs and a running site.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod practice;
mod screens;

mod accessible;
mod backup_plans;
mod careful;
mod changes;
mod comparison;
mod contract;
mod data_stores;
mod failed_start;
mod guided_tour;
mod hostile_strings;
mod interruptions;
mod invitation;
mod keyboard;
mod keyring;
mod languages;
#[cfg(target_os = "linux")]
mod manners;
mod opened_files;
mod operations;
mod overview;
mod policy;
mod portal_back;
mod portal_import;
mod printing;
mod refusals;
mod rehearsal;
mod restart;
#[cfg(unix)]
mod sign_in;
mod three_servers;
mod updates;
