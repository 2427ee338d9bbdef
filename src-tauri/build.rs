//! Embeds the front end, the capability and the permissions.

fn main() -> anyhow::Result<()> {
    // A tree whose front end was never built must still be able to run its tests.
    let page = std::path::Path::new("ui/dist");
    if !page.exists() {
        std::fs::create_dir_all(page)?;
    }
    // Tauri watches only the patterns it knows by itself.
    for watched in ["src-tauri/capabilities", "src-tauri/permissions", "tauri.conf.json", "ui/dist"] {
        println!("cargo:rerun-if-changed={watched}");
    }
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(
            tauri_build::AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*"),
        );
    tauri_build::try_build(attributes)
}
