//! One administrative operation at a time in each area.

use super::{Refusal, Reply, json};
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// Where an area's export or import sits while it runs. The work belongs to the desk, not to the request: a client
/// that hangs up does not end it.
#[derive(Clone, Default)]
pub(crate) struct Desk(Arc<Mutex<Option<Occupant>>>);

/// The answer, once there is one.
type Outcome = Option<Result<Value, Refusal>>;

struct Occupant {
    operation: &'static str,
    /// What was asked for, to know a repeat by.
    request: String,
    outcome: watch::Receiver<Outcome>,
}

impl Desk {
    /// Does the work, and answers what it came to. While it runs, another operation is refused, and a repeat of the
    /// same request waits for the same answer instead of starting again: the field's clients repeat a POST when
    /// the answer is slow to come.
    pub(crate) async fn run(
        &self,
        operation: &'static str,
        request: String,
        work: impl Future<Output = Result<Value, Refusal>> + Send + 'static,
    ) -> Reply {
        let mut outcome = self.sit(operation, request, work)?;
        match outcome.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().map_or_else(cut_off, |outcome| outcome.and_then(json)),
            Err(_) => cut_off(),
        }
    }

    fn sit(
        &self,
        operation: &'static str,
        request: String,
        work: impl Future<Output = Result<Value, Refusal>> + Send + 'static,
    ) -> Result<watch::Receiver<Outcome>, Refusal> {
        let mut occupant = self.occupant();
        if let Some(other) = &*occupant {
            if (other.operation, &other.request) == (operation, &request) {
                return Ok(other.outcome.clone());
            }
            return Err(Refusal::failed(format!(
                "Another administrative operation is currently accessing the store: {}. Try again when it has finished.",
                other.operation
            )));
        }
        let (said, outcome) = watch::channel(None);
        *occupant = Some(Occupant { operation, request, outcome: outcome.clone() });
        let seat = Seat(self.clone());
        tokio::spawn(async move {
            let result = work.await;
            // Free before the answer is known: whoever has read it may come with the next request.
            drop(seat);
            let _ = said.send(Some(result));
        });
        Ok(outcome)
    }

    /// Waits until nobody sits here.
    pub(crate) async fn free(&self) {
        let running = self.occupant().as_ref().map(|occupant| occupant.outcome.clone());
        if let Some(mut running) = running {
            // An error means that the work is gone, which is what we wait for.
            let _ = running.wait_for(Option::is_some).await;
        }
    }

    fn occupant(&self) -> MutexGuard<'_, Option<Occupant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cut_off<T>() -> Result<T, Refusal> {
    Err(Refusal::from(anyhow::anyhow!("the work at the desk was cut off")))
}

/// Given up even when the work falls over.
struct Seat(Desk);

impl Drop for Seat {
    fn drop(&mut self) {
        *self.0.occupant() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn a_second_operation_is_told_which_one_runs_and_a_repeat_gets_the_same_answer() {
        let desk = Desk::default();
        let (finish, finished) = oneshot::channel::<()>();
        let first = desk.sit("exportSite", "a".into(), async move {
            let _ = finished.await;
            Ok(json!({ "turn": 1 }))
        });
        let mut first = first.unwrap();

        for (operation, request) in [("importSite", "a"), ("exportSite", "b")] {
            let refusal = desk.sit(operation, request.into(), async { Ok(json!({})) }).err().unwrap();
            assert_eq!(refusal.code, 500);
            assert!(refusal.message.starts_with("Another administrative operation"));
            assert!(refusal.message.contains("exportSite"));
        }
        let repeat = desk.sit("exportSite", "a".into(), async { Ok(json!({ "turn": 2 })) });
        let mut repeat = repeat.unwrap();

        finish.send(()).unwrap();
        for outcome in [&mut first, &mut repeat] {
            let outcome = outcome.wait_for(Option::is_some).await.unwrap().clone();
            assert_eq!(outcome.unwrap().unwrap(), json!({ "turn": 1 }));
        }
        assert!(desk.sit("importSite", "a".into(), async { Ok(json!({})) }).is_ok());
    }

    #[tokio::test]
    async fn work_that_falls_over_frees_the_desk() {
        let desk = Desk::default();
        let fallen = desk.run("exportSite", String::new(), async { panic!("a fault of this site") }).await;
        assert_eq!(fallen.err().unwrap().code, 500);
        assert!(desk.run("exportSite", String::new(), async { Ok(json!({})) }).await.is_ok());
    }
}
