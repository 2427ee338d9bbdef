//! Validation of data store items. The server checks whether it can use the data; nothing is changed or registered.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use steward_vault::Secret;

use crate::acknowledged::success_of;
use crate::beside::Beside;
use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::limits::shown;
use crate::request::{Request, ResponseTimeout};
use crate::wire::raw;

/// Health of a store, a machine, or an item, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Health {
    /// Nothing is wrong.
    Healthy,
    /// Usable, with a warning.
    Warning,
    /// The server returned a word that is not known here.
    NotKnown,
    /// Something is wrong.
    Unhealthy,
}

/// Field that does not stand for a healthy state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// Health by the field. Never [`Health::Healthy`].
    pub health: Health,
    /// Field with its value, as returned by the server, for example `datastore.isReadOnly: true`.
    pub text: String,
}

/// State of a data store that the system manages, as a response to the validation of a machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreHealth {
    /// Remarks about the store.
    pub remarks: Vec<Remark>,
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
    /// Remarks about the machine.
    pub remarks: Vec<Remark>,
}

impl MachineHealth {
    /// Returns the worst of all that the server returned of the machine; `None` if it returned nothing that tells its
    /// health. Early versions return only the state.
    #[must_use]
    pub fn judged(&self) -> Option<Health> {
        let said = [&self.health, &self.status].into_iter().filter_map(|word| judged_word(word));
        self.remarks.iter().map(|remark| remark.health).chain(said).max()
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
/// of the site can use its data. Returns the remarks that it has nevertheless.
///
/// On Kubernetes, a validation can restart services. The parameter that allows it is never sent.
///
/// # Errors
/// - [`ClientError::Rejected`] if the item is not valid, or the server rejects the request.
/// - Another error of [`ClientError`] if no verdict was received.
pub async fn validate_item(server: &Endpoint, item: &str) -> Result<Vec<Remark>, ClientError> {
    let request = Request::repeatable(["admin", "data", "validateDataItem"], ResponseTimeout::Minute)
        // The item contains passwords of databases.
        .secret("item", Secret::new(item.to_owned()));
    let result: Validated = server.send(&request, "the result of a validation").await?;
    Ok(result.0)
}

/// Success, with the remarks that it has nevertheless.
struct Validated(Vec<Remark>);

impl<'de> Deserialize<'de> for Validated {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        if success_of(value).is_none() {
            return Err(serde::de::Error::custom("no success"));
        }
        let Some(Fields(fields)) = value.read_object() else {
            return Err(serde::de::Error::custom("no object"));
        };
        let mut found = remarks(&fields);
        let warnings = Beside::of(value, &["status", "success"]).warnings.into_iter();
        found.extend(warnings.map(|text| Remark { health: Health::Warning, text }));
        Ok(Self(found))
    }
}

/// Fields of a response. Fails if one of them occurs twice with different values.
struct Fields(Map<String, Value>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = raw(deserializer)?;
        let fields = if value.contradicts_itself() { None } else { value.read_object() };
        fields.map(Self).ok_or_else(|| serde::de::Error::custom("no object with each field once"))
    }
}

/// Requests the state of a machine of a data store that the system manages. The response has the states of the store
/// and of its machines: some versions return more than the requested one.
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
    let Fields(mut fields) = server.send(&request, "the states of the machines of a data store").await?;
    let machines = match fields.remove("machines") {
        Some(Value::Array(machines)) => machines,
        // Early versions return one machine without a list.
        Some(one @ Value::Object(_)) => vec![one],
        _ => Vec::new(),
    };
    Ok(StoreHealth {
        remarks: remarks(&fields),
        machines: machines.iter().filter_map(Value::as_object).map(machine_health).collect(),
    })
}

/// Limit of the remarks of a response: one of a megabyte can have 250,000.
const MOST_REMARKS: usize = 20;

fn machine_health(fields: &Map<String, Value>) -> MachineHealth {
    let text = |name: &str| {
        fields.get(name).and_then(Value::as_str).map_or_else(String::new, |text| shown(text.to_owned()))
    };
    MachineHealth {
        name: text("name"),
        health: text("machine.overallhealth"),
        status: text("status"),
        remarks: remarks(fields),
    }
}

/// Returns the fields that do not stand for a healthy state, each with its value.
fn remarks(fields: &Map<String, Value>) -> Vec<Remark> {
    let role = ["role", "machine.role", "db.role"].into_iter().find_map(|name| fields.get(name)?.as_str());
    let role = role.unwrap_or_default().trim().to_lowercase();
    let mut found = Found { is_primary: role == "primary" || role == "master", remarks: Vec::new() };
    found.add_all(fields, "");
    found.remarks
}

/// Fields that were found so far.
struct Found {
    /// Whether the response is about the machine that writes.
    is_primary: bool,
    remarks: Vec<Remark>,
}

impl Found {
    fn add_all(&mut self, fields: &Map<String, Value>, above: &str) {
        for (name, value) in fields {
            self.add(&bounded(format!("{above}{name}")), value);
        }
    }

    fn add(&mut self, path: &str, value: &Value) {
        if self.remarks.len() == MOST_REMARKS {
            return;
        }
        match value {
            Value::Object(inner) => self.add_all(inner, &format!("{path}.")),
            Value::Array(elements) => elements.iter().for_each(|one| self.add(path, one)),
            _ => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let health = self.judged(path, &value).filter(|health| *health != Health::Healthy);
                self.remarks.extend(health.map(|health| {
                    let text = shown(format!("{path}: {value}"));
                    Remark { health, text }
                }));
            }
        }
    }

    /// Returns the health by a field; `None` if the field is not about health.
    fn judged(&self, path: &str, text: &str) -> Option<Health> {
        let name = path.rsplit('.').next().unwrap_or_default().to_lowercase();
        if name.ends_with("health") || name.ends_with("healthstatus") {
            return judged_word(text);
        }
        // A message beside a success is at most a warning.
        if matches!(name.as_str(), "message" | "messages") {
            return judged_word(text).map(|health| health.min(Health::Warning));
        }
        let flag = match text.trim().to_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        };
        match flag {
            Some(flag) => (self.is_bad_when(&name) == Some(flag)).then_some(Health::Unhealthy),
            None if name == "status" => judged_word(text),
            // Fields of other names can have words that are not about health, for example a role.
            None => ["status", "state", "result"]
                .iter()
                .any(|word| name.ends_with(word))
                .then(|| judged_word(text))?
                .filter(|health| *health != Health::NotKnown),
        }
    }

    /// Returns the value of a flag that means that something is not healthy; `None` for a flag that is not about
    /// it.
    fn is_bad_when(&self, name: &str) -> Option<bool> {
        let is_one_of = |words: &str| words.split(' ').any(|word| name.ends_with(word));
        match () {
            () if is_one_of(BAD) => Some(true),
            () if is_one_of(GOOD) => Some(false),
            // A standby is always in recovery, and not active.
            () if self.is_primary && name.ends_with("inrecovery") => Some(true),
            () if self.is_primary && name.ends_with("isactive") => Some(false),
            () => None,
        }
    }
}

/// Ends of the names of flags that are bad news.
const BAD: &str = "\
    readonly unhealthy unreachable unavailable corrupt invalid inaccessible unregistered unconfigured \
    misconfigured";

/// Ends of the names of flags that are good news.
const GOOD: &str = "\
    success healthy accepting acceptingconnections reachable running available started configured \
    registered valid accessible";

/// Limit of a path of fields, in bytes. Their names can be as long as the response.
const LONGEST_PATH: usize = 512;

/// Returns a path, or its end if it is too long: the last name is the meaning of its value.
fn bounded(path: String) -> String {
    match path.len().checked_sub(LONGEST_PATH) {
        Some(over @ 1..) => format!("…{}", &path[path.ceil_char_boundary(over)..]),
        _ => path,
    }
}

/// Words for what is well, in lowercase and without spaces and signs.
const WELL: &str = "\
    healthy ok good normal green true valid started running online active available succeeded success";

/// Beginnings of words for what is not.
const NOT_WELL: &str = "\
    unhealthy fail error invalid stopped stopping offline unavailable unreachable inaccessible inactive \
    degraded critical corrupt crashed disconnected";

/// Returns the health that a word of a server means; `None` if it means none, such as *Unknown*. Case, spaces and
/// punctuation do not matter: *HealthyWithWarning* and *Healthy with warnings* mean the same.
fn judged_word(word: &str) -> Option<Health> {
    let word: String = word.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let word = word.to_lowercase();
    let is_well = |word: &str| WELL.split(' ').any(|well| well == word);
    let is_warning = |word: &str| matches!(word, "warn" | "warning" | "warnings" | "yellow");
    let warns_after = |well: &str| {
        let rest = word.strip_prefix(well);
        rest.is_some_and(|rest| is_warning(rest.strip_prefix("with").unwrap_or(rest)))
    };
    match word.as_str() {
        "" | "unknown" | "na" | "null" => None,
        word if is_well(word) => Some(Health::Healthy),
        word if is_warning(word) || WELL.split(' ').any(warns_after) => Some(Health::Warning),
        "down" | "bad" | "red" | "false" => Some(Health::Unhealthy),
        word if NOT_WELL.split(' ').any(|beginning| word.starts_with(beginning)) => Some(Health::Unhealthy),
        word if word.strip_prefix("not").is_some_and(is_well) => Some(Health::Unhealthy),
        _ => Some(Health::NotKnown),
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
            (json!({ format!("{long}.readOnly"): vec![true; 200_000] }), MOST_REMARKS),
            (json!({ long.as_str(): vec![1; 300_000] }), 0),
            (json!({ long.as_str(): many }), 0),
        ] {
            let remarks = remarks(response.as_object().unwrap());
            assert_eq!(remarks.len(), found);
            let texts = remarks.iter().map(|remark| &remark.text);
            assert!(texts.clone().all(|text| text.len() < 1_000 && text.ends_with(".readOnly: true")));
        }
    }

    #[test]
    fn what_a_server_says_beside_a_success_is_a_warning_and_two_states_in_one_field_are_none() {
        let read = |json: &str| serde_json::from_str::<Validated>(json).ok().map(|found| found.0);
        let warning = |text: &str| Some(vec![Remark { health: Health::Warning, text: text.to_owned() }]);
        let folder = "The folder is not accessible from machine GIS2";
        let said = format!(r#"{{"status":"success","messages":["{folder}"]}}"#);
        assert_eq!(read(&said), warning(&format!("messages: {folder}")));
        let said = r#"{"status":"success","message":"Failed on GIS2"}"#;
        assert_eq!(read(said), warning("message: Failed on GIS2"));
        for nothing in [r#""messages":[]"#, r#""messages":null"#, r#""message":"OK""#] {
            assert_eq!(read(&format!(r#"{{"status":"success",{nothing}}}"#)), Some(Vec::new()), "{nothing}");
        }
        let machine = r#"{"status":"success","results":[{"machine":"A","success":false}]}"#;
        let unhealthy = Remark { health: Health::Unhealthy, text: "results.success: false".to_owned() };
        assert_eq!(read(machine), Some(vec![unhealthy]));
        assert_eq!(read(r#"{"status":"success","state":"Stopped","state":"Started"}"#), None);
        let machine = r#"{"machines":[{"status":"Stopped","status":"Started"}]}"#;
        assert!(serde_json::from_str::<Fields>(machine).is_err());
    }

    #[test]
    fn the_worst_of_all_that_is_said_of_a_machine_counts() {
        let of = |fields: &Value| machine_health(fields.as_object().unwrap());
        for fields in [
            json!({ "machine.overallhealth": "Healthy", "status": "Started" }),
            json!({ "machine.overallhealth": "healthy" }),
            json!({ "status": "STARTED" }),
            json!({ "machine.overallhealth": "Healthy", "db.isactive": "false" }),
            json!({ "status": "Started", "db.isReadOnly": "false", "isReachable": true }),
            json!({ "status": "Online", "isInvalid": false, "db.isInaccessible": "false" }),
            json!({ "machine.overallhealth": "OK" }),
            json!({ "status": "Started", "db.state": "Primary", "syncStatus": "sync" }),
        ] {
            assert_eq!(of(&fields).judged(), Some(Health::Healthy), "{fields}");
            assert!(of(&fields).remarks.is_empty(), "{fields}");
        }
        for fields in [json!({ "name": "ds1" }), json!({ "machine.overallhealth": "Unknown", "status": "" })]
        {
            assert_eq!(of(&fields).judged(), None, "{fields}");
            assert!(of(&fields).remarks.is_empty(), "{fields}");
        }
        for (fields, fault) in [
            (json!({ "status": "Stopped" }), "status: Stopped"),
            (json!({ "machine.overallhealth": "Healthy", "status": "Stopped" }), "status: Stopped"),
            (
                json!({ "machine.overallhealth": "Degraded", "status": "Started" }),
                "machine.overallhealth: Degraded",
            ),
            (
                json!({ "machine.overallhealth": "Healthy", "db.isAccepting": "false" }),
                "db.isAccepting: false",
            ),
            (json!({ "status": "Started", "db": { "isAccepting": false } }), "db.isAccepting: false"),
            (json!({ "status": "Started", "isDataNodeHealthy": false }), "isDataNodeHealthy: false"),
            (json!({ "status": "Started", "machine.isReachable": "FALSE" }), "machine.isReachable: FALSE"),
            (json!({ "status": "Started", "db.isReadOnly": true }), "db.isReadOnly: true"),
            (json!({ "db.status": "Failed", "status": "Started" }), "db.status: Failed"),
            (json!({ "status": "Started", "readOnly": true }), "readOnly: true"),
            (json!({ "status": "Started", "isInvalid": true }), "isInvalid: true"),
            (json!({ "status": "Started", "nodeStatus": "Failed" }), "nodeStatus: Failed"),
            (json!({ "status": "Started", "db.state": "DOWN" }), "db.state: DOWN"),
            (json!({ "status": "Started", "db.accepting": "no" }), "db.accepting: no"),
            (json!({ "status": "Started", "isAcceptingConnections": 0 }), "isAcceptingConnections: 0"),
            (json!({ "status": "Started", "isRegistered": "false" }), "isRegistered: false"),
            (json!({ "status": "Started", "overallHealth": false }), "overallHealth: false"),
            (
                json!({ "status": "Started", "nodes": [{ "isHealthy": true }, { "isHealthy": false }] }),
                "nodes.isHealthy: false",
            ),
        ] {
            assert_eq!(of(&fields).judged(), Some(Health::Unhealthy), "{fields}");
            let said: Vec<_> = of(&fields).remarks.into_iter().map(|remark| remark.text).collect();
            assert_eq!(said, [fault], "{fields}");
        }
    }

    #[test]
    fn a_word_that_is_not_known_is_neither_healthy_nor_not() {
        use Health::{Healthy, NotKnown, Unhealthy, Warning};
        for (word, judged) in [
            ("Healthy", Some(Healthy)),
            (" HEALTHY. ", Some(Healthy)),
            ("success", Some(Healthy)),
            ("HealthyWithWarning", Some(Warning)),
            ("Healthy with warnings", Some(Warning)),
            ("healthy_with_warnings", Some(Warning)),
            ("Healthy (warning)", Some(Warning)),
            ("success with warnings", Some(Warning)),
            ("Warning", Some(Warning)),
            ("yellow", Some(Warning)),
            ("Unhealthy", Some(Unhealthy)),
            ("Unhealthy with warnings", Some(Unhealthy)),
            ("Not healthy", Some(Unhealthy)),
            ("NOT_STARTED", Some(Unhealthy)),
            ("Degraded", Some(Unhealthy)),
            ("red", Some(Unhealthy)),
            ("Failed to start", Some(Unhealthy)),
            ("Healthy without warnings", Some(NotKnown)),
            ("Rebalancing", Some(NotKnown)),
            ("Starting", Some(NotKnown)),
            ("java.lang.NullPointerException", Some(NotKnown)),
            ("redundant", Some(NotKnown)),
            ("Unknown", None),
            ("N/A", None),
            ("", None),
        ] {
            assert_eq!(judged_word(word), judged, "{word}");
            let machine = machine_health(json!({ "machine.overallhealth": word }).as_object().unwrap());
            assert_eq!(machine.judged(), judged, "{word}");
            let is_told = judged.is_some_and(|judged| judged != Healthy);
            assert_eq!(!machine.remarks.is_empty(), is_told, "{word} is shown as it is");
        }
        let started = json!({ "machine.overallhealth": "Rebalancing", "status": "Started" });
        assert_eq!(machine_health(started.as_object().unwrap()).judged(), Some(NotKnown));
    }

    #[test]
    fn a_primary_in_recovery_or_not_active_is_not_healthy_and_a_standby_is() {
        for (role, flag, judged) in [
            ("PRIMARY", json!({ "db.isInRecovery": true }), Health::Unhealthy),
            ("Primary", json!({ "db.isactive": "false" }), Health::Unhealthy),
            ("primary", json!({ "db": { "isInRecovery": "TRUE", "isactive": false } }), Health::Unhealthy),
            ("PRIMARY", json!({ "db.isInRecovery": false, "db.isactive": true }), Health::Healthy),
            ("STANDBY", json!({ "db.isInRecovery": true, "db.isactive": false }), Health::Healthy),
        ] {
            let mut fields = flag.as_object().unwrap().clone();
            fields.insert("role".to_owned(), json!(role));
            fields.insert("machine.overallhealth".to_owned(), json!("Healthy"));
            assert_eq!(machine_health(&fields).judged(), Some(judged), "{role} {flag}");
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
