//! Situations that need the shell, which starts the practice site. Those of `tests/operations` run without it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[expect(dead_code, reason = "the situations of steward-core need the rest of it")]
#[path = "../operations/test_app.rs"]
mod test_app;

mod plan_runner;
#[cfg(target_os = "linux")]
mod plan_scheduler;
mod practice;
mod updates;
