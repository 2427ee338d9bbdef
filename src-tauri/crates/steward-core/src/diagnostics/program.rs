//! Reports the version of the program and of its platform.

use super::check_result::{Check, CheckResult, FactName};

pub(super) fn check(webview: Option<String>) -> CheckResult {
    let finding = CheckResult::new(Check::Program)
        .fact(FactName::Version, env!("CARGO_PKG_VERSION"))
        .fact(FactName::System, system());
    let desktop =
        ["XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE"].map(|name| std::env::var(name).unwrap_or_default());
    let desktop = desktop.join(" ");
    let finding =
        if desktop.trim().is_empty() { finding } else { finding.fact(FactName::Desktop, desktop.trim()) };
    match webview {
        Some(version) => finding.fact(FactName::Webview, version),
        None => finding,
    }
}

/// Returns the name and architecture of the system, for example `Debian GNU/Linux 12 (bookworm), x86_64`.
fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    format!("{name}, {}", std::env::consts::ARCH)
}
