//! Webhooks of one service: list, activation of one or all, and deactivation of one.
//!
//! [`ServiceWebhooks::list`] reads them; [`ServiceWebhooks::activate`] and [`ServiceWebhooks::deactivate`] edit one.
//! The deactivation of all is [`DeactivateWebhooks`](crate::operations::deactivate_webhooks::DeactivateWebhooks).
//!
//! Invariants: an edit sends the complete record, but never a masked signature key, which would replace the key;
//! receiver URLs and keys are marked as secret in the request.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use steward_vault::Secret;

use crate::acknowledged::Acknowledged;
use crate::decode::is_success;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::USED;
use crate::permit::Permit;
use crate::receivers::origin;
use crate::request::{Request, ResponseTimeout};
use crate::wire::{Success, exact, list_if_any, raw, text, whole, yes_or_no};

/// Maximum number of pages of a list, for servers that never end it.
const MOST_PAGES: usize = 100;

/// Service with webhooks.
#[derive(Debug, Clone)]
pub struct ServiceWebhooks {
    /// Folder; empty for the root folder.
    pub folder: String,
    /// Name and type, for example `Hydrants.FeatureServer`.
    pub service: String,
}

/// Webhook with all fields that the site returned.
#[derive(Clone)]
pub struct ServiceWebhook {
    /// ID, unique within the service. Empty if the webhook cannot be read, for example because a text is too long: an edit
    /// sends all of its texts.
    pub id: String,
    /// Name, as shown to users.
    pub name: String,
    /// Whether the webhook is active. `None` if the site does not return it.
    pub active: Option<bool>,
    /// Origin of the receiver. The complete URL is not kept here, because it often contains a key.
    pub receiver: String,
    fields: Fields,
}

/// Fields of an edit, which requires the complete record, like a creation.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Fields {
    #[serde(deserialize_with = "exact")]
    id: String,
    #[serde(deserialize_with = "exact")]
    name: String,
    #[serde(deserialize_with = "yes_or_no")]
    active: Option<bool>,
    #[serde(deserialize_with = "exact")]
    hook_url: String,
    #[serde(deserialize_with = "exact")]
    content_type: String,
    #[serde(deserialize_with = "exact")]
    payload_format: String,
    #[serde(deserialize_with = "comma_separated")]
    change_types: String,
    /// JSON. Empty if it is not an object.
    #[serde(deserialize_with = "object")]
    schedule_info: String,
    #[serde(deserialize_with = "exact")]
    signature_key: String,
}

impl std::fmt::Debug for ServiceWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, name, active, receiver, .. } = self;
        write!(f, "ServiceWebhook({id:?}, {name:?}, active: {active:?}, receiver: {receiver:?})")
    }
}

impl ServiceWebhooks {
    /// Returns the service at a path such as `Hosted/Hydrants.FeatureServer`.
    #[must_use]
    pub fn at(path: &str) -> Self {
        let (folder, service) = path.rsplit_once('/').unwrap_or(("", path));
        Self { folder: folder.to_owned(), service: service.to_owned() }
    }

    /// Returns all webhooks of the service. Reads up to 100 pages.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request; versions before 11.1 do not have this list.
    /// - [`ClientError::Unreadable`] if the response contains no list of webhooks.
    /// - A connection or session error of [`ClientError`].
    pub async fn list(&self, server: &Endpoint) -> Result<Vec<ServiceWebhook>, ClientError> {
        let expected = "the webhooks of a service";
        let mut all = Vec::new();
        let path = self.path(&[]);
        let has_list = read_pages(server, &path, "100", expected, |webhook: ServiceWebhook| {
            server.receivers().note(&webhook.fields.hook_url);
            all.push(webhook);
        });
        match has_list.await? {
            true => Ok(all),
            false => Err(ClientError::unreadable(expected, "the response contains no list of webhooks")),
        }
    }

    /// Returns the request that activates one webhook by editing it: servers have no other request for a single one.
    #[must_use]
    pub fn activation(&self, webhook: &ServiceWebhook) -> Request {
        self.edit(webhook, true)
    }

    /// Returns the request that deactivates one webhook by editing it.
    #[must_use]
    pub fn deactivation(&self, webhook: &ServiceWebhook) -> Request {
        self.edit(webhook, false)
    }

    fn edit(&self, webhook: &ServiceWebhook, active: bool) -> Request {
        let request = Request::once(self.path(&[&webhook.id, "edit"]), ResponseTimeout::Minute);
        webhook.with_its_fields(request).field("active", if active { "true" } else { "false" })
    }

    /// Activates one webhook.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request.
    /// - [`ClientError::Unreadable`] if the response shows neither success nor an active webhook.
    /// - A connection or session error of [`ClientError`].
    pub async fn activate(&self, permit: Permit<'_>, webhook: &ServiceWebhook) -> Result<(), ClientError> {
        permit.send::<Edited<true>>(&self.activation(webhook), "the edited webhook").await.map(drop)
    }

    /// Deactivates one webhook.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request.
    /// - [`ClientError::Unreadable`] if the response shows neither success nor an inactive webhook.
    /// - A connection or session error of [`ClientError`].
    pub async fn deactivate(&self, permit: Permit<'_>, webhook: &ServiceWebhook) -> Result<(), ClientError> {
        permit.send::<Edited<false>>(&self.deactivation(webhook), "the edited webhook").await.map(drop)
    }

    /// Returns the request that activates all webhooks of the service.
    fn activation_of_all(&self) -> Request {
        Request::once(self.path(&["activateAll"]), ResponseTimeout::Minute)
    }

    /// Activates all webhooks of the service.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request.
    /// - [`ClientError::Unreadable`] if the response does not acknowledge the request.
    /// - A connection or session error of [`ClientError`].
    pub async fn activate_all(&self, permit: Permit<'_>) -> Result<(), ClientError> {
        let request = self.activation_of_all();
        permit.send::<Acknowledged>(&request, "the result of an activation").await.map(drop)
    }

    fn path<'a>(&'a self, rest: &[&'a str]) -> Vec<&'a str> {
        let mut path = vec!["admin", "services"];
        if !self.folder.is_empty() {
            path.push(&self.folder);
        }
        path.extend([self.service.as_str(), "webhooks"]);
        path.extend(rest);
        path
    }
}

impl<'de> Deserialize<'de> for ServiceWebhook {
    /// Reads a webhook. One that cannot be read is there, without an ID.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        let fields = match value.read_object::<Fields>() {
            Some(fields) => fields,
            None if value.is_object() => Fields::default(),
            None => return Err(serde::de::Error::custom("not a webhook")),
        };
        Ok(Self {
            id: fields.id.clone(),
            name: fields.name.clone(),
            active: fields.active,
            receiver: origin(&fields.hook_url),
            fields,
        })
    }
}

impl ServiceWebhook {
    /// Adds the fields of the webhook, except `active`. Sites mask the key that signs payloads, and a mask that is sent
    /// back would become the key.
    fn with_its_fields(&self, mut request: Request) -> Request {
        let Fields {
            name,
            hook_url,
            content_type,
            payload_format,
            change_types,
            schedule_info,
            signature_key,
            ..
        } = &self.fields;
        let texts = [
            ("name", name),
            ("hookUrl", hook_url),
            ("contentType", content_type),
            ("payloadFormat", payload_format),
            ("changeTypes", change_types),
            ("scheduleInfo", schedule_info),
        ];
        for (name, value) in texts {
            request = match name {
                _ if value.is_empty() => request,
                // A receiver URL often contains a key.
                "hookUrl" => request.secret(name, Secret::new(value.clone())),
                _ => request.field(name, value),
            };
        }
        if signature_key.chars().any(|letter| !matches!(letter, '*' | '•' | '.')) {
            request = request.secret("signatureKey", Secret::new(signature_key.clone()));
        }
        request
    }
}

/// Deserializes a list of texts as one text that a request uses.
fn comma_separated<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut texts = Vec::new();
    raw(deserializer)?.each(&mut |one| texts.push(one.whole(USED)));
    let texts: Option<Vec<_>> = texts.into_iter().collect();
    let joined = texts.map(|texts| texts.join(",")).filter(|joined| joined.len() <= USED);
    joined.ok_or_else(|| serde::de::Error::custom("the texts are too long"))
}

/// Deserializes an object as its JSON. Empty for anything else.
fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match raw(deserializer)? {
        object if object.is_object() && object.0.len() > USED => {
            Err(serde::de::Error::custom("the object is too long"))
        }
        object if object.is_object() => Ok(object.0.to_owned()),
        _ => Ok(String::new()),
    }
}

/// Reads a list of webhooks with `size` per page, and returns whether every page contained a list, and the last page was
/// read: webhooks that are not known cannot be reactivated.
///
/// # Errors
/// [`ClientError::Rejected`] if the server rejects the request; [`ClientError::Unreadable`] if a page is not JSON; a
/// connection or session error of [`ClientError`].
pub(crate) async fn read_pages<T: DeserializeOwned>(
    server: &Endpoint,
    path: &[&str],
    size: &str,
    expected: &'static str,
    mut each: impl FnMut(T),
) -> Result<bool, ClientError> {
    let mut start = 1;
    for _ in 0..MOST_PAGES {
        let from = start.to_string();
        let query = [("start", from.as_str()), ("num", size)];
        let page: Page<T> = server.get_list(path, &query, expected).await?;
        let Some(webhooks) = page.webhooks else { return Ok(false) };
        webhooks.into_iter().for_each(&mut each);
        match page.next_start {
            Some(next) if next > start => start = next,
            _ => return Ok(true),
        }
    }
    Ok(false)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound = "T: DeserializeOwned")]
struct Page<T> {
    /// Required: a response without this field does not mean that there are no webhooks.
    #[serde(deserialize_with = "list_if_any")]
    webhooks: Option<Vec<T>>,
    #[serde(default, deserialize_with = "whole")]
    next_start: Option<i64>,
}

/// Response to an edit that sets `active` to `ACTIVE`: the edited webhook, or a status of success.
#[derive(Deserialize)]
#[serde(try_from = "EditedWire")]
struct Edited<const ACTIVE: bool>;

#[derive(Deserialize)]
struct EditedWire {
    #[serde(default, deserialize_with = "yes_or_no")]
    active: Option<bool>,
    #[serde(default, deserialize_with = "text")]
    status: String,
    #[serde(default)]
    success: Success,
}

impl<const ACTIVE: bool> TryFrom<EditedWire> for Edited<ACTIVE> {
    type Error = &'static str;

    fn try_from(wire: EditedWire) -> Result<Self, Self::Error> {
        // If the response contains the webhook, its `active` decides; otherwise the status does.
        match wire.active {
            Some(active) if active == ACTIVE => Ok(Self),
            Some(true) => Err("the webhook is still active"),
            Some(false) => Err("the webhook is still inactive"),
            None if wire.success == Success::Yes || is_success(&wire.status) => Ok(Self),
            None => Err("neither the webhook nor a success"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn webhook(json: &str) -> ServiceWebhook {
        serde_json::from_str(json).unwrap()
    }

    fn activation(webhook: &ServiceWebhook) -> Request {
        ServiceWebhooks::at("a.FeatureServer").activation(webhook)
    }

    #[test]
    fn edit_contains_the_own_fields_but_no_masked_key() {
        for key in ["", "****", "••••••"] {
            let webhook = webhook(&format!(
                r#"{{"id":"3f6d","name":"Notify","hookUrl":"https://hooks.example.org/h?k=1","active":false,
                    "signatureKey":"{key}","contentType":"application/json","payloadFormat":"json",
                    "changeTypes":["FeaturesCreated","FeaturesUpdated"],
                    "scheduleInfo":{{"name":"","recurrenceInfo":{{"interval":20}}}}}}"#
            ));

            let request = activation(&webhook);

            let form = request.form();
            let value = |name: &str| form.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
            assert_eq!(value("hookUrl"), Some("https://hooks.example.org/h?k=1"));
            assert_eq!(value("changeTypes"), Some("FeaturesCreated,FeaturesUpdated"));
            assert_eq!(value("scheduleInfo"), Some(r#"{"name":"","recurrenceInfo":{"interval":20}}"#));
            assert_eq!(value("active"), Some("true"));
            assert_eq!(value("signatureKey"), None, "{key:?}");
        }
        let open = webhook(r#"{"id":"1","name":"N","signatureKey":"k3y"}"#);
        assert!(activation(&open).form().contains(&("signatureKey", "k3y")));
    }

    #[test]
    fn the_address_of_a_receiver_and_its_key_are_sent_and_not_shown() {
        let webhook = webhook(
            r#"{"id":"1","name":"N","hookUrl":"https://hooks.example.org/h?k=1","signatureKey":"k3y"}"#,
        );

        let request = activation(&webhook);

        let shown = |name: &str| request.fields().find(|(given, _)| *given == name).map(|(_, value)| value);
        assert_eq!((shown("name"), shown("hookUrl")), (Some(Some("N")), Some(None)));
        assert_eq!(shown("signatureKey"), Some(None));
    }

    #[test]
    fn edit_succeeds_if_the_response_is_active_or_success() {
        let done = |json: &str| serde_json::from_str::<Edited<true>>(json).is_ok();
        assert!(done(r#"{"status":"success"}"#) && done(r#"{"id":"1","active":true}"#));
        assert!(done(r#"{"id":"1","active":"TRUE"}"#));
        assert!(!done("{}") && !done(r#"{"status":"success","active":false}"#));
        let done = |json: &str| serde_json::from_str::<Edited<false>>(json).is_ok();
        assert!(done(r#"{"status":"success"}"#) && done(r#"{"id":"1","active":false}"#));
        assert!(!done("{}") && !done(r#"{"status":"success","active":true}"#));
    }
}
