//! The settings for the webhooks of all services.

use crate::deliveries::{ATTEMPTS, DAYS, FAILURES, Policy};
use crate::sign_in::{Area, Capability};
use crate::wire::{Call, Refusal, Reply, json};
use serde_json::{Value, json};
use std::ops::RangeInclusive;

pub(crate) async fn settings(call: Call) -> Reply {
    call.caller_with(Area::Server, Capability::LookAroundServer).await?;
    let policy = call.app.server.read(Policy::read).await?;
    json(shown(&policy))
}

/// What is not given stays as it is.
pub(crate) async fn change_settings(call: Call) -> Reply {
    // They are for the webhooks of both types of services.
    call.caller_with(Area::Server, Capability::FeatureWebhooks).await?;
    let caller = call.caller_with(Area::Server, Capability::GeoprocessingWebhooks).await?;
    let attempts = within(call.parameters.json("notificationAttempts")?, "notificationAttempts", ATTEMPTS)?;
    let policy = call.parameters.json("deactivationPolicy")?.unwrap_or(Value::Null);
    if !policy.is_null() && !policy.is_object() {
        return Err(Refusal::bad_request("'deactivationPolicy' must be an object."));
    }
    // On their own or, as they are shown, together.
    let part = |name: &str| -> Result<Option<Value>, Refusal> {
        Ok(call.parameters.json(name)?.or_else(|| policy.get(name).cloned()))
    };
    let failures = within(part("numberOfFailures")?, "numberOfFailures", FAILURES)?;
    let days = within(part("daysInPast")?, "daysInPast", DAYS)?;
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

fn within(given: Option<Value>, name: &str, allowed: RangeInclusive<i64>) -> Result<Option<i64>, Refusal> {
    let Some(given) = given else { return Ok(None) };
    match given.as_i64().filter(|number| allowed.contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(Refusal::bad_request(format!(
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
