//! Location of the policy file, which only an administrator can write, and which no environment variable can change.

use std::path::PathBuf;

/// Returns the path of the file; `None` if Windows does not return the folder of its programs.
#[must_use]
pub fn file() -> Option<PathBuf> {
    // The end-to-end tests cannot write to the system folder.
    #[cfg(feature = "journeys")]
    if let Some(file) = std::env::var_os("STEWARD_POLICY") {
        return Some(PathBuf::from(file));
    }
    of_the_system()
}

#[cfg(not(any(windows, target_os = "macos")))]
#[expect(clippy::unnecessary_wraps, reason = "Windows may not know")]
fn of_the_system() -> Option<PathBuf> {
    Some(PathBuf::from("/etc/site-steward/policy.json"))
}

#[cfg(target_os = "macos")]
#[expect(clippy::unnecessary_wraps, reason = "Windows may not know")]
fn of_the_system() -> Option<PathBuf> {
    Some(PathBuf::from("/Library/Application Support/Site Steward/policy.json"))
}

/// Returns a path below the folder for programs. Any user can create a folder below that for common data, and redirect
/// others with a proxy in it. The registry contains the path; an environment variable could be set by any user.
#[cfg(windows)]
fn of_the_system() -> Option<PathBuf> {
    let folder = windows_registry::LOCAL_MACHINE
        .open(r"SOFTWARE\Microsoft\Windows\CurrentVersion")
        .and_then(|key| key.get_string("ProgramFilesDir"));
    match folder {
        Ok(folder) => Some(PathBuf::from(folder).join("Site Steward").join("policy.json")),
        Err(error) => {
            tracing::warn!(%error, "Windows does not say where its programs are");
            None
        }
    }
}
