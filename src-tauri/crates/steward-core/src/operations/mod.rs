//! The seven operations, one module each: form, requests, and report.
//!
//! Each `perform` runs in an [`Execution`](crate::execution::Execution).

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;
