//! The control address: `/practice/mishaps`. It is no part of the specification and of no real site.

use super::order::{Mishap, Operation, Order};
use crate::sign_in::{Area, Capability};
use crate::wire::{Call, Refusal, Reply, json};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const LONGEST_DELAY: i64 = 3600;
const MOST_TIMES: i64 = 1000;

/// The mishaps that are still to come.
pub(crate) async fn list(call: Call) -> Reply {
    call.caller_with(Area::Portal, Capability::Administrator).await?;
    json(json!({ "mishaps": call.app.mishaps.all() }))
}

/// `operation`, `mishap`, `times` (1), `seconds` (60, of a delay) and `after` (false).
pub(crate) async fn order(call: Call) -> Reply {
    call.caller_with(Area::Portal, Capability::Administrator).await?;
    let operation: Operation = one_of(&call, "operation")?;
    let mishap: Mishap = one_of(&call, "mishap")?;
    if !mishap.fits(operation) {
        return Err(Refusal::bad_request("This mishap cannot happen to this operation."));
    }
    let times = number(&call, "times", 1, MOST_TIMES)?;
    let seconds = number(&call, "seconds", 60, LONGEST_DELAY)?;
    let after = call.parameters.flag("after")?.unwrap_or(false);
    let order = Order { operation, mishap, times: times.try_into().unwrap_or(1), seconds, after };
    call.app.mishaps.add(order);
    json(json!({ "status": "success", "mishaps": call.app.mishaps.all() }))
}

/// Forgets every order.
pub(crate) async fn clear(call: Call) -> Reply {
    call.caller_with(Area::Portal, Capability::Administrator).await?;
    call.app.mishaps.clear();
    json(json!({ "status": "success" }))
}

fn one_of<T: DeserializeOwned>(call: &Call, name: &str) -> Result<T, Refusal> {
    let given = call.parameters.text(name).unwrap_or_default();
    serde_json::from_value(Value::from(given))
        // The library lists what is possible.
        .map_err(|cause| Refusal::bad_request(format!("'{name}': {cause}")))
}

fn number(call: &Call, name: &str, usual: u64, most: i64) -> Result<u64, Refusal> {
    let Some(text) = call.parameters.text(name) else {
        return Ok(usual);
    };
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| Refusal::bad_request(format!("'{name}' must be a number from 1 to {most}.")))
}
