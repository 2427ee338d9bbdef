//! Every command is permitted by name, and nothing else is.

use std::collections::BTreeSet;
use std::path::Path;

#[expect(clippy::unwrap_used, reason = "a test that cannot read the tree has failed")]
fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The commands that stand between `start` and `end`, as often as these come.
fn commands<'a>(text: &'a str, start: &str, end: char) -> BTreeSet<&'a str> {
    let parts = text.split(start).skip(1).filter_map(|rest| rest.split(end).next());
    let words = parts.flat_map(|part| part.split('"').skip(1).step_by(2));
    words.collect()
}

#[test]
fn the_window_may_call_every_command_and_nothing_else() {
    let bindings = read("ui/src/bridge/bindings.ts");
    let permissions = read("src-tauri/permissions/commands.toml");

    let (_, calls) = bindings.split_once("export const commands").unwrap();
    let asked = commands(calls, "__TAURI_INVOKE", ')');
    let permitted = commands(&permissions, "commands.allow = [", ']');

    assert!(asked.contains("import_server"), "the bindings are read as they are written: {asked:?}");
    assert_eq!(asked, permitted);
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
