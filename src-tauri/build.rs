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
    update_source()?;
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("./src-tauri/capabilities/**/*")
        .app_manifest(
            tauri_build::AppManifest::new().permissions_path_pattern("./src-tauri/permissions/**/*"),
        );
    tauri_build::try_build(attributes)
}

/// Half a source of updates is a mistake of whoever builds, and must not be found out by whoever has the program.
fn update_source() -> anyhow::Result<()> {
    let [key, address] = ["SITE_STEWARD_UPDATE_KEY", "SITE_STEWARD_UPDATE_ADDRESS"].map(|name| {
        println!("cargo:rerun-if-env-changed={name}");
        std::env::var(name).unwrap_or_default()
    });
    anyhow::ensure!(
        key.is_empty() == address.is_empty(),
        "SITE_STEWARD_UPDATE_KEY and SITE_STEWARD_UPDATE_ADDRESS belong together"
    );
    anyhow::ensure!(
        address.is_empty() || address.starts_with("https://"),
        "SITE_STEWARD_UPDATE_ADDRESS must begin with https://"
    );
    Ok(())
}
