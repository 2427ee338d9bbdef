//! Situations that need the shell, which starts the practice site. Those of `tests/operations` run without it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[expect(dead_code, reason = "the situations of steward-core need the rest of it")]
#[path = "../operations/test_app.rs"]
mod test_app;

#[cfg(target_os = "linux")]
#[expect(dead_code, reason = "the tests of the keyring need the rest of it")]
#[path = "../../src-tauri/crates/steward-vault/tests/keyring/session.rs"]
mod keyring_session;

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod locked_keyring;
#[cfg(target_os = "linux")]
mod month_of_kills;
mod plan_process;
#[cfg(target_os = "linux")]
mod plan_scheduler;
#[cfg(target_os = "linux")]
mod plan_site;
mod practice;
#[cfg(target_os = "linux")]
mod two_weeks;
mod updates;
#[cfg(target_os = "linux")]
mod user_instance;
