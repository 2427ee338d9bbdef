//! Lock for administrative operations: one at a time per component.

use super::{ApiError, Reply, json};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Lock that owns the running export or import of a component. The work is independent of the request: it continues if
/// the client disconnects.
#[derive(Clone, Default)]
pub(crate) struct OperationLock(Arc<Mutex<Option<RunningOperation>>>);

/// Result of the work. `None` while it is running.
type Outcome = Option<Result<Value, ApiError>>;

struct RunningOperation {
    operation: &'static str,
    /// Parameters of the request, for recognizing a repetition.
    request: String,
    outcome: watch::Receiver<Outcome>,
}

impl OperationLock {
    /// Performs the work and returns its result. A repetition of the same request waits for the same result, because
    /// existing clients repeat a POST if the response is slow.
    pub(crate) async fn run(
        &self,
        operation: &'static str,
        request: String,
        work: impl Future<Output = Result<Value, ApiError>> + Send + 'static,
    ) -> Reply {
        let mut outcome = self.start(operation, request, work)?;
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().map_or_else(cut_off, |outcome| outcome.and_then(json)),
            Err(_) => cut_off(),
        }
    }

    fn start(
        &self,
        operation: &'static str,
        request: String,
        work: impl Future<Output = Result<Value, ApiError>> + Send + 'static,
    ) -> Result<watch::Receiver<Outcome>, ApiError> {
        let mut running_operation = self.running_operation();
        if let Some(other) = &*running_operation {
            if (other.operation, &other.request) == (operation, &request) {
                return Ok(other.outcome.clone());
            }
            return Err(ApiError::failed(format!(
                "Another administrative operation is currently accessing the store: {}. Try again when it has finished.",
                other.operation
            )));
        }
        let (said, outcome) = watch::channel(None);
        *running_operation = Some(RunningOperation { operation, request, outcome: outcome.clone() });
        let seat = LockGuard(self.clone());
        tokio::spawn(async move {
            let result = work.await;
            // Release the lock before the result is published: the client might send the next request immediately.
            drop(seat);
            let _ = said.send(Some(result));
        });
        Ok(outcome)
    }

    /// Waits until no administrative operation holds the lock.
    pub(crate) async fn free(&self) {
        let running =
            self.running_operation().as_ref().map(|running_operation| running_operation.outcome.clone());
        if let Some(mut running) = running {
            // An error means that the work has ended, which is the awaited condition.
            let _ = running.wait_for(Option::is_some).await;
        }
    }

    fn running_operation(&self) -> MutexGuard<'_, Option<RunningOperation>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cut_off<T>() -> Result<T, ApiError> {
    Err(ApiError::from(anyhow::anyhow!("the administrative operation was aborted")))
}

/// Guard that releases the lock, even if the work panics.
struct LockGuard(OperationLock);

impl Drop for LockGuard {
    fn drop(&mut self) {
        *self.0.running_operation() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn second_operation_is_rejected_and_a_repetition_gets_the_same_result() {
        let lock = OperationLock::default();
        let (finish, finished) = oneshot::channel::<()>();
        let first = lock.start("exportSite", "a".into(), async move {
            let _ = finished.await;
            Ok(json!({ "turn": 1 }))
        });
        let mut first = first.unwrap();

        for (operation, request) in [("importSite", "a"), ("exportSite", "b")] {
            let rejection = lock.start(operation, request.into(), async { Ok(json!({})) }).err().unwrap();
            assert_eq!(rejection.code, 500);
            assert!(rejection.message.starts_with("Another administrative operation"));
            assert!(rejection.message.contains("exportSite"));
        }
        let repeat = lock.start("exportSite", "a".into(), async { Ok(json!({ "turn": 2 })) });
        let mut repeat = repeat.unwrap();

        finish.send(()).unwrap();
        for outcome in [&mut first, &mut repeat] {
            let outcome = outcome.wait_for(Option::is_some).await.unwrap().clone();
            assert_eq!(outcome.unwrap().unwrap(), json!({ "turn": 1 }));
        }
        assert!(lock.start("importSite", "a".into(), async { Ok(json!({})) }).is_ok());
    }

    #[tokio::test]
    async fn panicking_work_releases_the_lock() {
        let lock = OperationLock::default();
        let fallen = lock.run("exportSite", String::new(), async { panic!("a fault of this site") }).await;
        assert_eq!(fallen.err().unwrap().code, 500);
        assert!(lock.run("exportSite", String::new(), async { Ok(json!({})) }).await.is_ok());
    }
}
