//! A panic is written down before the thread ends.

use std::backtrace::Backtrace;
use std::panic::PanicHookInfo;

use steward_journal::redact;

/// Makes every panic of this process be written to the log. The words on the terminal are ours too: the usual ones
/// would show what is taken out here.
pub(super) fn write_down() {
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = Backtrace::force_capture();
        tracing::error!(target: "site_steward::panic", "{}\n{backtrace}", account(panic));
    }));
}

/// Place and message of a panic, named secrets taken out.
fn account(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("without words");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("unnamed");
    format!("thread '{name}' panicked at {place}: {}", redact::text(message))
}
