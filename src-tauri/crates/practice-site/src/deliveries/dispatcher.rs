//! Connection between the code that queues events and the delivery task.

use super::in_flight::InFlight;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Wakes the delivery task, and cancels attempts.
pub(crate) struct Dispatcher {
    pub(super) nudge: Notify,
    pub(super) in_flight: InFlight,
    /// Whether payloads can be sent to other computers.
    pub(super) anywhere: bool,
}

impl Dispatcher {
    /// Creates a dispatcher that delivers until `closing` is cancelled.
    pub(crate) fn new(anywhere: bool, closing: &CancellationToken) -> Dispatcher {
        Dispatcher { nudge: Notify::new(), in_flight: InFlight::new(closing.clone()), anywhere }
    }

    /// Wakes the delivery task after an event was queued or a webhook can be sent to again.
    pub(crate) fn nudge(&self) {
        self.nudge.notify_one();
    }

    /// Cancels the attempts for these webhooks and waits for their end. The webhooks must already be stored as inactive
    /// or removed: an attempt that begins meanwhile registers itself first, and then reads that state, so that it is
    /// either cancelled here or ends by itself.
    pub(crate) async fn recall(&self, webhooks: &[String]) {
        self.in_flight.cut(webhooks).await;
    }

    /// Cancels all attempts after many webhooks changed at once, and restarts those that are still allowed.
    pub(crate) async fn begin_again(&self) {
        self.in_flight.cut_all().await;
        self.nudge();
    }
}
