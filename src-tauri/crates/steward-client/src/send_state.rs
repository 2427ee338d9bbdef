//! State of the requests of an operation: whether one that has an effect was passed to the HTTP library.
//!
//! [`Endpoint::watched`](crate::Endpoint::watched) makes an endpoint update a [`SendState`]. Invariant: before a
//! request is counted, Stop ends the operation as *not sent*; afterward the outcome is *unknown* (ADR 0004).

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

/// Numbers of requests and responses at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SoFar {
    handed_over: usize,
    answers: usize,
}

impl SendState {
    /// Creates the state of an operation that has sent nothing. `stop` becomes `true` when the user stops it.
    #[must_use]
    pub fn new(stop: watch::Receiver<bool>) -> Self {
        Self { stop, handed_over: Arc::new(watch::Sender::new(0)), answers: Arc::default() }
    }

    /// Returns the number of requests that were passed to the HTTP library and not rejected for their token.
    #[must_use]
    pub fn handed_over(&self) -> usize {
        *self.handed_over.borrow()
    }

    /// Returns the responses to the posted forms so far, without secrets. A response with an invitation is not
    /// included: it is a secret itself.
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

    /// Returns the requests and responses so far, for [`rejected`](Self::rejected) and [`repeats`](Self::repeats).
    pub(crate) fn so_far(&self) -> SoFar {
        SoFar { handed_over: self.handed_over(), answers: self.lock().len() }
    }

    /// Removes the requests since `before`: the site rejected their token and did nothing. An operation sends one request
    /// at a time; otherwise this would also remove another one.
    pub(crate) fn rejected(&self, before: SoFar) {
        self.handed_over.send_replace(before.handed_over);
    }

    /// Removes the responses since `before`, to requests that are repeated.
    pub(crate) fn repeats(&self, before: SoFar) {
        self.lock().truncate(before.answers);
    }

    pub(crate) fn answered(&self, answer: RawResponse) {
        self.lock().push(answer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RawResponse>> {
        // A panic cannot leave a single push or truncation incomplete.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
