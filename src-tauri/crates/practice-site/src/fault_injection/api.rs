//! Control resource `/practice/faults`: adds, lists and clears simulated faults. Not part of the specification.

use super::rules::{FaultRule, InjectedFault, Operation};
use crate::sign_in::{Capability, Component};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const LONGEST_DELAY: i64 = 3600;
const MOST_TIMES: i64 = 1000;

/// Returns the active faults.
pub(crate) async fn list(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    json(json!({ "faults": call.app.faults.all() }))
}

/// Adds a fault. Parameters: `operation`, `fault`, `times` (1), `seconds` (60, for a delay and an index that lags) and
/// `after` (false).
pub(crate) async fn add(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    let operation: Operation = one_of(&call, "operation")?;
    let fault: InjectedFault = one_of(&call, "fault")?;
    if !fault.fits(operation) {
        return Err(ApiError::bad_request("This fault cannot happen to this operation."));
    }
    let times = number(&call, "times", 1, MOST_TIMES)?;
    let seconds = number(&call, "seconds", 60, LONGEST_DELAY)?;
    let after = call.parameters.flag("after")?.unwrap_or(false);
    if after && !fault.can_follow_the_operation() {
        return Err(ApiError::bad_request("A token is rejected before anything is done."));
    }
    let rule = FaultRule { operation, fault, times: times.try_into().unwrap_or(1), seconds, after };
    call.app.faults.add(rule);
    json(json!({ "status": "success", "faults": call.app.faults.all() }))
}

/// Removes all faults.
pub(crate) async fn clear(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    call.app.faults.clear();
    json(json!({ "status": "success" }))
}

fn one_of<T: DeserializeOwned>(call: &RequestContext, name: &str) -> Result<T, ApiError> {
    let given = call.parameters.text(name).unwrap_or_default();
    serde_json::from_value(Value::from(given))
        // The library's message lists the valid values.
        .map_err(|cause| ApiError::bad_request(format!("'{name}': {cause}")))
}

fn number(call: &RequestContext, name: &str, usual: u64, most: i64) -> Result<u64, ApiError> {
    let Some(text) = call.parameters.text(name) else {
        return Ok(usual);
    };
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| ApiError::bad_request(format!("'{name}' must be a number from 1 to {most}.")))
}
