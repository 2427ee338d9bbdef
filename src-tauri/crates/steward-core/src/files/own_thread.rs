//! Long work on a thread of its own.

use std::io::{Error, Result};
use std::thread;

use tokio::sync::oneshot;

/// Returns whether the result of the work is not needed any more. Work that takes long checks it between its steps.
pub type IsAbandoned<'a> = &'a dyn Fn() -> bool;

/// Runs work on a thread of its own: on a thread of the runtime, it would block short work for minutes. If the future
/// is dropped, for example after Stop, the argument of `work` returns `true`.
///
/// # Errors
/// The error of the system if the thread cannot be started, or ends without a result.
pub async fn on_own_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce(IsAbandoned<'_>) -> T + Send + 'static,
) -> Result<T> {
    let (ended, end) = oneshot::channel();
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        let done = work(&|| ended.is_closed());
        // There is no receiver if the future was dropped.
        let _ = ended.send(done);
    })?;
    end.await.map_err(Error::other)
}

/// Returns the error that ends abandoned work.
pub(crate) fn abandoned() -> Error {
    Error::other("the result is not needed any more")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn abandoned_work_is_told_so() {
        let (says, said) = std::sync::mpsc::channel();
        let endless = move |is_abandoned: IsAbandoned<'_>| {
            says.send("begun").unwrap();
            while !is_abandoned() {
                thread::yield_now();
            }
            says.send("ended").unwrap();
        };
        let mut work = Box::pin(on_own_thread("endless", endless));
        assert!(futures_util::poll!(&mut work).is_pending());
        assert_eq!(said.recv().unwrap(), "begun");

        drop(work);

        assert_eq!(said.recv().unwrap(), "ended");
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error() {
        let panics = |_: IsAbandoned<'_>| std::panic::resume_unwind(Box::new("as a test"));
        assert!(on_own_thread::<()>("panics", panics).await.is_err());
        assert_eq!(on_own_thread("whole", |_| 1).await.unwrap(), 1);
    }
}
