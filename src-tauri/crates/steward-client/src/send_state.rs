//! State of the requests of an operation: whether one that has an effect was passed to the HTTP library.
//!
//! [`Endpoint::watched`](crate::Endpoint::watched) makes an endpoint update a [`SendState`]. Invariant: before a
//! request is counted, Stop ends the operation as *not sent*; afterward the outcome is *unknown* (ADR 0004).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::SMALL_BODY;
use crate::response_capture::RawResponse;

/// Requests of one operation that were passed to the HTTP library, and their responses.
///
/// Counts posted forms and files, which have an effect. Queries are not counted.
#[derive(Debug, Clone, Default)]
pub struct SendState {
    handed_over: Arc<AtomicUsize>,
    answers: Arc<Mutex<Vec<RawResponse>>>,
}

/// Numbers of requests and responses at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SoFar {
    handed_over: usize,
    answers: usize,
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

    /// Returns the requests and responses so far, for [`rejected`](Self::rejected) and [`repeats`](Self::repeats).
    pub(crate) fn so_far(&self) -> SoFar {
        SoFar { handed_over: self.handed_over(), answers: self.lock().len() }
    }

    /// Removes the requests since `before`: the site rejected their token and did nothing. An operation sends one
    /// request at a time; otherwise this would also remove another one.
    pub(crate) fn rejected(&self, before: SoFar) {
        self.handed_over.store(before.handed_over, Ordering::SeqCst);
    }

    /// Removes the responses since `before`, to requests that are repeated.
    pub(crate) fn repeats(&self, before: SoFar) {
        self.lock().truncate(before.answers);
    }

    /// Keeps a response, up to the limit of all responses of the operation together: it can send thousands of requests.
    pub(crate) fn answered(&self, answer: RawResponse) {
        let mut answers = self.lock();
        let kept: usize = answers.iter().map(|answer| answer.body.len()).sum();
        let answer = answer.cut_to(SMALL_BODY.saturating_sub(kept));
        // One response beyond the limit is kept, empty, to show that responses are missing.
        if !answer.body.is_empty() || answers.last().is_none_or(|last| !last.is_cut) {
            answers.push(answer);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RawResponse>> {
        // A panic cannot leave a single push or truncation incomplete.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_responses_to_thousands_of_requests_are_kept_up_to_the_limit_of_one() {
        let state = SendState::default();
        let half = SMALL_BODY / 2;
        for _ in 0..1_000 {
            state.answered(RawResponse { status: 200, body: "x".repeat(half), is_cut: false });
        }

        let kept = state.responses().into_iter().map(|one| (one.body.len(), one.is_cut));
        assert_eq!(kept.collect::<Vec<_>>(), [(half, false), (half, false), (0, true)]);
    }
}
