//! Validation of a server configuration from an untrusted archive: everything that the site relies on is checked before
//! anything is replaced.

use super::reader::cannot_import;
use crate::data_store;
use crate::deliveries::{self, Policy};
use crate::names::is_file_name;
use crate::store::configuration::{ServerConfiguration, ServiceRecord};
use crate::store::services::ServiceName;
use crate::wire::{ApiError, is_too_deep};
use serde_json::Value;
use std::collections::HashSet;

/// Required shape of a setting.
enum Shape {
    Object,
    /// List of objects, each with this text field.
    ObjectsWith(&'static str),
    WebhookSettings,
}

/// All settings of a site.
const SETTINGS: [(&str, Shape); 11] = [
    ("directories", Shape::ObjectsWith("physicalPath")),
    ("machines", Shape::ObjectsWith("machineName")),
    ("logSettings", Shape::Object),
    ("roles", Shape::ObjectsWith("rolename")),
    ("users", Shape::ObjectsWith("username")),
    ("extensions", Shape::ObjectsWith("name")),
    ("relationalStoreTypes", Shape::ObjectsWith("type")),
    ("statisticsReports", Shape::ObjectsWith("name")),
    ("sceneCaches", Shape::ObjectsWith("name")),
    ("properties", Shape::Object),
    (deliveries::SETTING, Shape::WebhookSettings),
];

/// Checks every service, item and setting.
pub(super) fn check(configuration: &ServerConfiguration) -> Result<(), ApiError> {
    let services = configuration.services.iter().filter_map(|service| {
        service_fault(service).map(|fault| format!("the service {}: {fault}", service.name()))
    });
    let items = configuration
        .data_items
        .iter()
        .filter_map(|item| item_fault(item).map(|fault| format!("the data item {}: {fault}", item["path"])));
    let settings = configuration.settings.iter().filter_map(|(name, value)| {
        setting_fault(name, value).map(|fault| format!("the setting {name:?} {fault}"))
    });
    let mut faults = services.chain(items).chain(settings).chain(given_twice(configuration));
    match faults.next() {
        Some(fault) => Err(cannot_import(fault)),
        None => Ok(()),
    }
}

fn service_fault(service: &ServiceRecord) -> Option<String> {
    let name = service.name();
    // A name that cannot be part of a URL could never be requested.
    if ServiceName::parse_full(&name.to_string()).as_ref() != Some(&name) {
        return Some("its folder, name and type do not make up the name of a service".to_owned());
    }
    if !matches!(service.configured_state.as_str(), "STARTED" | "STOPPED") {
        return Some(format!("its configuredState is {:?}", service.configured_state));
    }
    let properties = service.configuration.get("properties");
    if !is_usable_object(&service.configuration)
        || properties.is_some_and(|properties| !properties.is_object() && !properties.is_null())
    {
        return Some("its configuration is not an object with an object as 'properties'".to_owned());
    }
    let mut names = HashSet::new();
    for webhook in &service.webhooks {
        if !names.insert(&webhook.name) {
            return Some(format!("it has two webhooks that are called {:?}", webhook.name));
        }
        if !is_file_name(&webhook.id) {
            return Some(format!("the id {:?} of a webhook cannot be part of an address", webhook.id));
        }
        if !is_usable_object(&webhook.settings) {
            return Some(format!("the settings of the webhook {:?} are not an object", webhook.name));
        }
    }
    None
}

fn item_fault(item: &Value) -> Option<&'static str> {
    if !is_usable_object(item) {
        return Some("it is not an object, or is nested too deeply");
    }
    if item["id"].as_str().is_none_or(str::is_empty) {
        return Some("it has no 'id'");
    }
    data_store::fault(item)
}

fn setting_fault(name: &str, value: &Value) -> Option<String> {
    let Some((_, shape)) = SETTINGS.iter().find(|(known, _)| *known == name) else {
        return Some("is not a setting of this site".to_owned());
    };
    if is_too_deep(value) {
        return Some("is nested too deeply".to_owned());
    }
    let fits = match shape {
        Shape::Object => value.is_object(),
        Shape::ObjectsWith(text) => {
            value.as_array().is_some_and(|all| all.iter().all(|one| one[*text].is_string()))
        }
        Shape::WebhookSettings => {
            // serde would also accept a list.
            value.is_object()
                && serde_json::from_value::<Policy>(value.clone())
                    .is_ok_and(|policy| policy.is_within_limits())
        }
    };
    let wanted = match shape {
        _ if fits => return None,
        Shape::Object => "an object".to_owned(),
        Shape::ObjectsWith(text) => format!("a list of objects, each with a text '{text}'"),
        Shape::WebhookSettings => "an object with the numbers that webhooks may have".to_owned(),
    };
    Some(format!("is not {wanted}"))
}

fn is_usable_object(document: &Value) -> bool {
    document.is_object() && !is_too_deep(document)
}

/// Returns a value that must be unique and is not. The database rejects it too, but without a useful message.
fn given_twice(configuration: &ServerConfiguration) -> Option<String> {
    let mut seen = HashSet::new();
    let webhooks = configuration.services.iter().flat_map(|service| &service.webhooks);
    let ids = webhooks.map(|webhook| webhook.id.as_str());
    let items = configuration.data_items.iter().flat_map(|item| [&item["id"], &item["path"]]);
    let mut keys = ids.chain(items.filter_map(Value::as_str));
    keys.find(|key| !seen.insert(*key)).map(|twice| format!("{twice} is in it twice"))
}
