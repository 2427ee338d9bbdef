//! The vocabulary: identifiers, numbers, outcomes and the one error. Imports nothing else of this crate.

pub mod certificate;
pub mod data_item;
pub mod export_outcome;
pub mod history_key;
pub mod import_report;
pub mod item_row;
pub mod localized_text;
pub mod numbers;
pub mod operation;
pub mod problem;
pub mod run_result;
