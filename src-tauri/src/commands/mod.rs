//! Commands that are no operations.

pub mod about;
pub mod browser_sign_in;
pub mod contact_sheets;
pub mod doctor;
pub mod finding;
pub mod history;
pub mod items;
pub mod lap;
pub mod ledger;
pub mod mishaps;
pub mod pickers;
pub mod practice;
pub mod preferences;
pub mod profiles;
pub mod reconcile;
pub mod records;
pub mod runs;
pub mod sign_in;
pub mod sites;
pub mod updates;
pub mod uploads;
pub mod window;
