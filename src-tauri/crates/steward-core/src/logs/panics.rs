//! Logs panics before their thread ends.

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;

use steward_redact as redact;

/// Installs a panic hook that logs panics. It replaces the default hook, which would print secrets to the terminal.
pub(super) fn write_down() {
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = Backtrace::force_capture();
        tracing::error!(target: "site_steward::panic", "{}\n{backtrace}", account(panic));
    }));
}

/// Returns the location and message of a panic, redacted.
fn account(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("without words");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    format!("thread '{name}' panicked at {place}: {}", redact::text(message))
}
