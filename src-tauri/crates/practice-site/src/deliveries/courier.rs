//! The background task that empties the queue.

use super::attempt::attempt;
use super::in_flight::{InFlight, Ticket};
use crate::app::App;
use crate::clock::now_ms;
use crate::store::{queue, webhooks};
use crate::wire::Refusal;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// When nothing is due, or the database did not answer.
const LONGEST_REST: Duration = Duration::from_secs(30);
const AFTER_A_FAULT: Duration = Duration::from_secs(1);

/// Between those who make something happen and the task that tells it.
pub(crate) struct Courier {
    nudge: Notify,
    in_flight: InFlight,
    /// Whether payloads may leave this machine.
    pub(super) anywhere: bool,
}

impl Courier {
    /// One that delivers until the site closes.
    pub(crate) fn new(anywhere: bool, closing: &CancellationToken) -> Courier {
        Courier { nudge: Notify::new(), in_flight: InFlight::new(closing.clone()), anywhere }
    }

    /// Something was put into the queue, or may be sent again.
    pub(crate) fn nudge(&self) {
        self.nudge.notify_one();
    }

    /// Ends the attempts for these webhooks. They must be stored as inactive or removed by now: an attempt looks
    /// at that after it can be cut, so that none slips through.
    pub(crate) async fn recall(&self, webhooks: &[String]) {
        self.in_flight.cut(webhooks).await;
    }

    /// The same for all webhooks, when many have changed at once; whatever may be sent is begun again.
    pub(crate) async fn begin_again(&self) {
        self.in_flight.cut_all().await;
        self.nudge();
    }
}

/// Delivers until the site closes. When it returns, nothing is under way.
pub(crate) async fn run(app: Arc<App>, closing: CancellationToken) {
    loop {
        let rest = dispatch(&app).await.unwrap_or_else(|fault| {
            tracing::error!("the queue of deliveries cannot be read: {}", fault.message);
            AFTER_A_FAULT
        });
        tokio::select! {
            () = closing.cancelled() => break,
            () = app.courier.nudge.notified() => {}
            () = tokio::time::sleep(rest) => {}
        }
    }
    app.courier.in_flight.cut_all().await;
}

/// Begins an attempt for every webhook that something is due for; says when to look again.
async fn dispatch(app: &Arc<App>) -> Result<Duration, Refusal> {
    let waiting = app.runtime.read(queue::waiting).await?;
    if waiting.is_empty() {
        return Ok(LONGEST_REST);
    }
    // Read after the queue: a webhook exists before anything is queued for it.
    let active: HashMap<String, bool> = app
        .server
        .read(|server| {
            Ok(webhooks::all(server)?.into_iter().map(|(_, hook)| (hook.id, hook.active)).collect())
        })
        .await?;
    let now = now_ms();
    let mut next = i64::MAX;
    let mut orphans = Vec::new();
    for (webhook, due) in waiting {
        match active.get(&webhook) {
            None => orphans.push(webhook),
            Some(false) => {}
            Some(true) if due > now => next = next.min(due),
            Some(true) => {
                if let Some(ticket) = app.courier.in_flight.enter(&webhook) {
                    tokio::spawn(deliver(Arc::clone(app), ticket));
                }
            }
        }
    }
    if !orphans.is_empty() {
        app.runtime.write(move |tx| queue::forget(tx, &orphans)).await?;
    }
    let rest = u64::try_from(next.saturating_sub(now)).map_or(LONGEST_REST, Duration::from_millis);
    Ok(rest.min(LONGEST_REST))
}

async fn deliver(app: Arc<App>, ticket: Ticket) {
    if let Err(fault) = attempt(&app, &ticket).await {
        tracing::error!(webhook = ticket.webhook, "a delivery failed on this side: {}", fault.message);
        tokio::select! {
            () = ticket.cut.cancelled() => {}
            () = tokio::time::sleep(AFTER_A_FAULT) => {}
        }
    }
    drop(ticket);
    app.courier.nudge();
}
