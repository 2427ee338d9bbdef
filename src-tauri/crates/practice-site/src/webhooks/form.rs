//! Parameters of create and edit.

use crate::deliveries::{DEFAULT_INTERVAL, FREQUENCIES};
use crate::store::services::ServiceName;
use crate::store::webhooks::Webhook;
use crate::wire::{ApiError, Parameters};
use serde_json::{Value, json};
use url::Url;

const LONGEST_NAME: usize = 100;
const CHANGE_TYPES: [&str; 11] = [
    "*",
    "FeaturesCreated",
    "FeaturesUpdated",
    "FeaturesDeleted",
    "FeaturesEdited",
    "AttachmentsCreated",
    "AttachmentsUpdated",
    "AttachmentsDeleted",
    "LayerSchemaChanged",
    "LayerDefinitionChanged",
    "FeatureServiceDefinitionChanged",
];
const CONTENT_TYPES: [&str; 2] = ["application/json", "application/x-www-form-urlencoded"];
const PAYLOAD_FORMATS: [&str; 2] = ["json", "pjson"];

/// Parameters of a webhook, all optional. [`WebhookForm::into_webhook`] checks which ones a new webhook requires.
pub(super) struct WebhookForm {
    name: Option<String>,
    hook_url: Option<String>,
    active: Option<bool>,
    signature_key: Option<String>,
    content_type: Option<String>,
    payload_format: Option<String>,
    /// Only for feature services; ignored for other service types. The same applies to `schedule`.
    change_types: Option<Vec<String>>,
    schedule: Option<Value>,
}

impl WebhookForm {
    /// Reads and validates the parameters.
    pub(super) fn read(parameters: &Parameters, service: &ServiceName) -> Result<WebhookForm, ApiError> {
        let is_feature_service = service.kind == "FeatureServer";
        Ok(WebhookForm {
            name: name(parameters)?,
            hook_url: hook_url(parameters)?,
            active: parameters.flag("active")?,
            signature_key: parameters.text("signatureKey").map(str::to_owned),
            content_type: one_of(parameters, "contentType", &CONTENT_TYPES)?,
            payload_format: one_of(parameters, "payloadFormat", &PAYLOAD_FORMATS)?,
            change_types: if is_feature_service { change_types(parameters)? } else { None },
            schedule: if is_feature_service { schedule(parameters)? } else { None },
        })
    }

    /// Creates a webhook. Those of feature services require change types and get a schedule.
    pub(super) fn into_webhook(
        self,
        id: String,
        service: &ServiceName,
        owner: &str,
        now: i64,
    ) -> Result<Webhook, ApiError> {
        if self.name.is_none() {
            return Err(missing("name"));
        }
        if self.hook_url.is_none() {
            return Err(missing("hookUrl"));
        }
        let mut settings = json!({
            "signatureKey": "",
            "contentType": CONTENT_TYPES[0],
            "payloadFormat": PAYLOAD_FORMATS[0],
            "ownerId": owner,
        });
        if service.kind == "FeatureServer" {
            if self.change_types.is_none() {
                return Err(missing("changeTypes"));
            }
            settings["scheduleInfo"] = json!({
                "name": "",
                "state": "enabled",
                "startAt": now,
                "recurrenceInfo": { "frequency": "second", "interval": DEFAULT_INTERVAL },
            });
        }
        let mut webhook = Webhook {
            id,
            name: String::new(),
            hook_url: String::new(),
            active: false,
            paused: false,
            settings,
            created: now,
            modified: now,
        };
        self.change(&mut webhook, owner, now);
        Ok(webhook)
    }

    /// Applies the given parameters to an existing webhook.
    pub(super) fn change(self, webhook: &mut Webhook, by: &str, now: i64) {
        if let Some(name) = self.name {
            webhook.name = name;
        }
        if let Some(hook_url) = self.hook_url {
            webhook.hook_url = hook_url;
        }
        if let Some(active) = self.active {
            webhook.active = active;
            // An explicit change removes the pause mark: activateAll has nothing to reactivate.
            webhook.paused = false;
        }
        let settings = &mut webhook.settings;
        for (name, text) in [
            ("signatureKey", self.signature_key),
            ("contentType", self.content_type),
            ("payloadFormat", self.payload_format),
        ] {
            if let Some(text) = text {
                settings[name] = json!(text);
            }
        }
        if let Some(change_types) = self.change_types {
            settings["changeTypes"] = json!(change_types);
        }
        if let Some(mut schedule) = self.schedule {
            if schedule.get("startAt").is_none() {
                schedule["startAt"] = json!(now);
            }
            settings["scheduleInfo"] = schedule;
        }
        settings["modifiedId"] = json!(by);
        webhook.modified = now;
    }
}

fn missing(name: &str) -> ApiError {
    ApiError::bad_request(format!("'{name}' must be specified."))
}

fn name(parameters: &Parameters) -> Result<Option<String>, ApiError> {
    match parameters.text("name") {
        Some(name) if name.chars().count() > LONGEST_NAME => {
            Err(ApiError::bad_request(format!("'name' must not be longer than {LONGEST_NAME} characters.")))
        }
        name => Ok(name.map(str::to_owned)),
    }
}

fn hook_url(parameters: &Parameters) -> Result<Option<String>, ApiError> {
    let Some(text) = parameters.text("hookUrl") else { return Ok(None) };
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Some(text.to_owned())),
        _ => Err(ApiError::bad_request("'hookUrl' must be an address that begins with http:// or https://.")),
    }
}

fn one_of(parameters: &Parameters, name: &str, allowed: &[&str]) -> Result<Option<String>, ApiError> {
    match parameters.text(name) {
        Some(given) if !allowed.contains(&given) => {
            Err(ApiError::bad_request(format!("'{name}' must be {}.", allowed.join(" or "))))
        }
        given => Ok(given.map(str::to_owned)),
    }
}

/// Reads `changeTypes`: separated by commas, or a JSON array as sent by the vendor's clients.
fn change_types(parameters: &Parameters) -> Result<Option<Vec<String>>, ApiError> {
    let Some(text) = parameters.text("changeTypes") else { return Ok(None) };
    let given: Vec<String> = if text.starts_with('[') {
        serde_json::from_str(text)
            .map_err(|_| ApiError::bad_request("'changeTypes' is not readable as a list of texts."))?
    } else {
        text.split(',').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
    };
    let mut change_types: Vec<String> = Vec::new();
    for one in given {
        if !CHANGE_TYPES.contains(&one.as_str()) {
            return Err(ApiError::bad_request(format!("'{one}' is not one of the changeTypes."))
                .with_detail(format!("They are {}.", CHANGE_TYPES.join(", "))));
        }
        if !change_types.contains(&one) {
            change_types.push(one);
        }
    }
    if change_types.is_empty() { Err(missing("changeTypes")) } else { Ok(Some(change_types)) }
}

fn schedule(parameters: &Parameters) -> Result<Option<Value>, ApiError> {
    let Some(schedule) = parameters.json("scheduleInfo")? else { return Ok(None) };
    let refuse = |what: &str| Err(ApiError::bad_request(format!("'scheduleInfo' {what}.")));
    if !schedule.is_object() {
        return refuse("must be an object");
    }
    if schedule.get("startAt").is_some_and(|start| !start.is_i64()) {
        return refuse("must give startAt in milliseconds");
    }
    let recurrence = &schedule["recurrenceInfo"];
    if recurrence["interval"].as_i64().is_none_or(|interval| interval < 1) {
        return refuse("must give recurrenceInfo.interval, 1 or more");
    }
    let known = |frequency: &Value| FREQUENCIES.iter().any(|(name, _)| frequency == name);
    if recurrence.get("frequency").is_some_and(|frequency| !known(frequency)) {
        return refuse("must count recurrenceInfo.frequency in second, minute, hour or day");
    }
    Ok(Some(schedule))
}
