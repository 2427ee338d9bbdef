//! The webhooks of one service, and the way back from their deactivation.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::area::{Area, Patience};
use crate::error::ClientError;
use crate::operations::Acknowledged;
use crate::receivers::origin;
use crate::wire::{elements, is_yes, number, texts};

/// Pages of a list; a server that never ends its list must not keep us for ever.
const MOST_PAGES: usize = 100;

/// What an edit is given, like a creation: the record's own fields, unless the site did not send them.
const TEXT_FIELDS: [&str; 4] = ["name", "hookUrl", "contentType", "payloadFormat"];

/// The service whose webhooks are meant.
#[derive(Debug, Clone)]
pub struct ServiceWebhooks {
    /// Folder; empty for the root.
    pub folder: String,
    /// Name and type, as in `Hydrants.FeatureServer`.
    pub service: String,
}

/// A webhook with everything that the site says of it.
#[derive(Clone)]
pub struct ServiceWebhook {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is invoked.
    pub active: Option<bool>,
    /// The origin of where payloads are delivered; the whole address often is a secret.
    pub receiver: String,
    fields: Map<String, Value>,
}

impl std::fmt::Debug for ServiceWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, name, active, receiver, .. } = self;
        write!(f, "ServiceWebhook({id:?}, {name:?}, active: {active:?}, receiver: {receiver:?})")
    }
}

impl ServiceWebhooks {
    /// The service at a path, as in `Hosted/Hydrants.FeatureServer`.
    #[must_use]
    pub fn at(path: &str) -> Self {
        let (folder, service) = path.rsplit_once('/').unwrap_or(("", path));
        Self { folder: folder.to_owned(), service: service.to_owned() }
    }

    /// All of them, page by page.
    ///
    /// # Errors
    /// When the server refuses or cannot be reached: versions before 11.1 have no such list.
    pub async fn list(&self, server: &Area) -> Result<Vec<ServiceWebhook>, ClientError> {
        let expected = "the webhooks of a service";
        let mut all = Vec::new();
        let path = self.path(&[]);
        let has_list = read_pages(server, &path, "100", expected, |fields: Map<String, Value>| {
            server.receivers().note(&texts(fields.get("hookUrl")).join(" "));
            all.push(ServiceWebhook::of(fields));
        });
        match has_list.await? {
            true => Ok(all),
            false => Err(ClientError::unreadable(expected, "the answer holds no list of webhooks")),
        }
    }

    /// The address and the form that activate one webhook, without token.
    #[must_use]
    pub fn activation(&self, webhook: &ServiceWebhook) -> (Vec<String>, Vec<(String, String)>) {
        let path = self.path(&[&webhook.id, "edit"]);
        (path.into_iter().map(ToOwned::to_owned).collect(), webhook.active_form())
    }

    /// Activates one webhook, by editing it: a server has no other way for a single one.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn activate(&self, server: &Area, webhook: &ServiceWebhook) -> Result<(), ClientError> {
        let (path, form) = self.activation(webhook);
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let form: Vec<(&str, &str)> =
            form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        server.post::<Edited>(&path, &form, Patience::Minute, "the edited webhook").await.map(drop)
    }

    /// The path that activates all webhooks of the service.
    #[must_use]
    pub fn activation_of_all(&self) -> Vec<String> {
        self.path(&["activateAll"]).into_iter().map(ToOwned::to_owned).collect()
    }

    /// Activates all webhooks of the service.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn activate_all(&self, server: &Area) -> Result<(), ClientError> {
        let expected = "the result of an activation";
        let path = self.path(&["activateAll"]);
        server.post::<Acknowledged>(&path, &[], Patience::Minute, expected).await.map(drop)
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

impl ServiceWebhook {
    fn of(fields: Map<String, Value>) -> Self {
        let text = |name: &str| texts(fields.get(name)).join(" ");
        Self {
            id: text("id"),
            name: text("name"),
            active: fields.get("active").map(is_yes),
            receiver: origin(&text("hookUrl")),
            fields,
        }
    }

    /// Its own fields, with `active`. The key that signs payloads is masked by sites, and a mask that is sent back
    /// would become the key.
    fn active_form(&self) -> Vec<(String, String)> {
        let mut form = Vec::new();
        for name in TEXT_FIELDS {
            let value = texts(self.fields.get(name)).join(" ");
            if !value.is_empty() {
                form.push((name.to_owned(), value));
            }
        }
        let changes = texts(self.fields.get("changeTypes"));
        if !changes.is_empty() {
            form.push(("changeTypes".to_owned(), changes.join(",")));
        }
        if let Some(schedule) = self.fields.get("scheduleInfo").filter(|schedule| schedule.is_object()) {
            form.push(("scheduleInfo".to_owned(), schedule.to_string()));
        }
        let key = texts(self.fields.get("signatureKey")).join("");
        if key.chars().any(|letter| !matches!(letter, '*' | '•' | '.')) {
            form.push(("signatureKey".to_owned(), key));
        }
        form.push(("active".to_owned(), "true".to_owned()));
        form
    }
}

/// Reads a list of webhooks, `size` of them a page, and returns whether every page held a list.
pub(crate) async fn read_pages<T: DeserializeOwned>(
    server: &Area,
    path: &[&str],
    size: &str,
    expected: &'static str,
    mut each: impl FnMut(T),
) -> Result<bool, ClientError> {
    let mut start = 1;
    for _ in 0..MOST_PAGES {
        let from = start.to_string();
        let query = [("start", from.as_str()), ("num", size)];
        let page: Page = server.get(path, &query, expected).await?;
        if page.webhooks.is_null() {
            return Ok(false);
        }
        elements::<T>(page.webhooks).into_iter().for_each(&mut each);
        match number(&page.next_start) {
            Some(next) if next > start => start = next,
            _ => break,
        }
    }
    Ok(true)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    /// An answer without them says nothing of a service, and is not taken for one that has none.
    webhooks: Value,
    #[serde(default)]
    next_start: Value,
}

/// Sites answer with the edited webhook, or say success; an error was found before.
#[derive(Deserialize)]
#[serde(try_from = "Map<String, Value>")]
struct Edited;

impl TryFrom<Map<String, Value>> for Edited {
    type Error = &'static str;

    fn try_from(fields: Map<String, Value>) -> Result<Self, Self::Error> {
        // A site that answers with the webhook says whether it is active; one that only says success is believed.
        let says = fields.get("active").map(is_yes);
        let acknowledged = || serde_json::from_value::<Acknowledged>(Value::Object(fields.clone())).is_ok();
        match says {
            Some(true) => Ok(Self),
            Some(false) => Err("the webhook is still inactive"),
            None if acknowledged() => Ok(Self),
            None => Err("neither the webhook nor a success"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn webhook(json: &str) -> ServiceWebhook {
        ServiceWebhook::of(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn an_edit_sends_the_webhook_back_as_it_was_and_never_a_masked_key() {
        for key in ["", "****", "••••••"] {
            let webhook = webhook(&format!(
                r#"{{"id":"3f6d","name":"Notify","hookUrl":"https://hooks.example.org/h?k=1","active":false,
                    "signatureKey":"{key}","contentType":"application/json","payloadFormat":"json",
                    "changeTypes":["FeaturesCreated","FeaturesUpdated"],
                    "scheduleInfo":{{"name":"","recurrenceInfo":{{"interval":20}}}}}}"#
            ));

            let form = webhook.active_form();

            let value =
                |name: &str| form.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
            assert_eq!(value("hookUrl"), Some("https://hooks.example.org/h?k=1"));
            assert_eq!(value("changeTypes"), Some("FeaturesCreated,FeaturesUpdated"));
            assert_eq!(value("scheduleInfo"), Some(r#"{"name":"","recurrenceInfo":{"interval":20}}"#));
            assert_eq!(value("active"), Some("true"));
            assert_eq!(value("signatureKey"), None, "{key:?}");
        }
        let open = webhook(r#"{"id":"1","name":"N","signatureKey":"k3y"}"#).active_form();
        assert!(open.contains(&("signatureKey".to_owned(), "k3y".to_owned())));
    }

    #[test]
    fn an_edit_is_done_when_the_site_says_active_or_success() {
        let done = |json: &str| serde_json::from_str::<Edited>(json).is_ok();
        assert!(done(r#"{"status":"success"}"#) && done(r#"{"id":"1","active":true}"#));
        assert!(done(r#"{"id":"1","active":"TRUE"}"#));
        assert!(!done("{}") && !done(r#"{"status":"success","active":false}"#));
    }
}
