//! State of the requests of an operation: whether one that has an effect was passed to the HTTP library.
//!
//! [`Endpoint::watched`](crate::Endpoint::watched) makes an endpoint update a [`SendState`]. Invariant: before a
//! request is counted, Stop ends the operation as *not sent*; afterward the outcome is *unknown* (ADR 0004).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::response_capture::RawResponse;

/// Requests of one operation that were passed to the HTTP library, and their responses.
///
/// Counts posted forms and files, which have an effect. Queries are not counted.
#[derive(Debug, Clone, Default)]
pub struct SendState {
    handed_over: Arc<AtomicUsize>,
    answers: Arc<Mutex<Vec<RawResponse>>>,
}

impl SendState {
    /// Returns the number of requests that were passed to the HTTP library and not rejected for their token.
    #[must_use]
    pub fn handed_over(&self) -> usize {
        self.handed_over.load(Ordering::SeqCst)
    }

    /// Returns the responses to the posted forms so far, without secrets. A response with an invitation is not
    /// included: it is a secret itself.
    #[must_use]
    pub fn responses(&self) -> Vec<RawResponse> {
        self.lock().clone()
    }

    /// Counts a request that is sent next.
    pub(crate) fn hand_over(&self) {
        self.handed_over.fetch_add(1, Ordering::SeqCst);
    }

    /// Removes the requests that were counted since `before`: the site rejected their token and did nothing. An
    /// operation sends one request at a time; otherwise this would also remove another one.
    pub(crate) fn rejected(&self, before: usize) {
        self.handed_over.store(before, Ordering::SeqCst);
        self.lock().pop();
    }

    pub(crate) fn answered(&self, answer: RawResponse) {
        self.lock().push(answer);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RawResponse>> {
        // A panic cannot leave a single push or pop incomplete.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
