//! Alerts by the desktop. The shell implements the trait.

use std::future::Future;
use std::pin::Pin;

/// Desktop that shows notifications.
pub trait Desktop: Send + Sync {
    /// Shows a notification, and returns the message of the desktop if it does not.
    fn show<'a>(
        &'a self,
        title: &'a str,
        body: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;
}

/// Desktop of a process without one, for tests.
pub struct NoDesktop;

impl Desktop for NoDesktop {
    fn show<'a>(
        &'a self,
        _: &'a str,
        _: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
