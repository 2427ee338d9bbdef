//! Blocking work of request handlers.

use crate::wire::ApiError;
use anyhow::Context as _;

/// Runs blocking work on a thread for it, so that it does not block request handling.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.context("blocking work panicked").map_err(ApiError::from)?
}
