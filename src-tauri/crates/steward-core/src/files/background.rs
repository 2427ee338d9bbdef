//! Work that waits for the disk, or takes long.

use tokio::runtime::{Handle, RuntimeFlavor};

use crate::model::problem::Problem;

/// Runs work on a blocking thread: requests of other operations share the threads of the runtime, and a network share
/// or a virus scanner can take seconds.
///
/// # Errors
/// [`Problem::Unexpected`] if its thread fails.
pub async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Problem::Unexpected { message: error.to_string() })
}

/// Runs short work that waits for the disk, in a function that is not asynchronous. Other work of the runtime goes on with
/// other threads meanwhile.
pub fn in_place<T>(work: impl FnOnce() -> T) -> T {
    // A runtime with one thread, as in tests, has no other threads. Outside of a runtime, there is no other work.
    let has_others =
        Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if has_others { tokio::task::block_in_place(work) } else { work() }
}
