//! The vocabulary: identifiers, numbers, outcomes and the one error. Imports nothing else of this crate.

pub mod certificate;
pub mod data_item;
pub mod deployment;
pub mod export_outcome;
pub mod history_key;
pub mod ids;
pub mod import_report;
pub mod item_row;
pub mod localized_text;
pub mod numbers;
pub mod obstacle;
pub mod operation;
pub mod problem;
pub mod retry_policy;
pub mod run_result;
pub mod saved_file;
