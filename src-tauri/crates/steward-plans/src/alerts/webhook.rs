//! Alerts as signed JSON, for programs of the organization. `docs/administration.md` describes it for their authors.

use serde::Serialize;
use steward_client::alerts::{AlertRequest, signature};
use steward_core::model::numbers::Millis;
use url::Url;

use super::answer::Answer;
use super::changed_text::ChangedNight;
use super::message::{AlertExpiry, AlertMessage, AlertPart};
use super::night::SiteNight;
use crate::not_removed::NotRemoved;

/// Version of the format.
const FORMAT: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    format: u32,
    program: &'static str,
    version: &'static str,
    id: &'a str,
    event: &'static str,
    at: String,
    computer: &'a str,
    plan: Named<'a>,
    site: Named<'a>,
    verified_at: Option<String>,
    parts: &'a [AlertPart],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    expires: &'a [AlertExpiry],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sites: &'a [SiteNight],
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<&'a ChangedNight>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    sets_not_removed: &'a [NotRemoved],
    note: &'a str,
    audit_trail_head: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct Named<'a> {
    id: &'a str,
    name: &'a str,
}

/// Returns whether a receiver took the alert. A successful status is enough, unless the body denies it or is a page,
/// which is the sign-in of a proxy in front of the receiver.
pub(super) const fn is_taken(_: u16, answer: &Answer<'_>) -> bool {
    !matches!(answer, Answer::Page | Answer::No)
}

/// Returns the request. It is signed if there is a key.
pub(super) fn request(
    address: Url,
    key: &str,
    message: &AlertMessage,
    title: &str,
    now: Millis,
) -> serde_json::Result<AlertRequest> {
    let utc = |at: Millis| at.timestamp().to_string();
    let body = serde_json::to_vec(&Body {
        format: FORMAT,
        program: "site-steward",
        version: env!("CARGO_PKG_VERSION"),
        id: &message.id,
        event: message.event(),
        at: utc(message.at),
        computer: &message.computer,
        plan: Named { id: &message.plan.0, name: &message.plan_name },
        site: Named { id: &message.site.0, name: &message.site_name },
        verified_at: message.verified.map(utc),
        parts: &message.parts,
        expires: &message.expires,
        sites: &message.sites,
        changed: message.changed.as_ref(),
        sets_not_removed: &message.not_removed,
        note: &message.note,
        audit_trail_head: &message.head,
        title,
    })?;
    let mut headers = vec![("Idempotency-Key", message.id.clone())];
    if !key.is_empty() {
        let timestamp = now.timestamp().as_second().to_string();
        headers.push(("X-Site-Steward-Signature", format!("sha256={}", signature(key, &timestamp, &body))));
        headers.push(("X-Site-Steward-Timestamp", timestamp));
    }
    Ok(AlertRequest { address, headers, body: Some(("application/json", body)) })
}
