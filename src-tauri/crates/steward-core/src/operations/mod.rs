//! The seven operations, one file or folder each: form, request, report.

pub mod deactivate_webhooks;
pub mod export_portal;
pub mod export_server;
pub mod find_items;
pub mod import_server;
pub mod refresh_invitation;
pub mod update_participant;
