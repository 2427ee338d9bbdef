//! Webhooks of one service: list, activation of one or all, and deactivation of one.
//!
//! [`ServiceWebhooks::list`] reads them; [`ServiceWebhooks::edit`] changes one.
//! The deactivation of all is [`DeactivateWebhooks`](crate::operations::deactivate_webhooks::DeactivateWebhooks).
//!
//! Invariants: an [`Edit`] sends the complete record as it came, but never a mask, which would replace what it hides;
//! receiver URLs and keys are marked as secret in the request.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use steward_vault::Secret;

use crate::acknowledged::Acknowledged;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::invisible::without_hidden;
use crate::limits::{LARGE_BODY, USED};
use crate::permit::Permit;
use crate::receivers::origin;
use crate::request::{Request, ResponseTimeout, of_service};
use crate::status_words::is_success;
use crate::wire::{Raw, Success, exact, list_if_any, raw, text, whole, yes_or_no};
use steward_redact::masks::{hides_a_part, hides_a_setting, is_encrypted, is_mask};

/// Maximum number of pages of a list, for servers that never end it.
const MOST_PAGES: usize = 100;

/// Reason why webhooks are not read.
pub(crate) const TOO_LONG_RECEIVERS: &str = "the addresses of the receivers are too long to be masked";

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
    /// ID, unique within the service. Empty if the webhook cannot be read, for example because a text is too long: an
    /// edit sends all of its texts.
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
    #[serde(deserialize_with = "as_it_came")]
    schedule_info: Option<String>,
    #[serde(deserialize_with = "exact")]
    signature_key: String,
    /// Fields that are not known here, as they came, in their order.
    #[serde(skip)]
    others: Others,
}

/// Fields with names and values. The value is `None` if it is too long.
#[derive(Clone, Default)]
struct Others(Vec<(String, Option<String>)>);

/// Maximum number of fields of a webhook that are not known here.
const MOST_OTHERS: usize = 100;

/// Names of the fields that are known, that the site sets, or that belong to the request.
const NOT_OTHERS: &str = "\
    id name active hookUrl contentType payloadFormat changeTypes scheduleInfo signatureKey folderName \
    serviceName serviceType created modified ownerId modifiedId f token status success";

/// Edit of one webhook that sends back what the site returned of it.
#[derive(Debug, Clone)]
pub struct Edit<const ACTIVE: bool>(Request);

impl<const ACTIVE: bool> Edit<ACTIVE> {
    /// Returns the request.
    #[must_use]
    pub const fn request(&self) -> &Request {
        &self.0
    }
}

/// Field of a webhook whose value the site does not return, but that an edit requires. An edit would replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenField(pub String);

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
        let mut are_masked = true;
        let has_list = read_pages(server, &path, "100", expected, |webhook: ServiceWebhook| {
            are_masked = are_masked && server.receivers().note(&webhook.fields.hook_url);
            all.push(webhook);
        });
        match has_list.await? {
            true if !are_masked => Err(ClientError::unreadable(expected, TOO_LONG_RECEIVERS)),
            true => Ok(all),
            false => Err(ClientError::unreadable(expected, "the response contains no list of webhooks")),
        }
    }

    /// Returns the edit that sets `active` of one webhook to `ACTIVE`: servers have no other request for a single one.
    ///
    /// # Errors
    /// The [`HiddenField`] that an edit would replace.
    pub fn edit<const ACTIVE: bool>(&self, webhook: &ServiceWebhook) -> Result<Edit<ACTIVE>, HiddenField> {
        let request = Request::once(self.path(&[&webhook.id, "edit"]), ResponseTimeout::Minute);
        let request = webhook.with_its_fields(request)?;
        Ok(Edit(request.field("active", if ACTIVE { "true" } else { "false" })))
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

    pub(crate) fn path<'a>(&'a self, rest: &[&'a str]) -> Vec<&'a str> {
        of_service(&self.folder, &self.service, &[&["webhooks"][..], rest].concat())
    }
}

impl<const ACTIVE: bool> Edit<ACTIVE> {
    /// Sends the edit.
    ///
    /// # Errors
    /// - [`ClientError::Rejected`] if the server rejects the request.
    /// - [`ClientError::Unreadable`] if the response shows neither success nor a webhook whose `active` is `ACTIVE`.
    /// - A connection or session error of [`ClientError`].
    pub async fn send(&self, permit: Permit<'_>) -> Result<(), ClientError> {
        permit.send::<Edited<ACTIVE>>(&self.0, "the edited webhook").await.map(drop)
    }
}

impl<'de> Deserialize<'de> for ServiceWebhook {
    /// Reads a webhook. One that cannot be read is kept without an ID.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        // A webhook whose other fields cannot be read gets no ID, and is not edited: an edit would drop these fields.
        let fields = value.read_object::<Fields>().and_then(|fields| {
            let others = Others::of(value)?;
            Some(Fields { others, ..fields })
        });
        let fields = fields.unwrap_or_default();
        Ok(Self {
            id: fields.id.clone(),
            name: without_hidden(fields.name.clone()),
            active: fields.active,
            receiver: origin(&fields.hook_url),
            fields,
        })
    }
}

impl ServiceWebhook {
    /// Adds the fields of the webhook, except `active`. A field that the site masks is left out, which keeps it.
    ///
    /// Fails with the field that cannot be left out: the receiver, the schedule, without which a webhook gets the usual
    /// one, and what is too long to be kept here.
    fn with_its_fields(&self, mut request: Request) -> Result<Request, HiddenField> {
        let fields = &self.fields;
        if hides_a_part(&fields.hook_url) || is_encrypted(&fields.hook_url) {
            return Err(HiddenField("hookUrl".to_owned()));
        }
        let schedule = fields.schedule_info.as_deref().unwrap_or_default();
        if has_text(schedule, &hides_a_setting) {
            return Err(HiddenField("scheduleInfo".to_owned()));
        }
        for (name, value) in [
            ("name", fields.name.as_str()),
            ("hookUrl", &fields.hook_url),
            ("contentType", &fields.content_type),
            ("payloadFormat", &fields.payload_format),
            ("changeTypes", &fields.change_types),
            ("scheduleInfo", schedule),
        ] {
            request = match name {
                _ if value.is_empty() => request,
                // A receiver URL often contains a key.
                "hookUrl" => request.secret(name, Secret::new(value.to_owned())),
                _ => request.field(name, value),
            };
        }
        let key = ("signatureKey".to_owned(), Some(fields.signature_key.clone()));
        for (name, value) in fields.others.0.iter().chain([&key]) {
            let value = value.as_ref().ok_or_else(|| HiddenField(name.clone()))?;
            let is_hidden = |text: &str| is_mask(text) || is_encrypted(text) || hides_a_part(text);
            if !value.is_empty() && !has_text(value, &is_hidden) {
                // An unknown field might be a secret.
                request = request.secret(name.clone(), Secret::new(value.clone()));
            }
        }
        Ok(request)
    }
}

/// Returns whether `is` accepts a text in a JSON object or list, or `json` itself if it is neither.
fn has_text(json: &str, is: &dyn Fn(&str) -> bool) -> bool {
    fn any(value: &serde_json::Value, is: &dyn Fn(&str) -> bool) -> bool {
        match value {
            serde_json::Value::String(text) => is(text),
            serde_json::Value::Array(elements) => elements.iter().any(|one| any(one, is)),
            serde_json::Value::Object(fields) => fields.values().any(|one| any(one, is)),
            _ => false,
        }
    }
    match serde_json::from_str(json) {
        Ok(value) if json.starts_with(['{', '[']) => any(&value, is),
        _ => is(json),
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

/// Deserializes a value as a request sends it: a text as its content, and any other value as its source text. `None`
/// for null.
fn as_it_came<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = raw(deserializer)?;
    sent_back(value).ok_or_else(|| serde::de::Error::custom("the value is too long"))
}

impl Others {
    /// Reads the fields of a webhook that are not known here. `None` if there are too many.
    fn of(webhook: Raw<'_>) -> Option<Self> {
        let mut others: Vec<(String, Option<String>)> = Vec::new();
        webhook.fields(&mut |name, value| {
            if NOT_OTHERS.split(' ').any(|known| known == name) || others.len() > MOST_OTHERS {
                return;
            }
            // If a field occurs twice, the last one counts.
            others.retain(|(other, _)| other != name);
            match sent_back(value) {
                Some(None) => {}
                Some(Some(value)) => others.push((name.to_owned(), Some(value))),
                None => others.push((name.to_owned(), None)),
            }
        });
        (others.len() <= MOST_OTHERS).then_some(Self(others))
    }
}

/// Returns a value as a request sends it, or `None` inside for null. `None` if it is too long.
fn sent_back(value: Raw<'_>) -> Option<Option<String>> {
    match value {
        null if null.is_null() => Some(None),
        text if text.is_text() => text.whole(USED).map(Some),
        other => (other.0.len() <= USED).then(|| Some(other.0.to_owned())),
    }
}

/// Reads a list of webhooks with `size` per page, and returns whether every page contained a list whose elements can be
/// read, and the last page was read: webhooks that are not known cannot be reactivated.
pub(crate) async fn read_pages<T: DeserializeOwned>(
    server: &Endpoint,
    path: &[&str],
    size: &str,
    expected: &'static str,
    mut each: impl FnMut(T),
) -> Result<bool, ClientError> {
    let (mut start, mut listed, mut length, mut is_whole) = (1, 0, 0, true);
    for page_number in 0..MOST_PAGES {
        let from = start.to_string();
        let query = [("start", from.as_str()), ("num", size)];
        let page: Page<T> = server.get_list(path, &query, expected).await?;
        let Some(webhooks) = page.webhooks else { return Ok(false) };
        listed += webhooks.len();
        length += webhooks.iter().map(|one| one.length).sum::<usize>();
        if length > LARGE_BODY {
            let words = format!("more than {LARGE_BODY} bytes on {} pages", page_number + 1);
            return Err(ClientError::unreadable(expected, words));
        }
        for Listed { webhook, .. } in webhooks {
            is_whole &= webhook.is_some();
            webhook.into_iter().for_each(&mut each);
        }
        match page.next_start {
            Some(next) if next > start => start = next,
            // A server can end a list early.
            _ => {
                let listed = i64::try_from(listed).unwrap_or(i64::MAX);
                return Ok(is_whole && page.total.is_none_or(|total| total <= listed));
            }
        }
    }
    Ok(false)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", bound = "T: DeserializeOwned")]
struct Page<T> {
    /// Required: a response without this field does not mean that there are no webhooks.
    #[serde(deserialize_with = "list_if_any")]
    webhooks: Option<Vec<Listed<T>>>,
    #[serde(default, deserialize_with = "whole")]
    next_start: Option<i64>,
    #[serde(default, deserialize_with = "whole")]
    total: Option<i64>,
}

/// Element of a list.
struct Listed<T> {
    /// `None` if it cannot be read.
    webhook: Option<T>,
    /// Length of its text, in bytes.
    length: usize,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        raw(deserializer).map(|value| Self { webhook: value.read(), length: value.0.len() })
    }
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

    #[test]
    fn what_is_no_webhook_is_in_the_list_without_an_id_and_an_element_of_another_shape_is_missed() {
        for odd in ["7", "null", "\"x\"", "[]", "[1,2]"] {
            assert_eq!(webhook(odd).id, "", "{odd}");
        }
        #[derive(Deserialize)]
        struct Named {
            #[serde(deserialize_with = "crate::wire::used")]
            name: String,
        }
        let page: Page<Named> = serde_json::from_str(r#"{"webhooks":[{"name":"a"},{},7]}"#).unwrap();
        let names: Vec<_> =
            page.webhooks.unwrap().into_iter().map(|one| one.webhook.map(|it| it.name)).collect();
        assert_eq!(names, [Some("a".to_owned()), None, None]);
    }

    fn webhook(json: &str) -> ServiceWebhook {
        serde_json::from_str(json).unwrap()
    }

    fn activation(webhook: &ServiceWebhook) -> Request {
        ServiceWebhooks::at("a.FeatureServer").edit::<true>(webhook).unwrap().0
    }

    fn value<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
        request.form().iter().find(|(given, _)| *given == name).map(|(_, value)| *value)
    }

    #[test]
    fn edit_contains_the_own_fields_but_no_masked_key() {
        for key in
            ["", "****", "••••••", "xxxxxxxx", "<hidden>", "****7f2c", "[REDACTED]", "null", "{crypt}Q1w2"]
        {
            let webhook = webhook(&format!(
                r#"{{"id":"3f6d","name":"Notify","hookUrl":"https://hooks.example.org/h?k=1","active":false,
                    "signatureKey":"{key}","contentType":"application/json","payloadFormat":"json",
                    "changeTypes":["FeaturesCreated","FeaturesUpdated"],
                    "scheduleInfo":{{"name":"","recurrenceInfo":{{"interval":20}}}}}}"#
            ));

            let request = activation(&webhook);

            let value = |name: &str| value(&request, name);
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
    fn a_webhook_whose_schedule_has_a_mask_is_not_edited() {
        let edit = |schedule: &str| {
            let webhook = format!(
                r#"{{"id":"1","name":"N","hookUrl":"https://h.example.org/x","active":true,"scheduleInfo":{schedule}}}"#
            );
            let webhook: ServiceWebhook = serde_json::from_str(&webhook).unwrap();
            ServiceWebhooks::at("A.FeatureServer").edit::<false>(&webhook).map(drop)
        };
        for hidden in [
            r#"{"name":"****","state":"enabled"}"#,
            r#"{"recurrenceInfo":{"cookie":"<hidden>","interval":20}}"#,
            r#"[{"name":"nightly"},{"key":"xxxxxxxx"}]"#,
            r#""••••""#,
            r#""{\"name\":\"[REDACTED]\"}""#,
        ] {
            assert_eq!(edit(hidden), Err(HiddenField("scheduleInfo".to_owned())), "{hidden}");
        }
        for open in [
            r#"{"name":"","state":"enabled","recurrenceInfo":{"frequency":"none","interval":20}}"#,
            r#""0 0 12 * * ?""#,
            "null",
            r#"["set"]"#,
        ] {
            assert_eq!(edit(open), Ok(()), "{open}");
        }
    }

    #[test]
    fn a_webhook_whose_receiver_is_masked_is_not_edited() {
        for url in ["https://f.example.org/api?code=****", "<hidden>", "https://hooks.example.org/…", "••••"]
        {
            let webhook = webhook(&format!(r#"{{"id":"1","name":"N","hookUrl":"{url}"}}"#));
            let edit = ServiceWebhooks::at("a.FeatureServer").edit::<true>(&webhook);
            assert_eq!(edit.err(), Some(HiddenField("hookUrl".to_owned())), "{url}");
        }
    }

    #[test]
    fn a_webhook_of_more_fields_than_any_has_is_not_edited() {
        let read = |number: usize| {
            let fields: String = (0..number).map(|number| format!(r#""f{number}":1,"#)).collect();
            webhook(&format!(r#"{{{fields}"id":"a","name":"w"}}"#)).id
        };

        assert_eq!((read(MOST_OTHERS).as_str(), read(MOST_OTHERS + 1).as_str()), ("a", ""));
    }

    #[test]
    fn what_is_not_understood_is_sent_back_as_it_came() {
        for (written, sent) in [
            (r#""every 20 seconds""#, Some("every 20 seconds")),
            (r#""{\"b\":1,\"a\":2}""#, Some(r#"{"b":1,"a":2}"#)),
            ("[1, 2.50]", Some("[1, 2.50]")),
            (r#"{"z": 1.0, "a": [1e3]}"#, Some(r#"{"z": 1.0, "a": [1e3]}"#)),
            ("20", Some("20")),
            ("null", None),
        ] {
            let webhook = webhook(&format!(
                r#"{{"id":"1","name":"N","scheduleInfo":{written},"extra":{written},"created":1,"ownerId":"gis",
                    "token":"x","other":"****","headers":{{"Authorization":"<hidden>"}}}}"#
            ));

            let request = activation(&webhook);

            assert_eq!(value(&request, "scheduleInfo"), sent);
            assert_eq!(value(&request, "extra"), sent);
            for not_sent in ["created", "ownerId", "token", "other", "headers"] {
                assert_eq!(value(&request, not_sent), None, "{not_sent}");
            }
            assert!(request.fields().all(|(name, shown)| name != "extra" || shown.is_none()));
        }
        let long = format!(r#"{{"id":"1","name":"N","extra":"{}"}}"#, "x ".repeat(USED));
        let edit = ServiceWebhooks::at("a.FeatureServer").edit::<true>(&webhook(&long));
        assert_eq!(edit.err(), Some(HiddenField("extra".to_owned())), "a part of it would replace it");
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
