//! Whether a request that has an effect was handed to the network.
//!
//! A caller that stops an operation must know on which side of that moment it is: before it nothing was sent, and after
//! it the outcome is unknown. [`Endpoint::watched`](crate::Endpoint::watched) makes an endpoint report it, and what was answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::response_capture::RawResponse;

/// Requests of one operation that were passed to the HTTP library, and Stop.
///
/// Counts posted forms and files, which have an effect. Queries are not counted.
#[derive(Debug, Clone)]
pub struct SendState {
    stop: watch::Receiver<bool>,
    handed_over: Arc<watch::Sender<usize>>,
    answers: Arc<Mutex<Vec<RawResponse>>>,
}

impl SendState {
    /// The state of an operation of which nothing was sent. `stop` becomes `true` when the user stops it.
    #[must_use]
    pub fn new(stop: watch::Receiver<bool>) -> Self {
        Self { stop, handed_over: Arc::new(watch::Sender::new(0)), answers: Arc::default() }
    }

    /// How many requests were handed to the network and not rejected for their token.
    #[must_use]
    pub fn handed_over(&self) -> usize {
        *self.handed_over.borrow()
    }

    /// What the posted forms were answered so far, as it came and without secrets. An invitation is not among them: it is
    /// a secret itself.
    #[must_use]
    pub fn responses(&self) -> Vec<RawResponse> {
        self.lock().clone()
    }

    /// Completes when the user stopped the operation at a time when none of its requests was handed over.
    pub async fn stopped_before(&self) {
        let _ = self.stop.clone().wait_for(|stopped| *stopped).await;
        let _ = self.handed_over.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Counts a request that is sent next. Never returns once the operation was stopped: the request must not be sent,
    /// and the caller that stopped it drops this future.
    pub(crate) async fn hand_over(&self) {
        if *self.stop.borrow() {
            std::future::pending::<()>().await;
        }
        self.handed_over.send_modify(|count| *count += 1);
    }

    /// Takes back what was handed over since `before`: the site rejected it for its token, and did nothing. An operation
    /// sends one request at a time; otherwise this would take back another one too.
    pub(crate) fn rejected(&self, before: usize) {
        self.handed_over.send_replace(before);
        self.lock().pop();
    }

    pub(crate) fn answered(&self, answer: RawResponse) {
        self.lock().push(answer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RawResponse>> {
        // Changed by single pushes and pops.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
