//! Administration of service webhooks: list, create, edit, delete, activate, failures, and the common settings. Their
//! deactivation is an operation, see [`crate::operations`].

mod change;
mod form;
mod list;
mod request;
mod settings;
mod status;

pub(crate) use change::{activate_all, create, delete, delete_all, edit};
pub(crate) use list::{every, of_service, one};
pub(crate) use request::require_webhook_support;
pub(crate) use settings::{change_settings, settings};
pub(crate) use status::notification_status;
