//! Work that waits for the disk, or takes long.

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
