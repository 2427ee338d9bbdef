//! Waits for conditions.

use std::time::{Duration, Instant};

/// Time limit of [`until`] and [`until_some`], for a computer that also compiles.
const LIMIT: Duration = Duration::from_secs(30);

/// Pause between two checks. Some states last for milliseconds only.
const PAUSE: Duration = Duration::from_millis(1);

/// Waits until the condition holds.
///
/// # Panics
/// Panics with `what` if the condition does not hold within 30 seconds.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until_some(what, async || holds().await.then_some(())).await;
}

/// Waits until there is a value, and returns it.
///
/// # Panics
/// Panics with `what` if there is none within 30 seconds.
pub async fn until_some<T>(what: &str, mut find: impl AsyncFnMut() -> Option<T>) -> T {
    let waiting = async {
        loop {
            if let Some(found) = find().await {
                return found;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(LIMIT, waiting)
        .await
        .unwrap_or_else(|_| panic!("waited {LIMIT:?} in vain for {what}"))
}

/// Calls `find` every `pause` until it returns a value, and returns that, or `None` after `limit`. Calls it at least
/// once.
///
/// # Errors
/// Returns the first error of `find`.
pub async fn find_within<T, E>(
    limit: Duration,
    pause: Duration,
    mut find: impl AsyncFnMut() -> Result<Option<T>, E>,
) -> Result<Option<T>, E> {
    let start = Instant::now();
    loop {
        let found = find().await?;
        if found.is_some() || start.elapsed() >= limit {
            return Ok(found);
        }
        tokio::time::sleep(pause).await;
    }
}
