//! Follow-up of operations: checks of unknown outcomes, reminders, and the texts of notifications.

pub mod notifications;
pub mod outcome_check;
pub mod reminders;
