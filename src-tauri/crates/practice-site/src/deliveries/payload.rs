//! Webhook payload as an HTTP request.

use super::event::{LayerEdits, WebhookEvent};
use crate::store::services::ServiceName;
use crate::store::webhooks::Webhook;
use crate::urls;
use crate::wire::ApiError;
use anyhow::Context as _;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use url::Url;
use url::form_urlencoded::byte_serialize;

/// Content type for which the body starts with `payload=`.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Complete HTTP request of one attempt.
pub(super) struct WebhookRequest {
    pub(super) url: Url,
    pub(super) content_type: &'static str,
    pub(super) body: String,
    pub(super) signature: Option<String>,
}

impl WebhookRequest {
    /// Builds the request for an event, signed if the webhook has a signature key.
    pub(super) fn write(
        url: Url,
        server_url: &str,
        organisation: &str,
        service: &ServiceName,
        webhook: &Webhook,
        event: &WebhookEvent,
    ) -> Result<WebhookRequest, ApiError> {
        let rest = urls::of_service(server_url, service)?;
        let payload = match event {
            WebhookEvent::Edited(layers) => layers
                .iter()
                .map(|edits| layer_edits(&rest, organisation, service, webhook, edits))
                .collect::<anyhow::Result<Value>>()?,
            WebhookEvent::JobEnded { job, task, status } => json!({
                "serviceType": service.kind,
                "jobId": job,
                "statusURL": urls::below(rest.as_str(), &[task, "jobs", job])?,
                "name": webhook.name,
                "taskName": task,
                "folderName": service.folder,
                "serviceName": service.name,
                "eventType": status,
            }),
        };
        let text = if webhook.setting("payloadFormat") == Some("pjson") {
            format!("{payload:#}")
        } else {
            payload.to_string()
        };
        let (content_type, body) = if webhook.setting("contentType") == Some(FORM) {
            (
                FORM,
                url::form_urlencoded::Serializer::new(String::new()).append_pair("payload", &text).finish(),
            )
        } else {
            (JSON, text)
        };
        let signature = webhook.setting("signatureKey").map(|key| signature(key, &body)).transpose()?;
        Ok(WebhookRequest { url, content_type, body, signature })
    }
}

fn layer_edits(
    rest: &Url,
    organisation: &str,
    service: &ServiceName,
    webhook: &Webhook,
    edits: &LayerEdits,
) -> anyhow::Result<Value> {
    let mut changes = urls::below(rest.as_str(), &["extractChanges"])?;
    changes
        .query_pairs_mut()
        .append_pair("layers", &format!("[{}]", edits.layer))
        .append_pair("serverGens", &format!("[{},{}]", edits.from, edits.to))
        .append_pair("returnInserts", "true")
        .append_pair("returnUpdates", "true")
        .append_pair("returnDeletes", "true")
        .append_pair("async", "false")
        .append_pair("f", "json");
    Ok(json!({
        "name": webhook.name,
        "layerId": edits.layer,
        "orgId": organisation,
        "serviceName": service.name,
        "lastUpdatedTime": edits.last,
        "changesUrl": byte_serialize(changes.as_str().as_bytes()).collect::<String>(),
        "events": edits.events,
    }))
}

fn signature(key: &str, body: &str) -> anyhow::Result<String> {
    let mut mac =
        Hmac::<Sha256>::new_from_slice(key.as_bytes()).context("the signature key is not usable")?;
    mac.update(body.as_bytes());
    Ok(format!("sha256={}", STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_equals_the_rfc_4231_test_vector() {
        // RFC 4231, test case 2.
        let signed = signature("Jefe", "what do ya want for nothing?").unwrap();
        assert_eq!(signed, "sha256=W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=");
    }
}
