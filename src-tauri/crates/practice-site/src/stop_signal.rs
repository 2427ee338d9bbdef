//! The signal by which a process is told to end.

use anyhow::Context as _;

/// Returns what ends when the system or a user tells this process to end, by SIGTERM or Ctrl-C. It listens from now on.
///
/// # Errors
/// An error of the system.
#[cfg(unix)]
pub fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    Ok(async move {
        tokio::select! {
            biased;
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Returns what ends when a user tells this process to end, by Ctrl-C. It listens from now on. Windows ends a task without a word.
///
/// # Errors
/// An error of the system.
#[cfg(windows)]
pub fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c().context("cannot listen for Ctrl-C")?;
    Ok(async move {
        interrupt.recv().await;
    })
}
