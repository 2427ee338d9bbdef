//! View types that several operations share. They promise: no field is ever missing, and no number is too
//! large for the window.

pub mod certificate;
pub mod data_item;
pub mod ended;
pub mod export;
pub mod found_site;
pub mod history_key;
pub mod import_report;
pub mod item_row;
pub mod numbers;
pub mod saved_file;
pub mod several;
