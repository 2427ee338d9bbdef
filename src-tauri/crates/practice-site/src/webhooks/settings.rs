//! Common settings of the webhooks of all services.

use crate::deliveries::{ATTEMPTS, DAYS, FAILURES, Policy};
use crate::sign_in::{Capability, Component};
use crate::wire::{ApiError, Reply, RequestContext, json};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

pub(crate) async fn settings(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::LookAroundServer).await?;
    let policy = call.app.server.read(Policy::read).await?;
    json(shown(&policy))
}

/// Changes the given settings.
pub(crate) async fn change_settings(call: RequestContext) -> Reply {
    // The documents name the default administrator role, or the privilege for the webhooks of the organization, which no
    // custom role of this site has.
    let caller = call.caller_with(Component::Server, Capability::Administrator).await?;
    let attempts =
        whole_number_in(call.parameters.json("notificationAttempts")?, "notificationAttempts", ATTEMPTS)?;
    let policy = call.parameters.json("deactivationPolicy")?.unwrap_or(Value::Null);
    if !policy.is_null() && !policy.is_object() {
        return Err(ApiError::bad_request("'deactivationPolicy' must be an object."));
    }
    // Accept the values as separate parameters or as the object that the response contains.
    let part = |name: &str| -> Result<Option<Value>, ApiError> {
        Ok(call.parameters.json(name)?.or_else(|| policy.get(name).cloned()))
    };
    let failures = whole_number_in(part("numberOfFailures")?, "numberOfFailures", FAILURES)?;
    let days = whole_number_in(part("daysInPast")?, "daysInPast", DAYS)?;
    let changed = call
        .app
        .server
        .write(move |tx| {
            let known = Policy::read(tx)?;
            let changed = Policy {
                attempts: attempts.unwrap_or(known.attempts),
                failures: failures.unwrap_or(known.failures),
                days: days.unwrap_or(known.days),
            };
            changed.keep(tx)?;
            Ok(changed)
        })
        .await?;
    tracing::info!(by = caller.username, "the settings of webhooks were changed");
    let mut answer = shown(&changed);
    answer["status"] = json!("success");
    json(answer)
}

fn whole_number_in(
    given: Option<Value>,
    name: &str,
    allowed: RangeInclusive<i64>,
) -> Result<Option<i64>, ApiError> {
    let Some(given) = given else { return Ok(None) };
    match given.as_i64().filter(|number| allowed.contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(ApiError::bad_request(format!(
            "'{name}' must be a whole number from {} to {}.",
            allowed.start(),
            allowed.end()
        ))),
    }
}

fn shown(policy: &Policy) -> Value {
    json!({
        "notificationAttempts": policy.attempts,
        "deactivationPolicy": { "numberOfFailures": policy.failures, "daysInPast": policy.days },
    })
}
