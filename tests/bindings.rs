//! The committed bindings are what the commands say today.

use site_steward::bindings;

#[test]
fn the_committed_bindings_match_the_commands() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = folder.path().join("bindings.ts");
    bindings::bindings().export(bindings::typescript(), &fresh).unwrap();
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/bridge/bindings.ts");
    if std::env::var_os("WRITE_BINDINGS").is_some() {
        std::fs::copy(&fresh, &committed).unwrap();
        return;
    }
    let same = std::fs::read(&fresh).unwrap() == std::fs::read(&committed).unwrap_or_default();
    assert!(same, "ui/src/bridge/bindings.ts is stale; run: cargo xtask bindings");
}
