//! The bodies of the operations, against the real practice site, without a window.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod desk;
mod doctor;

mod deactivate_webhooks;
mod export_portal;
mod export_server;
mod find_items;
mod history;
mod import_server;
mod old_data;
mod refresh_invitation;
mod restart;
mod sign_in;
mod stop;
mod update_participant;
