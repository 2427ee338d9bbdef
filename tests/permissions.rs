//! Every command is permitted by name, and nothing else is.

use std::collections::BTreeSet;
use std::path::Path;

#[expect(clippy::unwrap_used, reason = "a test that cannot read the tree has failed")]
fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The quoted words of a text that follow `before`.
fn quoted<'a>(text: &'a str, before: &'a str) -> BTreeSet<&'a str> {
    let words = text.split(before).skip(1).filter_map(|rest| rest.split('"').next());
    words.filter(|word| word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')).collect()
}

#[test]
fn the_window_may_call_every_command_and_nothing_else() {
    let bindings = read("ui/src/bridge/bindings.ts");
    let permissions = read("src-tauri/permissions/commands.toml");

    let commands = quoted(&bindings, "(\"");
    let permitted = quoted(&permissions, "    \"");

    assert!(commands.contains("import_server"), "the bindings are read as they are written: {commands:?}");
    assert_eq!(commands, permitted);
}

#[test]
fn the_capability_names_no_plugin_that_reaches_files_or_network() {
    let capability: serde_json::Value =
        serde_json::from_str(&read("src-tauri/capabilities/main.json")).unwrap();
    let permissions = capability["permissions"].as_array().unwrap();

    for permission in permissions {
        let name = permission.as_str().unwrap();
        let harmless = name.starts_with("allow-")
            || ["core:event:allow-listen", "core:event:allow-unlisten", "core:window:allow-set-title"]
                .contains(&name);
        assert!(harmless, "{name}");
    }
}
