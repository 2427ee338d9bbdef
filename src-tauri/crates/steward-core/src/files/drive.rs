//! A drive that does not respond: a call of the system waits there without end, and with it everything that comes after.

use std::io::{Error, ErrorKind, Result};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Longest wait until a drive takes or gives some bytes.
pub(crate) const STANDSTILL: Duration = Duration::from_mins(5);

/// Returns the error of a drive that does not respond.
#[must_use]
pub fn silent() -> Error {
    Error::new(ErrorKind::TimedOut, "the drive does not respond")
}

/// Runs short work on another thread, which is left to it if the drive does not respond.
///
/// # Errors
/// The error of `work`, or [`silent`].
pub(crate) async fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let done = timeout(limit, spawn_blocking(work)).await.map_err(|_| silent())?;
    done.map_err(Error::other)?
}

/// Waits for work as long as the number of its bytes grows.
///
/// # Errors
/// The error of `work`, or [`silent`].
pub(crate) async fn while_it_goes_on<T>(
    bytes: &AtomicU64,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let mut work = pin!(work);
    let mut before = None;
    loop {
        if let Ok(done) = timeout(STANDSTILL, &mut work).await {
            return done;
        }
        let now = bytes.load(Ordering::Relaxed);
        if before.replace(now) == Some(now) {
            return Err(silent());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_file_that_is_read_slowly_is_read_to_its_end_and_one_that_stands_still_is_given_up() {
        let bytes = AtomicU64::new(0);
        let slow = async {
            for _ in 0..20 {
                tokio::time::sleep(STANDSTILL * 9 / 10).await;
                bytes.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        };
        while_it_goes_on(&bytes, slow).await.unwrap();

        let hangs = while_it_goes_on(&bytes, pending::<Result<()>>()).await;

        assert_eq!(hangs.unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
