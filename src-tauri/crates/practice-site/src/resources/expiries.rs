//! Licenses and certificates, as a client reads them to know what expires.

use crate::app::App;
use crate::clock::{DAY, now_ms, text_date};
use crate::fault_injection::InjectedFault;
use crate::release::Release;
use crate::sign_in::{Capability, Component};
use crate::store::configuration;
use crate::wire::{ApiError, Reply, RequestContext, json};
use axum::extract::Path;
use serde_json::{Value, json};

/// Days that the licenses are valid for, always: a practice site is not renewed.
const VALID_DAYS: i64 = 400;
/// Days that one is left with by the simulated fault.
const FEW_DAYS: i64 = 5;
/// Days that another certificate than the presented one is left with.
const OTHER_DAYS: i64 = 20;

/// Name of the certificate in the store of each machine, and of the portal.
const ALIAS: &str = "practice-site";

/// Release that has the resource for licenses of user types, in place of that for levels of membership.
const USER_TYPES: Release = Release::new(10, 7);
/// Release that returns the future license. It is 10.7.1; here, releases have two numbers.
const FUTURE: Release = Release::new(10, 8);
/// Release that returns features of a license.
const FEATURES: Release = Release::new(10, 5);
/// Release that returns the end of a certificate as a number.
const EPOCH: Release = Release::new(11, 1);

/// Returns the licenses of a server.
pub(crate) async fn server_licenses(call: RequestContext) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let version = call.app.release.to_string();
    let at = expiration(&call);
    let licensed =
        |name: &str| json!({ "name": name, "version": version, "canExpire": true, "expiration": at });
    let mut licenses = json!({
        "edition": licensed("svradvanced"),
        "level": licensed("svrenterprise"),
        "datafeature": { "name": "dataserver", "version": version, "canExpire": false, "expiration": -1 },
        "extensions": [licensed("imageserver")],
    });
    if call.app.release >= FEATURES {
        let mut feature = licensed("serverAdvanced");
        feature["displayName"] = json!("Practice server, advanced");
        feature["coreCount"] = json!(4);
        licenses["features"] = json!([feature]);
    }
    json(licenses)
}

/// Returns the licenses of the portal, by user type.
pub(crate) async fn portal_license(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    is_since(&call.app, USER_TYPES)?;
    let at = expiration(&call);
    let user_type = |id: &str, members: i64, expiration: i64| {
        json!({
            "id": id,
            "maximumRegisteredMembers": members,
            "currentRegisteredMembers": 3,
            "expiration": expiration,
        })
    };
    json(json!({
        "currentRegisteredMembers": 6,
        "maximumRegisteredMembers": 60,
        "version": call.app.release.to_string(),
        "userTypes": [user_type("creatorUT", 50, at), user_type("viewerUT", 10, -1)],
        "appBundles": [],
        "apps": [],
        "extensions": [],
    }))
}

/// Returns the future license of the portal: none, which is told by no members, from the end of the present one.
pub(crate) async fn future_license(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    is_since(&call.app, FUTURE)?;
    let none = json!({ "id": "creatorUT", "maximumRegisteredMembers": 0, "startDate": expiration(&call) });
    json(json!({ "userTypes": [none], "appBundles": [], "apps": [], "extensions": [] }))
}

/// Returns the license of a portal before user types.
pub(crate) async fn levels(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    if call.app.release >= USER_TYPES {
        return Err(ApiError::not_found("This resource"));
    }
    let mut licenses = json!({
        "isValid": true,
        "currentRegisteredMembers": 6,
        "maximumRegisteredMembers": 60,
        "expiration": expiration(&call),
    });
    if call.app.release >= FEATURES {
        licenses["features"] = json!([]);
    }
    json(licenses)
}

/// Returns a machine of a server, with the name of the certificate that its web server uses.
pub(crate) async fn machine(call: RequestContext, Path(name): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    let mut machine = machine_named(&call, &name).await?;
    // Another computer could not reach that of the seed.
    machine["adminURL"] = json!(format!("{}/admin", call.app.server_url()));
    machine["webServerSSLEnabled"] = json!(true);
    machine["webServerCertificateAlias"] = json!(ALIAS);
    // Stands for what changes by itself in the configuration of real deployments.
    machine["serverTime"] = json!(crate::clock::now_ms());
    json(machine)
}

/// Returns the names of the certificates of a machine.
pub(crate) async fn machine_certificates(call: RequestContext, Path(name): Path<String>) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    machine_named(&call, &name).await?;
    json(json!({ "certificates": [ALIAS] }))
}

/// Returns a certificate of a machine.
pub(crate) async fn machine_certificate(
    call: RequestContext,
    Path((name, alias)): Path<(String, String)>,
) -> Reply {
    call.caller_with(Component::Server, Capability::Administrator).await?;
    machine_named(&call, &name).await?;
    certificate(&call, &alias)
}

/// Returns the names of the certificates of the portal.
pub(crate) async fn portal_certificates(call: RequestContext) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    json(json!({ "webServerCertificateAlias": ALIAS, "sslCertificates": [ALIAS] }))
}

/// Returns a certificate of the portal.
pub(crate) async fn portal_certificate(call: RequestContext, Path(alias): Path<String>) -> Reply {
    call.caller_with(Component::Portal, Capability::Administrator).await?;
    certificate(&call, &alias)
}

fn certificate(call: &RequestContext, alias: &str) -> Reply {
    if alias != ALIAS {
        return Err(ApiError::not_found(format!("The certificate {alias}")));
    }
    let until = match call.fault {
        Some(InjectedFault::OtherCertificate) => in_days(OTHER_DAYS),
        _ => call.app.certificate_expires_at,
    };
    let mut certificate = json!({
        "aliasName": ALIAS,
        "entryType": "PrivateKeyEntry",
        "issuer": "CN=Practice Site Authority, O=Practice Site",
        "subject": "CN=Practice Site, O=Practice Site",
        "validUntil": text_date(until),
        "keyAlgorithm": "EC",
    });
    if call.app.release >= EPOCH {
        certificate["validUntilEpoch"] = json!(until);
    }
    json(certificate)
}

async fn machine_named(call: &RequestContext, name: &str) -> Result<Value, ApiError> {
    let machines = call.app.server.read(|server| configuration::setting(server, "machines")).await?;
    let machines = machines.as_ref().and_then(Value::as_array).into_iter().flatten();
    let found = machines.into_iter().find(|one| one["machineName"].as_str() == Some(name));
    found.cloned().ok_or_else(|| ApiError::not_found(format!("The machine {name}")))
}

fn is_since(app: &App, release: Release) -> Result<(), ApiError> {
    if app.release >= release { Ok(()) } else { Err(ApiError::not_found("This resource")) }
}

fn expiration(call: &RequestContext) -> i64 {
    in_days(if call.fault == Some(InjectedFault::LicenseExpiresSoon) { FEW_DAYS } else { VALID_DAYS })
}

/// Returns midnight in UTC, after so many days.
fn in_days(days: i64) -> i64 {
    now_ms() / DAY * DAY + days * DAY
}
