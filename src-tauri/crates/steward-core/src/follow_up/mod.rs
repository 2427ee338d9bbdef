//! Follow-up of operations: checks of unknown outcomes, and reminders.

pub mod outcome_check;
pub mod reminders;
