//! One attempt to deliver.

use super::in_flight::Ticket;
use super::letter::Letter;
use super::policy::Policy;
use super::reach;
use crate::app::App;
use crate::clock::now_ms;
use crate::store::queue::{self, Delivery, Failure};
use crate::store::{people, webhooks};
use crate::wire::Refusal;
use anyhow::Context as _;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, redirect};
use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use url::Url;

/// How long a receiver may take.
const PATIENCE: Duration = Duration::from_secs(10);
const SIGNATURE: &str = "x-esriHook-Signature";

/// What became of an attempt.
enum Sent {
    Delivered,
    /// The receiver could not be reached or did not like it; later it may.
    Failed(String),
    /// It may not be sent there at all.
    Forbidden(String),
    /// The webhook was deactivated, or the site closes.
    Cut,
}

/// Takes what is due for the ticket's webhook, sends it, and writes down what became of it.
pub(super) async fn attempt(app: &Arc<App>, ticket: &Ticket) -> Result<(), Refusal> {
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
        // Create and edit refuse such a one; an import may bring it.
        let reason = "Nothing was sent: the hookUrl is not an address.".to_owned();
        return conclude(app, &ticket.webhook, &delivery, Sent::Forbidden(reason)).await;
    };
    let portal = app.portal.read(people::portal).await?;
    let letter = Letter::write(url, &app.server_url(), &portal.id, &service, &webhook, &delivery.happening)?;
    let (anywhere, cut) = (app.courier.anywhere, ticket.cut.clone());
    let sent = tokio::task::spawn_blocking(move || send(&letter, anywhere, &cut))
        .await
        .context("the sending was cut off")??;
    conclude(app, &ticket.webhook, &delivery, sent).await
}

async fn conclude(app: &Arc<App>, webhook: &str, delivery: &Delivery, sent: Sent) -> Result<(), Refusal> {
    let (number, attempts) = (delivery.id, delivery.attempts + 1);
    let (tried, reason) = match sent {
        Sent::Cut => return Ok(()),
        Sent::Delivered => return app.runtime.write(move |tx| queue::delivered(tx, number)).await,
        Sent::Forbidden(reason) => (delivery.attempts, reason),
        Sent::Failed(reason) => {
            let policy = app.server.read(Policy::read).await?;
            if attempts < policy.attempts {
                // 1, 4, 9 seconds: long enough to see, short enough to wait for.
                let due = now_ms() + attempts * attempts * 1000;
                tracing::info!(webhook, attempts, "a delivery is tried again: {reason}");
                return app.runtime.write(move |tx| queue::try_again(tx, number, attempts, due)).await;
            }
            (attempts, reason)
        }
    };
    tracing::warn!(webhook, attempts = tried, "a delivery was given up: {reason}");
    let id = webhook.to_owned();
    let failure = Failure { moment: now_ms(), attempts: tried, reason };
    app.runtime.write(move |tx| queue::give_up(tx, &id, number, &failure)).await?;
    deactivate_by_policy(app, webhook.to_owned()).await
}

async fn deactivate_by_policy(app: &Arc<App>, webhook: String) -> Result<(), Refusal> {
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

/// Sends in a runtime of its own: when it returns, even a cut connection is closed and not only about to be.
fn send(letter: &Letter, anywhere: bool, cut: &CancellationToken) -> anyhow::Result<Sent> {
    if cut.is_cancelled() {
        return Ok(Sent::Cut);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let sent = runtime.block_on(async {
        tokio::select! {
            biased;
            sent = post(letter, anywhere) => sent,
            () = cut.cancelled() => Sent::Cut,
        }
    });
    runtime.shutdown_background();
    Ok(sent)
}

async fn post(letter: &Letter, anywhere: bool) -> Sent {
    let mut client = Client::builder().redirect(redirect::Policy::none()).timeout(PATIENCE);
    if !anywhere {
        let addresses = match reach::on_this_machine(&letter.url).await {
            Ok(addresses) => addresses,
            Err(reason) => return Sent::Forbidden(reason),
        };
        // A proxy would carry it away, and a second look at the name could find another address.
        client = client.no_proxy();
        if let Some(name) = letter.url.domain() {
            client = client.resolve_to_addrs(name, &addresses);
        }
    }
    let client = match client.build() {
        Ok(client) => client,
        Err(cause) => return Sent::Failed(in_words(cause)),
    };
    let mut request = client.post(letter.url.clone()).header(CONTENT_TYPE, letter.content_type);
    if let Some(signature) = &letter.signature {
        request = request.header(SIGNATURE, signature);
    }
    match request.body(letter.body.clone()).send().await {
        Ok(answer) if answer.status().is_success() => Sent::Delivered,
        Ok(answer) => Sent::Failed(format!("The receiver answered HTTP {}.", answer.status().as_u16())),
        Err(cause) => Sent::Failed(in_words(cause)),
    }
}

/// Without the address, which may hold a secret of the receiver.
fn in_words(cause: reqwest::Error) -> String {
    if cause.is_timeout() {
        return format!("The receiver did not answer within {} seconds.", PATIENCE.as_secs());
    }
    let cause = cause.without_url();
    let mut words = format!("The receiver cannot be reached: {cause}");
    let mut source = cause.source();
    while let Some(inner) = source {
        words.push_str(": ");
        words.push_str(&inner.to_string());
        source = inner.source();
    }
    words
}
