//! Webhooks of the services of a server: deactivated, and reactivated exactly as they were.
//!
//! [`deactivation_log`] stores which webhooks were active, and [`reactivation`] reactivates those of its entries.

pub mod deactivation_log;
pub mod reactivation;
