//! Which code is shipped.

/// Sources of the crates that are shipped.
pub(super) const SHIPPED: [&str; 11] = [
    "src-tauri/src/",
    "src-tauri/crates/practice-site/src/",
    "src-tauri/crates/steward-app/src/",
    "src-tauri/crates/steward-changes/src/",
    "src-tauri/crates/steward-client/src/",
    "src-tauri/crates/steward-command/src/",
    "src-tauri/crates/steward-core/src/",
    "src-tauri/crates/steward-journal/src/",
    "src-tauri/crates/steward-plans/src/",
    "src-tauri/crates/steward-redact/src/",
    "src-tauri/crates/steward-vault/src/",
];

/// Returns whether a file of Rust belongs to what is shipped.
pub(super) fn is_shipped(file: &str) -> bool {
    SHIPPED.iter().any(|root| file.starts_with(root))
}
