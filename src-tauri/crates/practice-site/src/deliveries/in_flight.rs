//! Running delivery attempts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// Registry of running attempts: at most one per webhook.
#[derive(Clone)]
pub(super) struct InFlight {
    attempts: Arc<Mutex<HashMap<String, Attempt>>>,
    /// Cancels every attempt when the site stops.
    closing: CancellationToken,
}

#[derive(Clone)]
struct Attempt {
    cut: CancellationToken,
    over: CancellationToken,
}

/// Registration of a running attempt. Dropping it marks the end of the attempt: nothing more is sent.
pub(super) struct Ticket {
    pub(super) webhook: String,
    /// Cancelled when the attempt must end immediately.
    pub(super) cut: CancellationToken,
    list: InFlight,
}

impl InFlight {
    pub(super) fn new(closing: CancellationToken) -> InFlight {
        InFlight { attempts: Arc::default(), closing }
    }

    /// Registers an attempt. `None` if another attempt for this webhook is running.
    pub(super) fn enter(&self, webhook: &str) -> Option<Ticket> {
        match self.lock().entry(webhook.to_owned()) {
            Entry::Occupied(_) => None,
            Entry::Vacant(place) => {
                let cut = self.closing.child_token();
                place.insert(Attempt { cut: cut.clone(), over: CancellationToken::new() });
                Some(Ticket { webhook: webhook.to_owned(), cut, list: self.clone() })
            }
        }
    }

    /// Cancels the attempts for these webhooks and waits for their end.
    pub(super) async fn cut(&self, webhooks: &[String]) {
        let attempts: Vec<Attempt> = {
            let list = self.lock();
            webhooks.iter().filter_map(|webhook| list.get(webhook).cloned()).collect()
        };
        end(attempts).await;
    }

    pub(super) async fn cut_all(&self) {
        let attempts: Vec<Attempt> = self.lock().values().cloned().collect();
        end(attempts).await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Attempt>> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn end(attempts: Vec<Attempt>) {
    for attempt in &attempts {
        attempt.cut.cancel();
    }
    for attempt in attempts {
        attempt.over.cancelled().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if let Some(attempt) = self.list.lock().remove(&self.webhook) {
            attempt.over.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn cancelling_an_attempt_waits_for_its_end() {
        let list = InFlight::new(CancellationToken::new());
        let ticket = list.enter("a").unwrap();
        assert!(list.enter("a").is_none());
        assert!(list.enter("b").is_some());
        let (free, ()) = tokio::join!(
            async {
                list.cut(&["a".to_owned(), "unknown".to_owned()]).await;
                list.enter("a").is_some()
            },
            async {
                ticket.cut.cancelled().await;
                assert!(list.enter("a").is_none());
                drop(ticket);
            }
        );
        assert!(free, "it was said to have ended before it did");
    }
}
