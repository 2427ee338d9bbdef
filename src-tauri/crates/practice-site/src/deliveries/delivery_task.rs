//! Background task that processes the delivery queue.

use super::attempt::attempt;
use super::in_flight::Ticket;
use crate::app::App;
use crate::clock::now_ms;
use crate::store::{queue, webhooks};
use crate::wire::ApiError;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Waiting time if nothing is due.
const LONGEST_REST: Duration = Duration::from_secs(30);
const AFTER_A_FAULT: Duration = Duration::from_secs(1);

/// Delivers until `closing` is cancelled. When this function returns, no attempt is running.
pub(crate) async fn run(app: Arc<App>, closing: CancellationToken) {
    loop {
        let rest = dispatch(&app).await.unwrap_or_else(|fault| {
            tracing::error!("the queue of deliveries cannot be read: {}", fault.message);
            AFTER_A_FAULT
        });
        tokio::select! {
            // Nothing begins once the site closes.
            biased;
            () = closing.cancelled() => break,
            () = app.dispatcher.nudge.notified() => {}
            () = tokio::time::sleep(rest) => {}
        }
    }
    app.dispatcher.in_flight.cut_all().await;
}

/// Starts an attempt for every webhook with a due payload, and returns the time until the next check.
async fn dispatch(app: &Arc<App>) -> Result<Duration, ApiError> {
    let waiting = app.runtime.read(queue::waiting).await?;
    if waiting.is_empty() {
        return Ok(LONGEST_REST);
    }
    // Read the webhooks after the queue: a webhook exists before anything is queued for it.
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
                if let Some(ticket) = app.dispatcher.in_flight.enter(&webhook) {
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
        tracing::error!(webhook = ticket.webhook, "internal error in a delivery: {}", fault.message);
        tokio::select! {
            biased;
            () = ticket.cut.cancelled() => {}
            () = tokio::time::sleep(AFTER_A_FAULT) => {}
        }
    }
    drop(ticket);
    app.dispatcher.nudge();
}
