//! Parser of the policy file.
//!
//! [`of`] reads the bytes, and [`understand`] returns the policy with its faults.

use std::collections::HashSet;
use std::fmt::Formatter;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use url::Url;

use super::content::{Policy, PolicyFault};
use crate::files;
use crate::model::alert_channel::ChannelKind;
use crate::settings::preferences::{Choices, LogServer, Setting, host_name};
use crate::sites::{ConnectionForm, ConnectionRoute};

/// Limit of the file, in bytes.
const LARGEST: u64 = 1024 * 1024;

/// Reads a file; `None` if it does not exist.
pub(super) fn of(file: &Path) -> std::io::Result<Option<Vec<u8>>> {
    match files::read_whole(file, LARGEST) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Returns a policy for a file that cannot be read.
pub(super) fn unreadable(why: &dyn std::fmt::Display) -> Policy {
    Policy { faults: vec![PolicyFault::Unreadable { said: why.to_string() }], ..Policy::default() }
}

/// Parses a policy. Invalid keys are listed as faults.
pub(super) fn understand(bytes: &[u8]) -> Policy {
    let found: Fields = match serde_json::from_slice(&files::as_utf8(bytes)) {
        Ok(found) => found,
        Err(error) => return unreadable(&error),
    };
    let mut policy = Policy { faults: found.repeated("").collect(), ..Policy::default() };
    for (key, value) in found.0 {
        match key.as_str() {
            "defaults" => {
                policy.defaults = choices("defaults", &value, &mut policy.faults).over(&policy.defaults);
            }
            "locked" => policy.locked = choices("locked", &value, &mut policy.faults).over(&policy.locked),
            "clientIds" => policy.client_ids.extend(client_ids(&value, &mut policy.faults)),
            "updates" => match value.get() {
                "true" => policy.updates = true,
                "false" => policy.updates = false,
                other => policy.faults.push(bad(key, format!("{other} is neither true nor false"))),
            },
            "forwarding" => match serde_json::from_str(value.get()) {
                Ok(rule) => policy.forwarding = Some(rule),
                Err(_) => policy
                    .faults
                    .push(bad(key, "it is neither \"allowed\" nor \"required\" nor \"forbidden\"")),
            },
            "forwardingHosts" => policy.forwarding_hosts = hosts(&key, &value, &mut policy.faults),
            "plans" => match serde_json::from_str(value.get()) {
                Ok(rule) => policy.plans = Some(rule),
                Err(_) => policy.faults.push(bad(key, "it is neither \"allowed\" nor \"forbidden\"")),
            },
            "plansFolder" => match serde_json::from_str::<PathBuf>(value.get()) {
                Ok(folder) if folder.has_root() => policy.plans_folder = Some(folder),
                _ => policy.faults.push(bad(key, "it is not the whole path of a folder")),
            },
            "alerts" => match serde_json::from_str(value.get()) {
                Ok(rule) => policy.alerts = Some(rule),
                Err(_) => policy
                    .faults
                    .push(bad(key, "it is neither \"allowed\" nor \"required\" nor \"forbidden\"")),
            },
            "alertChannels" => {
                let all = ChannelKind::ALL.map(ChannelKind::name).join(", ");
                let of = |name: &Value| serde_json::from_value(name.clone()).ok();
                let said = format!("a list of some of {all}");
                policy.alert_channels = each(&key, &value, &said, of, &mut policy.faults);
            }
            "alertHosts" => policy.alert_hosts = hosts(&key, &value, &mut policy.faults),
            _ => policy.faults.push(PolicyFault::UnknownKey { key }),
        }
    }
    policy
}

/// Fields of an object with the text of their values, also of those that occur twice: a map has the last one only, and a
/// lock of the first one would be lost.
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// Returns a fault for each field that occurred before. `part` is the beginning of its key.
    fn repeated(&self, part: &str) -> impl Iterator<Item = PolicyFault> {
        let mut before = HashSet::new();
        let repeated = self.0.iter().map(|(name, _)| name).filter(move |name| !before.insert(*name));
        repeated.map(move |name| bad(format!("{part}{name}"), "it occurs more than once"))
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Fields;

            fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

/// Parses the settings one by one, so that a fault affects only its own setting.
fn choices(part: &str, value: &RawValue, faults: &mut Vec<PolicyFault>) -> Choices {
    let mut choices = Choices::default();
    let Ok(found) = serde_json::from_str::<Fields>(value.get()) else {
        faults.push(bad(part.to_owned(), "it is not an object"));
        return choices;
    };
    faults.extend(found.repeated(&format!("{part}.")));
    for (name, value) in found.0 {
        let key = format!("{part}.{name}");
        let Ok(setting) = serde_json::from_value::<Setting>(Value::String(name.clone())) else {
            faults.push(PolicyFault::UnknownKey { key });
            continue;
        };
        let value = serde_json::from_str(value.get()).map_err(|error| error.to_string());
        match value.and_then(|value| choice(setting, name, value)) {
            Ok(choice) => choices = choice.over(&choices),
            Err(said) => faults.push(bad(key, said)),
        }
    }
    choices
}

/// Parses the client IDs, each by the address of its portal.
fn client_ids(value: &RawValue, faults: &mut Vec<PolicyFault>) -> Vec<(Url, String)> {
    let Ok(found) = serde_json::from_str::<Fields>(value.get()) else {
        faults.push(bad("clientIds".to_owned(), "it is not an object"));
        return Vec::new();
    };
    faults.extend(found.repeated("clientIds."));
    let read = |(portal, id): (String, Box<RawValue>)| {
        let said = match (Url::parse(&portal), serde_json::from_str::<String>(id.get())) {
            (Ok(url), Ok(id)) if url.has_host() => match id.trim() {
                one if !one.is_empty() && one.chars().all(|letter| letter.is_ascii_graphic()) => {
                    return Some((url, one.to_owned()));
                }
                _ => "it is not a client ID",
            },
            (Ok(url), Err(_)) if url.has_host() => "it is not a text",
            _ => "its name is not the address of a portal",
        };
        faults.push(bad(format!("clientIds.{portal}"), said));
        None
    };
    found.0.into_iter().filter_map(read).collect()
}

fn hosts(key: &str, value: &RawValue, faults: &mut Vec<PolicyFault>) -> Option<Vec<String>> {
    each(key, value, "a list of hosts without ports", |host| host_name(host.as_str()?), faults)
}

/// Parses a list of allowed values. A faulty element is reported and left out. `None` if the value is not a list, or
/// all of its elements are faulty.
fn each<T>(
    key: &str,
    value: &RawValue,
    expected: &str,
    of: impl Fn(&Value) -> Option<T>,
    faults: &mut Vec<PolicyFault>,
) -> Option<Vec<T>> {
    let Ok(elements) = serde_json::from_str::<Vec<Value>>(value.get()) else {
        faults.push(bad(key.to_owned(), format!("it is not {expected}")));
        return None;
    };
    let read = |element: &Value| {
        let read = of(element);
        if read.is_none() {
            faults.push(bad(key.to_owned(), format!("it is not {expected}: {element} is none of them")));
        }
        read
    };
    let kept: Vec<T> = elements.iter().filter_map(read).collect();
    (elements.is_empty() || !kept.is_empty()).then_some(kept)
}

fn choice(setting: Setting, name: String, value: Value) -> Result<Choices, String> {
    if value.is_null() {
        return Err("it says nothing".to_owned());
    }
    if setting == Setting::Route {
        return route(value).map(|route| Choices { route: Some(route), ..Choices::default() });
    }
    if setting == Setting::LogServer {
        let log_server = log_server(value)?;
        return Ok(Choices { log_server: Some(log_server), ..Choices::default() });
    }
    serde_json::from_value(Value::Object(Map::from_iter([(name, value)]))).map_err(|error| error.to_string())
}

/// Parses the log server. Only its host is required; an empty one turns forwarding off.
fn log_server(value: Value) -> Result<LogServer, String> {
    let usual = LogServer::default();
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Written {
        host: String,
        port: Option<u16>,
        #[serde(default)]
        ca_certificate: String,
        #[serde(default)]
        client_certificate: String,
    }
    let Written { host, port, ca_certificate, client_certificate } =
        serde_json::from_value(value).map_err(|error| error.to_string())?;
    let host = if host.is_empty() { Some(host) } else { host_name(&host) };
    let host = host.ok_or("its host is none")?;
    let port = Some(port.unwrap_or(usual.port)).filter(|port| *port > 0).ok_or("its port is none")?;
    Ok(LogServer { host, port, ca_certificate, client_certificate })
}

/// Parses proxy settings, as in the form. Only the address of a proxy is required.
fn route(value: Value) -> Result<ConnectionRoute, String> {
    #[derive(Deserialize)]
    #[serde(tag = "kind", rename_all = "camelCase", deny_unknown_fields)]
    enum Written {
        System {},
        Direct {},
        Proxy {
            address: String,
            #[serde(default)]
            user: String,
            #[serde(default)]
            exceptions: Vec<String>,
        },
    }
    let route = match serde_json::from_value(value).map_err(|error| error.to_string())? {
        Written::System {} => ConnectionRoute::System,
        Written::Direct {} => ConnectionRoute::Direct,
        Written::Proxy { address, user, exceptions } => ConnectionRoute::Proxy { address, user, exceptions },
    };
    let form = ConnectionForm { route, ..ConnectionForm::default() };
    form.checked_route().map_err(|_| "its address is not that of a proxy".to_owned())
}

fn bad(key: String, said: impl Into<String>) -> PolicyFault {
    PolicyFault::BadValue { key, said: said.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::policy::ForwardingRule;
    use crate::settings::preferences::{Language, Theme};

    #[test]
    fn everything_that_can_be_chosen_can_be_decided() {
        let policy = understand(
            br#"{
                "defaults": { "theme": "dark", "language": "de", "zoom": 110, "notifications": false },
                "locked": {
                    "reminders": true,
                    "route": { "kind": "proxy", "address": "http://proxy.example.org:3128" },
                    "caCertificate": "/etc/ssl/organisation.pem"
                },
                "updates": false
            }"#,
        );

        let proxy = ConnectionRoute::Proxy {
            address: "http://proxy.example.org:3128/".to_owned(),
            user: String::new(),
            exceptions: Vec::new(),
        };
        assert_eq!(policy.faults, []);
        assert_eq!(
            policy.defaults,
            Choices {
                theme: Some(Theme::Dark),
                language: Some(Language::De),
                zoom: Some(110),
                notifications: Some(false),
                ..Choices::default()
            }
        );
        assert_eq!(
            policy.locked,
            Choices {
                reminders: Some(true),
                route: Some(proxy),
                ca_certificate: Some("/etc/ssl/organisation.pem".to_owned()),
                ..Choices::default()
            }
        );
        assert!(!policy.updates);
    }

    #[test]
    fn a_proxy_that_is_none_or_carries_what_it_must_not_is_said() {
        for wrong in [
            r#"{ "kind": "proxy", "address": "proxy" }"#,
            r#"{ "kind": "proxy", "address": "http://sam:secret@proxy.example.org" }"#,
            r#"{ "kind": "proxy", "address": "http://proxy.example.org", "password": "secret" }"#,
            r#"{ "kind": "proxy" }"#,
            r#"{ "kind": "direct", "exceptions": [] }"#,
            r#"{ "kind": "socks" }"#,
            r#""direct""#,
        ] {
            let policy = understand(format!(r#"{{ "locked": {{ "route": {wrong} }} }}"#).as_bytes());

            assert_eq!(policy.locked, Choices::default(), "{wrong}");
            let [PolicyFault::BadValue { key, said }] = &policy.faults[..] else {
                panic!("{wrong}: {:?}", policy.faults)
            };
            assert_eq!(key, "locked.route");
            assert!(!said.contains("secret"), "{said}");
        }
    }

    #[test]
    fn a_key_that_occurs_twice_is_a_fault_and_loses_no_lock() {
        let policy = understand(
            br#"{
                "locked": { "reminders": true, "theme": "dark", "theme": "light" },
                "locked": { "language": "de" }
            }"#,
        );

        let locked = Choices {
            reminders: Some(true),
            theme: Some(Theme::Light),
            language: Some(Language::De),
            ..Choices::default()
        };
        assert_eq!(policy.locked, locked);
        let keys = policy.faults.iter().map(|fault| match fault {
            PolicyFault::BadValue { key, .. } => key.as_str(),
            other => panic!("{other:?}"),
        });
        assert_eq!(keys.collect::<Vec<_>>(), ["locked", "locked.theme"]);
    }

    #[test]
    fn a_file_from_an_editor_on_windows_is_read() {
        let policy = understand("\u{feff}{\r\n\"updates\": false\r\n}\r\n".as_bytes());
        assert_eq!((policy.updates, policy.faults), (false, Vec::new()));
    }

    #[test]
    fn the_example_of_the_administrators_page_is_in_order() {
        let page = include_str!("../../../../../docs/administration.md");
        let (_, example) = page.split_once("```json\n").expect("the page has an example");
        let (example, _) = example.split_once("```").expect("the example has an end");

        let policy = understand(example.as_bytes());

        assert_eq!(policy.faults, []);
        assert!(!policy.updates);
        assert_eq!(policy.forwarding_rule(), ForwardingRule::Required);
        assert!(policy.allows_forwarding_to("logs.example.org"));
        assert!(policy.allows_alerts_by(ChannelKind::Mail, "mail.example.org"));
        assert!(!policy.allows_alerts_by(ChannelKind::Teams, "mail.example.org"));
        assert!(policy.plans_folder.is_some());
        let decided = [policy.defaults.settings(), policy.locked.settings()].concat();
        let all = [
            "theme",
            "language",
            "zoom",
            "notifications",
            "reminders",
            "route",
            "caCertificate",
            "logServer",
        ];
        for setting in all.map(|name| serde_json::from_value::<Setting>(name.into()).unwrap()) {
            assert!(decided.contains(&setting), "{setting:?} is in no example");
        }
    }
}
