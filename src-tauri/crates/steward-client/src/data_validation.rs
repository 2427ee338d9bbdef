//! Validation of data store items. The server checks whether it can use the data; nothing is changed or registered.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use steward_vault::Secret;

use crate::acknowledged::Acknowledged;
use crate::decode::is_success;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::shown;
use crate::request::{Request, ResponseTimeout};
use crate::wire::raw;

/// State of a data store that the system manages, as a response to the validation of a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreHealth {
    /// Fields of the store that say that it is not healthy, each with its value, for example `datastore.isReadOnly: true`.
    pub faults: Vec<String>,
    /// Machines in the response; not always the requested one.
    pub machines: Vec<MachineHealth>,
}

/// State of a machine of a data store. Texts are as returned by the server, and may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MachineHealth {
    /// Host name.
    pub name: String,
    /// Health, for example `Healthy`.
    pub health: String,
    /// State, for example `Started`.
    pub status: String,
    /// Fields that say that the machine is not healthy, each with its value.
    pub faults: Vec<String>,
}

impl MachineHealth {
    /// Returns whether the machine is healthy, by the worst of all that the server returned; `None` if it returned nothing
    /// that says so. Early versions return only the state.
    #[must_use]
    pub fn is_healthy(&self) -> Option<bool> {
        let said = [judged_health(&self.health), judged_status(&self.status)];
        if !self.faults.is_empty() || said.contains(&Some(false)) {
            return Some(false);
        }
        said.contains(&Some(true)).then_some(true)
    }
}

/// Returns whether two names are of one machine: a server returns a host name with or without its domain, in any case.
#[must_use]
pub fn is_same_machine(one: &str, other: &str) -> bool {
    // A complete name can end with a dot.
    let [one, other] = [one, other].map(|name| name.trim_end_matches('.'));
    let short = |name: &str| name.split('.').next().unwrap_or_default().to_lowercase();
    let is_address = |name: &str| name.parse::<std::net::IpAddr>().is_ok();
    let has_domain = |name: &str| name.contains('.');
    one.eq_ignore_ascii_case(other)
        || (has_domain(one) != has_domain(other)
            && !is_address(one)
            && !is_address(other)
            && short(one) == short(other))
}

/// Requests the validation of an item, which is passed on as the server returned it. Success means that every machine
/// of the site can use its data. Returns the fields that say that something is not healthy all the same, each with its value.
///
/// On Kubernetes, a validation can restart services. The parameter that allows it is never sent.
///
/// # Errors
/// - [`ClientError::Rejected`] if the item is not valid, or the server rejects the request.
/// - Another error of [`ClientError`] if no verdict was received.
pub async fn validate_item(server: &Endpoint, item: &str) -> Result<Vec<String>, ClientError> {
    let request = Request::repeatable(["admin", "data", "validateDataItem"], ResponseTimeout::Minute)
        // The item contains passwords of databases.
        .secret("item", Secret::new(item.to_owned()));
    let result: Validated = server.send(&request, "the result of a validation").await?;
    Ok(result.0)
}

/// Success, with the fields that say that something is not healthy all the same.
struct Validated(Vec<String>);

impl<'de> Deserialize<'de> for Validated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        let Acknowledged = serde_json::from_str(value.0).map_err(serde::de::Error::custom)?;
        Ok(Self(faults_of_response(&value.read_object().unwrap_or_default())))
    }
}

/// Requests the state of a machine of a data store that the system manages. The response has the states of the store and of
/// its machines: some versions return more than the requested one.
///
/// # Errors
/// - [`ClientError::Rejected`] if the data store does not offer it, or the server rejects the request.
/// - Another error of [`ClientError`] if no state was received.
pub async fn validate_machine(
    server: &Endpoint,
    item: &str,
    machine: &str,
) -> Result<StoreHealth, ClientError> {
    let below = item.split('/').filter(|segment| !segment.is_empty());
    let path = ["admin", "data", "items"].into_iter().chain(below).chain(["machines", machine, "validate"]);
    let request = Request::repeatable(path, ResponseTimeout::Minute);
    let mut fields: Map<String, Value> =
        server.send(&request, "the states of the machines of a data store").await?;
    let machines = match fields.remove("machines") {
        Some(Value::Array(machines)) => machines,
        // Early versions return one machine without a list.
        Some(one @ Value::Object(_)) => vec![one],
        _ => Vec::new(),
    };
    Ok(StoreHealth {
        faults: faults_of_response(&fields),
        machines: machines.iter().filter_map(Value::as_object).map(machine_health).collect(),
    })
}

/// Limit of the faults of a response: one of a megabyte can have 250,000.
const MOST_FAULTS: usize = 20;

fn machine_health(fields: &Map<String, Value>) -> MachineHealth {
    let text = |name: &str| {
        fields.get(name).and_then(Value::as_str).map_or_else(String::new, |text| shown(text.to_owned()))
    };
    MachineHealth {
        name: text("name"),
        health: text("machine.overallhealth"),
        status: text("status"),
        faults: faults(fields),
    }
}

/// Returns the fields that say that something is not healthy, each with its value.
fn faults(fields: &Map<String, Value>) -> Vec<String> {
    let mut found = Vec::new();
    add_faults(fields, "", &mut found);
    found
}

/// Returns as [`faults`], with the status of the response itself: it can contradict `"success": true`.
fn faults_of_response(fields: &Map<String, Value>) -> Vec<String> {
    let mut found = faults(fields);
    let status = fields.get("status").and_then(Value::as_str);
    found.extend(
        status.filter(|text| judged_status(text) == Some(false)).map(|text| shown(format!("status: {text}"))),
    );
    found
}

fn add_faults(fields: &Map<String, Value>, above: &str, found: &mut Vec<String>) {
    for (name, value) in fields {
        add_fault(&bounded(format!("{above}{name}")), value, found);
    }
}

/// Limit of a path of fields, in bytes. Their names can be as long as the response.
const LONGEST_PATH: usize = 512;

/// Returns a path, or its end if it is too long: the last name tells what it says.
fn bounded(path: String) -> String {
    match path.len().checked_sub(LONGEST_PATH) {
        Some(over @ 1..) => format!("…{}", &path[path.ceil_char_boundary(over)..]),
        _ => path,
    }
}

fn add_fault(path: &str, value: &Value, found: &mut Vec<String>) {
    if found.len() == MOST_FAULTS {
        return;
    }
    match value {
        Value::Object(inner) => add_faults(inner, &format!("{path}."), found),
        Value::Array(elements) => elements.iter().for_each(|one| add_fault(path, one, found)),
        _ if is_fault(path, value) => {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            found.push(shown(format!("{path}: {value}")));
        }
        _ => {}
    }
}

fn is_fault(path: &str, value: &Value) -> bool {
    let name = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let text = value.as_str().map_or_else(|| value.to_string(), |text| text.trim().to_owned());
    if name.ends_with("health") || name.ends_with("healthstatus") {
        return judged_health(&text) == Some(false);
    }
    let flag = match text.to_lowercase().as_str() {
        "true" | "yes" | "1" => Some(true),
        "false" | "no" | "0" => Some(false),
        _ => None,
    };
    match flag {
        Some(flag) => is_bad_when(&name) == Some(flag),
        // That of a machine or of the response itself is read elsewhere.
        None if path == "status" => false,
        None if name == "status" => judged_status(&text) == Some(false),
        // Fields of other names can have words that say nothing of health, for example a role.
        None => ["status", "state", "result"].iter().any(|word| name.ends_with(word)) && is_failure(&text),
    }
}

/// Returns the value with which a flag says that something is not healthy; `None` for a flag that says nothing of it.
fn is_bad_when(name: &str) -> Option<bool> {
    const BAD: [&str; 10] = [
        "readonly",
        "unhealthy",
        "unreachable",
        "unavailable",
        "corrupt",
        "invalid",
        "inaccessible",
        "unregistered",
        "unconfigured",
        "misconfigured",
    ];
    const GOOD: [&str; 11] = [
        "healthy",
        "accepting",
        "acceptingconnections",
        "reachable",
        "running",
        "available",
        "started",
        "configured",
        "registered",
        "valid",
        "accessible",
    ];
    match () {
        () if BAD.iter().any(|word| name.ends_with(word)) => Some(true),
        () if GOOD.iter().any(|word| name.ends_with(word)) => Some(false),
        () => None,
    }
}

fn judged_health(health: &str) -> Option<bool> {
    match health.trim().to_lowercase().as_str() {
        "" | "unknown" | "n/a" | "null" => None,
        "healthy" | "ok" | "good" | "normal" | "true" => Some(true),
        _ => Some(false),
    }
}

fn is_failure(word: &str) -> bool {
    const FAILURES: [&str; 11] = [
        "fail",
        "error",
        "invalid",
        "stopped",
        "down",
        "offline",
        "unavailable",
        "unreachable",
        "inaccessible",
        "unhealthy",
        "not valid",
    ];
    let word = word.to_lowercase();
    FAILURES.iter().any(|failure| word.starts_with(failure))
}

fn judged_status(status: &str) -> Option<bool> {
    if is_success(status) {
        return Some(true);
    }
    match status.trim().to_lowercase().as_str() {
        "" | "unknown" | "n/a" | "null" => None,
        "started" | "running" | "healthy" | "ok" | "online" | "active" | "available" => Some(true),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_response_of_a_megabyte_that_says_the_same_very_often_is_read() {
        let long = "x".repeat(400_000);
        let many: Map<_, _> = (0..40_000).map(|number| (format!("f{number}"), json!(1))).collect();
        for (response, found) in [
            (json!({ format!("{long}.readOnly"): vec![true; 200_000] }), MOST_FAULTS),
            (json!({ long.as_str(): vec![1; 300_000] }), 0),
            (json!({ long.as_str(): many }), 0),
        ] {
            let faults = faults(response.as_object().unwrap());
            assert_eq!(faults.len(), found);
            assert!(faults.iter().all(|fault| fault.len() < 1_000 && fault.ends_with(".readOnly: true")));
        }
    }

    #[test]
    fn the_worst_of_all_that_is_said_of_a_machine_counts() {
        for (fields, healthy, faults) in [
            (json!({ "machine.overallhealth": "Healthy", "status": "Started" }), Some(true), &[][..]),
            (json!({ "machine.overallhealth": "healthy" }), Some(true), &[]),
            (json!({ "status": "STARTED" }), Some(true), &[]),
            (json!({ "machine.overallhealth": "Healthy", "db.isactive": "false" }), Some(true), &[]),
            (json!({ "name": "ds1" }), None, &[]),
            (json!({ "machine.overallhealth": "Unknown", "status": "" }), None, &[]),
            (json!({ "status": "Stopped" }), Some(false), &[]),
            (json!({ "machine.overallhealth": "Healthy", "status": "Stopped" }), Some(false), &[]),
            (
                json!({ "machine.overallhealth": "Degraded", "status": "Started" }),
                Some(false),
                &["machine.overallhealth: Degraded"],
            ),
            (
                json!({ "machine.overallhealth": "Healthy", "db.isAccepting": "false" }),
                Some(false),
                &["db.isAccepting: false"],
            ),
            (
                json!({ "status": "Started", "db": { "isAccepting": false } }),
                Some(false),
                &["db.isAccepting: false"],
            ),
            (
                json!({ "status": "Started", "isDataNodeHealthy": false }),
                Some(false),
                &["isDataNodeHealthy: false"],
            ),
            (
                json!({ "status": "Started", "machine.isReachable": "FALSE" }),
                Some(false),
                &["machine.isReachable: FALSE"],
            ),
            (json!({ "status": "Started", "db.isReadOnly": true }), Some(false), &["db.isReadOnly: true"]),
            (json!({ "status": "Started", "db.isReadOnly": "false", "isReachable": true }), Some(true), &[]),
            (json!({ "db.status": "Failed", "status": "Started" }), Some(false), &["db.status: Failed"]),
            (json!({ "status": "Started", "readOnly": true }), Some(false), &["readOnly: true"]),
            (
                json!({ "status": "Online", "isInvalid": false, "db.isInaccessible": "false" }),
                Some(true),
                &[],
            ),
            (json!({ "status": "Started", "isInvalid": true }), Some(false), &["isInvalid: true"]),
            (json!({ "machine.overallhealth": "OK" }), Some(true), &[]),
            (json!({ "status": "Started", "nodeStatus": "Failed" }), Some(false), &["nodeStatus: Failed"]),
            (json!({ "status": "Started", "db.state": "DOWN" }), Some(false), &["db.state: DOWN"]),
            (json!({ "status": "Started", "db.state": "Primary", "syncStatus": "sync" }), Some(true), &[]),
            (json!({ "status": "Started", "db.accepting": "no" }), Some(false), &["db.accepting: no"]),
            (
                json!({ "status": "Started", "isAcceptingConnections": 0 }),
                Some(false),
                &["isAcceptingConnections: 0"],
            ),
            (json!({ "status": "Started", "isRegistered": "false" }), Some(false), &["isRegistered: false"]),
            (json!({ "status": "Started", "overallHealth": false }), Some(false), &["overallHealth: false"]),
            (
                json!({ "status": "Started", "nodes": [{ "isHealthy": true }, { "isHealthy": false }] }),
                Some(false),
                &["nodes.isHealthy: false"],
            ),
        ] {
            let machine = machine_health(fields.as_object().unwrap());
            assert_eq!(machine.is_healthy(), healthy, "{fields}");
            assert_eq!(machine.faults, faults, "{fields}");
        }
    }

    #[test]
    fn a_machine_is_the_same_with_and_without_its_domain_in_any_case() {
        for (one, other, is_same) in [
            ("ds1", "DS1", true),
            ("DS1.CORP.EXAMPLE.ORG", "ds1", true),
            ("ds1", "ds1.corp.example.org", true),
            ("ds1.corp.example.org", "DS1.corp.example.ORG", true),
            ("ds1.corp.example.org", "ds1.other.example.org", false),
            ("ds1", "ds10", false),
            ("ds1", "ds2.corp.example.org", false),
            ("10.0.0.1", "10", false),
            ("10.0.0.1", "10.0.0.1", true),
            ("", "ds1", false),
            ("ds1.corp.example.org.", "ds1", true),
        ] {
            assert_eq!(is_same_machine(one, other), is_same, "{one} {other}");
            assert_eq!(is_same_machine(other, one), is_same, "{other} {one}");
        }
    }
}
