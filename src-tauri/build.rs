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
    late_webkit()?;
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

/// Puts functions in the place of WebKit's, which load it at their first call. They are written in machine code, and only in
/// that of the packages; elsewhere, the program is linked with WebKit.
fn late_webkit() -> anyhow::Result<()> {
    let is = |name: &str, wanted: &str| std::env::var(name).is_ok_and(|value| value == wanted);
    if !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ARCH", "x86_64") {
        return Ok(());
    }
    println!("cargo:rerun-if-changed=src-tauri/webkit");
    for object in cc::Build::new().file("src-tauri/webkit/late.c").try_compile_intermediates()? {
        // An object takes precedence over a shared library; the linker could pass over an archive.
        println!("cargo:rustc-link-arg={}", object.display());
    }
    Ok(())
}
