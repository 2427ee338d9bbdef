//! Commands that are no operations.

pub mod about;
pub mod doctor;
pub mod history;
pub mod pickers;
pub mod practice;
pub mod runs;
pub mod sign_in;
pub mod sites;
