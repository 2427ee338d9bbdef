//! One delivery attempt of a webhook payload.

use super::allowed_targets;
use super::in_flight::Ticket;
use super::payload::WebhookRequest;
use super::policy::Policy;
use crate::app::App;
use crate::clock::now_ms;
use crate::store::queue::{self, Delivery, Failure};
use crate::store::{users, webhooks};
use crate::wire::ApiError;
use anyhow::Context as _;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, redirect};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use url::Url;

/// Timeout for the response of a receiver.
const RECEIVER_TIMEOUT: Duration = Duration::from_secs(10);
/// Pause between two attempts, in milliseconds: the default of deployed sites.
const PAUSE_MS: i64 = 5_000;
const SIGNATURE: &str = "x-esriHook-Signature";

/// Result of an attempt.
enum Sent {
    Delivered,
    /// The receiver was unreachable or returned an error. A later attempt might succeed.
    Failed(String),
    /// The target is not allowed.
    Forbidden(String),
    /// The webhook was deactivated, or the site is stopping.
    Cut,
}

/// Sends the next due payload of the ticket's webhook and records the result.
pub(super) async fn attempt(app: &Arc<App>, ticket: &Ticket) -> Result<(), ApiError> {
    let id = ticket.webhook.clone();
    let Some((service, webhook)) = app.server.read(move |server| webhooks::with_service(server, &id)).await?
    else {
        return Ok(());
    };
    if !webhook.active {
        return Ok(());
    }
    let id = ticket.webhook.clone();
    let Some(delivery) = app.runtime.write(move |tx| queue::seal_next(tx, &id, now_ms())).await? else {
        return Ok(());
    };
    let Ok(url) = Url::parse(&webhook.hook_url) else {
        // Creating and editing reject an invalid URL, but an import can contain one.
        let reason = "Nothing was sent: the hookUrl is not an address.".to_owned();
        return conclude(app, &ticket.webhook, &delivery, Sent::Forbidden(reason)).await;
    };
    let portal = app.portal.read(users::portal).await?;
    let webhook_request =
        WebhookRequest::write(url, &app.server_url(), &portal.id, &service, &webhook, &delivery.event)?;
    let (anywhere, cut) = (app.dispatcher.anywhere, ticket.cut.clone());
    let sent = tokio::task::spawn_blocking(move || send(&webhook_request, anywhere, &cut))
        .await
        .context("the delivery was aborted")??;
    conclude(app, &ticket.webhook, &delivery, sent).await
}

async fn conclude(app: &Arc<App>, webhook: &str, delivery: &Delivery, sent: Sent) -> Result<(), ApiError> {
    let (number, attempts) = (delivery.id, delivery.attempts + 1);
    let (tried, reason) = match sent {
        Sent::Cut => return Ok(()),
        Sent::Delivered => return app.runtime.write(move |tx| queue::delivered(tx, number)).await,
        Sent::Forbidden(reason) => (delivery.attempts, reason),
        Sent::Failed(reason) => {
            let policy = app.server.read(Policy::read).await?;
            if attempts < policy.attempts {
                let due = now_ms() + PAUSE_MS;
                tracing::info!(webhook, attempts, "a delivery is repeated: {reason}");
                return app.runtime.write(move |tx| queue::try_again(tx, number, attempts, due)).await;
            }
            (attempts, reason)
        }
    };
    tracing::warn!(webhook, attempts = tried, "a delivery failed permanently: {reason}");
    let id = webhook.to_owned();
    let failure = Failure { moment: now_ms(), attempts: tried, reason };
    app.runtime.write(move |tx| queue::give_up(tx, &id, number, &failure)).await?;
    deactivate_by_policy(app, webhook.to_owned()).await
}

async fn deactivate_by_policy(app: &Arc<App>, webhook: String) -> Result<(), ApiError> {
    let policy = app.server.read(Policy::read).await?;
    let since = now_ms() - policy.window_ms();
    let id = webhook.clone();
    let failures = app.runtime.read(move |runtime| queue::failures_since(runtime, &id, since)).await?;
    if failures < policy.failures {
        return Ok(());
    }
    tracing::warn!(webhook, failures, "a webhook is deactivated: its deliveries fail");
    app.server.write(move |tx| webhooks::deactivate(tx, &webhook, now_ms())).await
}

/// Sends the request in its own runtime, so that a cancelled connection is closed when this function returns.
fn send(webhook_request: &WebhookRequest, anywhere: bool, cut: &CancellationToken) -> anyhow::Result<Sent> {
    if cut.is_cancelled() {
        return Ok(Sent::Cut);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let sent = runtime.block_on(async {
        tokio::select! {
            biased;
            sent = post(webhook_request, anywhere) => sent,
            () = cut.cancelled() => Sent::Cut,
        }
    });
    runtime.shutdown_background();
    Ok(sent)
}

async fn post(webhook_request: &WebhookRequest, anywhere: bool) -> Sent {
    let mut client = Client::builder().redirect(redirect::Policy::none()).timeout(RECEIVER_TIMEOUT);
    if !anywhere {
        let addresses = match allowed_targets::on_this_machine(&webhook_request.url).await {
            Ok(addresses) => addresses,
            Err(reason) => return Sent::Forbidden(reason),
        };
        // No proxy, and a fixed address: a proxy would send the payload to another computer, and a second name lookup
        // could return another address.
        client = client.no_proxy();
        if let Some(name) = webhook_request.url.domain() {
            client = client.resolve_to_addrs(name, &addresses);
        }
    }
    let client = match client.build() {
        Ok(client) => client,
        Err(cause) => return Sent::Failed(error_text(cause)),
    };
    let mut request =
        client.post(webhook_request.url.clone()).header(CONTENT_TYPE, webhook_request.content_type);
    if let Some(signature) = &webhook_request.signature {
        request = request.header(SIGNATURE, signature);
    }
    match request.body(webhook_request.body.clone()).send().await {
        Ok(answer) if answer.status().is_success() => Sent::Delivered,
        Ok(answer) => Sent::Failed(format!("The receiver answered HTTP {}.", answer.status().as_u16())),
        Err(cause) => Sent::Failed(error_text(cause)),
    }
}

/// Returns an error as text, without the URL, which can contain a secret of the receiver.
fn error_text(cause: reqwest::Error) -> String {
    if cause.is_timeout() {
        return format!("The receiver did not answer within {} seconds.", RECEIVER_TIMEOUT.as_secs());
    }
    format!("The receiver cannot be reached: {:#}", anyhow::Error::new(cause.without_url()))
}
