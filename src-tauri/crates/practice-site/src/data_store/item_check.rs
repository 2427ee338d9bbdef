//! Check of data store items that an import brings.

use serde_json::Value;

/// Returns why an item cannot be stored. `None` if it can.
pub(crate) fn fault(item: &Value) -> Option<&'static str> {
    let path = item["path"].as_str().unwrap_or_default();
    if path != super::path::path(path) || path.matches('/').count() < 2 {
        return Some("it needs a 'path' below one of the roots, as in /fileShares/survey");
    }
    if path.chars().any(char::is_control)
        || item["type"].as_str().is_none_or(str::is_empty)
        || !(item["info"].is_object() || item["info"].is_null())
    {
        return Some("it needs a 'type', an object as 'info', and a path without control characters");
    }
    if !names_only_what_is_in_info(item) || !(item["id"].is_string() || item["id"].is_null()) {
        return Some("'encryptAttributes' must be a list of paths to texts below info, and 'id' a text");
    }
    None
}

/// Returns whether `encryptAttributes` lists only texts below `info`. With an encrypted path, an item could not be
/// found again.
fn names_only_what_is_in_info(item: &Value) -> bool {
    let is_text_in_info = |path: &Value| {
        let path = path.as_str().filter(|path| path.starts_with("info."));
        let value = path.and_then(|path| item.pointer(&format!("/{}", path.replace('.', "/"))));
        path.is_some() && value.is_none_or(Value::is_string)
    };
    match &item["encryptAttributes"] {
        Value::Null => true,
        Value::Array(named) => named.iter().all(is_text_in_info),
        _ => false,
    }
}
