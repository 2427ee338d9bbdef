//! Webhooks of the services of a server: deactivated, and reactivated exactly as they were.
//!
//! [`deactivation`] deactivates those of services, after [`deactivation_log`] stored which are active. [`reactivation`]
//! reactivates those of an entry of the log.

pub mod deactivation;
pub mod deactivation_log;
pub mod reactivation;
