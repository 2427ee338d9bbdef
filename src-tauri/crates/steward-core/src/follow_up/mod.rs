//! What is looked at after an operation: the outcome of a request without a response, and what is due.

pub mod outcome_check;
pub mod reminders;
