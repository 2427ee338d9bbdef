//! The window may call the commands of the program, and nothing else.

use std::path::Path;

#[test]
fn the_window_may_call_commands_and_listen_and_nothing_else() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src-tauri/capabilities/main.json");
    let capability: serde_json::Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();

    assert_eq!(
        capability["permissions"],
        serde_json::json!([
            "core:event:allow-listen",
            "core:event:allow-unlisten",
            "core:window:allow-set-title",
            "allow-commands"
        ])
    );
}
