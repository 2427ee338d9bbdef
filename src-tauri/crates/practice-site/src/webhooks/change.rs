//! Creation, editing, activation and removal of webhooks.

use super::form::WebhookForm;
use super::list::shown;
use super::request::{WebhookId, require_editor};
use crate::clock::now_ms;
use crate::random;
use crate::store::queue;
use crate::store::services::{self, ServiceName};
use crate::store::webhooks::{self, Webhook};
use crate::urls;
use crate::wire::{ApiError, Reply, RequestContext, json};
use rusqlite::Connection;
use serde_json::json;

pub(crate) async fn create(call: RequestContext, name: ServiceName) -> Reply {
    let owner = require_editor(&call, &name).await?;
    let form = WebhookForm::read(&call.parameters, &name)?;
    let webhook = form.into_webhook(random::uuid(), &name, &owner.username, now_ms())?;
    let id = webhook.id.clone();
    let service = name.clone();
    call.app
        .server
        .write(move |tx| {
            let service = services::find(tx, &service)?.id;
            require_free_name(tx, service, &webhook)?;
            webhooks::add(tx, service, &webhook)
        })
        .await?;
    tracing::info!(service = %name, webhook = id, by = owner.username, "webhook created");
    let service = format!("{}.{}", name.name, name.kind);
    let path = ["admin", "services", &name.folder, &service, "webhooks", &id];
    let url = urls::below(&call.app.server_url(), &path)?;
    json(json!({ "status": "success", "id": id, "url": url }))
}

pub(crate) async fn edit(call: RequestContext, name: ServiceName, WebhookId(id): WebhookId) -> Reply {
    let editor = require_editor(&call, &name).await?;
    let form = WebhookForm::read(&call.parameters, &name)?;
    let service = name.clone();
    let (webhook, was_active) = call
        .app
        .server
        .write(move |tx| {
            let service = services::find(tx, &service)?.id;
            let mut webhook = webhooks::find(tx, service, &id)?;
            let was_active = webhook.active;
            form.change(&mut webhook, &editor.username, now_ms());
            require_free_name(tx, service, &webhook)?;
            webhooks::update(tx, &webhook)?;
            Ok((webhook, was_active))
        })
        .await?;
    if !webhook.active {
        call.app.dispatcher.recall(std::slice::from_ref(&webhook.id)).await;
    } else if !was_active {
        release(&call, vec![webhook.id.clone()]).await?;
    }
    let mut answer = shown(&name, &webhook);
    answer["status"] = json!("success");
    json(answer)
}

pub(crate) async fn delete(call: RequestContext, name: ServiceName, WebhookId(id): WebhookId) -> Reply {
    require_editor(&call, &name).await?;
    let removed = call
        .app
        .server
        .write(move |tx| {
            let webhook = webhooks::find(tx, services::find(tx, &name)?.id, &id)?;
            webhooks::remove(tx, &webhook.id)?;
            Ok(vec![webhook.id])
        })
        .await?;
    forget(&call, removed).await
}

pub(crate) async fn delete_all(call: RequestContext, name: ServiceName) -> Reply {
    require_editor(&call, &name).await?;
    let removed = call
        .app
        .server
        .write(move |tx| {
            let service = services::find(tx, &name)?.id;
            let all = webhooks::ids_of_service(tx, service)?;
            webhooks::remove_all(tx, service)?;
            Ok(all)
        })
        .await?;
    forget(&call, removed).await
}

/// Reactivates exactly the webhooks that deactivateAll deactivated.
pub(crate) async fn activate_all(call: RequestContext, name: ServiceName) -> Reply {
    require_editor(&call, &name).await?;
    let activated = call
        .app
        .server
        .write(move |tx| webhooks::activate_all(tx, services::find(tx, &name)?.id, now_ms()))
        .await?;
    release(&call, activated).await?;
    json(json!({ "status": "success" }))
}

fn require_free_name(server: &Connection, service: i64, webhook: &Webhook) -> Result<(), ApiError> {
    let taken = webhooks::of_service(server, service)?
        .iter()
        .any(|other| other.name == webhook.name && other.id != webhook.id);
    if taken {
        return Err(ApiError::bad_request(format!(
            "The service has a webhook with the name '{}' already.",
            webhook.name
        )));
    }
    Ok(())
}

async fn release(call: &RequestContext, activated: Vec<String>) -> Result<(), ApiError> {
    call.app.runtime.write(move |tx| queue::release(tx, &activated, now_ms())).await?;
    call.app.dispatcher.nudge();
    Ok(())
}

async fn forget(call: &RequestContext, removed: Vec<String>) -> Reply {
    call.app.dispatcher.recall(&removed).await;
    call.app.runtime.write(move |tx| queue::forget(tx, &removed)).await?;
    json(json!({ "status": "success" }))
}
