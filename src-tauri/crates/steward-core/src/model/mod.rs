//! Shared data types: identifiers, numbers, results, and the error type [`problem::Problem`].
//!
//! Imports no other module of this crate.

pub mod alert_channel;
pub(crate) mod ancestors;
pub mod archive_contents;
pub mod checked;
pub mod connection_fault;
pub mod data_item;
pub mod deployment;
pub mod expiry;
pub(crate) mod export_kind;
pub mod export_location;
pub mod export_outcome;
pub mod export_verification;
pub mod full_disk;
pub mod history_key;
pub mod ids;
pub mod import_report;
pub(crate) mod isolated;
pub mod item_row;
pub mod keyring_state;
pub mod localized_text;
pub mod numbers;
pub mod one_line;
pub mod operation;
pub(crate) mod pasted_path;
pub mod persistence;
pub(crate) mod person;
pub mod portal_store;
pub mod problem;
pub mod reactivated_webhooks;
pub mod retry_policy;
pub mod run_result;
pub mod saved_file;
pub mod service_check;
pub mod site_proof;
pub mod type_count;
pub(crate) mod typeable;
pub mod typed;
pub mod unavailable_reason;
