//! The operations of the specification, one module each, and the portal import.

mod deactivate_webhooks;
mod export_portal;
mod export_server;
mod find_items;
mod import_portal;
mod import_server;
mod refresh_invitation;
mod update_participant;

pub(crate) use deactivate_webhooks::deactivate_webhooks;
pub(crate) use export_portal::export_portal;
pub(crate) use export_server::export_server;
pub(crate) use find_items::find_items;
pub(crate) use import_portal::import_portal;
pub(crate) use import_server::import_server;
pub(crate) use refresh_invitation::refresh_invitation;
pub(crate) use update_participant::update_participant;
