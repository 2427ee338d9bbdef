//! Certificates of the web servers of a server's machines and of a portal, as their administration returns them, and
//! the time zone of a server.

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use serde::Deserialize;
use url::Url;

use crate::endpoint::Endpoint;
use crate::error::ClientError;
use crate::moment::in_milliseconds;
use crate::wire::{text, used, whole};

/// Certificate that the web server of a machine uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineCertificate {
    /// Its name in the store of the machine.
    pub alias: String,
    /// When it expires, in milliseconds since 1970.
    pub expires_at: i64,
    /// Whether that is exact: older versions return a text with an abbreviated time zone, which is then taken as UTC.
    pub is_exact: bool,
    /// Administration URL of the machine, at which the web server presents its certificate; `None` if it is not
    /// returned.
    pub admin_url: Option<Url>,
}

/// Names the certificate in use. The others of the store are ignored: nothing stops when they expire.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InUse {
    #[serde(default, deserialize_with = "used")]
    web_server_certificate_alias: String,
    #[serde(default, rename = "adminURL", deserialize_with = "text")]
    admin_url: String,
}

/// A certificate. Versions before 11.1 have no number for its end, and some return the output of a tool.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Certificate {
    #[serde(default, deserialize_with = "whole")]
    valid_until_epoch: Option<i64>,
    #[serde(default, deserialize_with = "text")]
    valid_until: String,
    #[serde(default, rename = "Valid from", deserialize_with = "text")]
    valid_from_until: String,
}

/// Returns the certificate that the web server of a machine uses.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects a request.
/// - [`ClientError::Unreadable`] if the machine names no certificate, or its end cannot be read.
/// - A connection or session error of [`ClientError`].
pub async fn machine_certificate(
    server: &Endpoint,
    machine: &str,
) -> Result<MachineCertificate, ClientError> {
    let of_machine = ["admin", "machines", machine];
    let in_use: InUse = server.get(&of_machine, &[], "a machine").await?;
    certificate(server, &[&of_machine[..], &["sslcertificates"]].concat(), in_use).await
}

/// Returns the certificate that the web server of a portal uses.
///
/// # Errors
/// As [`machine_certificate`].
pub async fn portal_certificate(portal: &Endpoint) -> Result<MachineCertificate, ClientError> {
    let path = ["portaladmin", "security", "sslCertificates"];
    let in_use: InUse = portal.get(&path, &[], "the certificates of a portal").await?;
    certificate(portal, &path, in_use).await
}

async fn certificate(
    endpoint: &Endpoint,
    store: &[&str],
    InUse { web_server_certificate_alias: alias, admin_url }: InUse,
) -> Result<MachineCertificate, ClientError> {
    let expected = "a certificate";
    if alias.is_empty() {
        return Err(ClientError::unreadable(expected, "the response does not name the certificate in use"));
    }
    let found: Certificate = endpoint.get(&[store, &[&alias]].concat(), &[], expected).await?;
    let end = match found.valid_until_epoch {
        Some(at) if at > 0 => Some((in_milliseconds(at), true)),
        _ => end_in(&found.valid_until).or_else(|| end_in(found.valid_from_until.split_once("until:")?.1)),
    };
    let (expires_at, is_exact) =
        end.ok_or_else(|| ClientError::unreadable(expected, "the response has no end of its validity"))?;
    Ok(MachineCertificate { alias, expires_at, is_exact, admin_url: Url::parse(&admin_url).ok() })
}

/// Reads a time such as `Sun Oct 24 07:07:04 PDT 2055`. Only the abbreviations of UTC are exact: others stand for
/// several time zones.
fn end_in(text: &str) -> Option<(i64, bool)> {
    let words: Vec<_> = text.split_whitespace().collect();
    let [_, month, day, time, zone, year] = words[..] else { return None };
    let local = DateTime::strptime("%b %d %H:%M:%S %Y", format!("{month} {day} {time} {year}")).ok()?;
    let is_exact = matches!(zone, "UTC" | "GMT" | "Z");
    let at = local.to_zoned(TimeZone::fixed(Offset::UTC)).ok()?;
    Some((at.timestamp().as_millisecond(), is_exact))
}

/// Returns the time zone of a server, for example `Europe/Berlin`; `None` if the server returns none that is known
/// here.
///
/// # Errors
/// - [`ClientError::Rejected`] if the server rejects the request.
/// - [`ClientError::Unreadable`] if the response is not JSON.
/// - A connection or session error of [`ClientError`].
pub async fn time_zone(server: &Endpoint) -> Result<Option<String>, ClientError> {
    #[derive(Deserialize)]
    struct Info {
        #[serde(default)]
        timezone: Option<Zone>,
    }
    #[derive(Deserialize)]
    struct Zone {
        #[serde(default, deserialize_with = "text")]
        olsonid: String,
    }
    let info: Info = server.get(&["admin", "info"], &[], "a server").await?;
    let named = info.timezone.map(|zone| zone.olsonid);
    Ok(named.filter(|name| TimeZone::get(name).is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_certificate_is_exact_only_where_its_time_zone_is_known() {
        let at = |time: &str| time.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        for (text, expected) in [
            ("Sun Oct 24 07:07:04 UTC 2055", Some((at("2055-10-24T07:07:04Z"), true))),
            ("Sun Oct 24 07:07:04 GMT 2055", Some((at("2055-10-24T07:07:04Z"), true))),
            (" Sun Oct  4 07:07:04 PDT 2055", Some((at("2055-10-04T07:07:04Z"), false))),
            // China, Cuba, or Central Time.
            ("Sat Nov 28 23:59:59 CST 2026", Some((at("2026-11-28T23:59:59Z"), false))),
            ("So Okt 24 07:07:04 MESZ 2055", None),
            ("2055-10-24", None),
            ("", None),
        ] {
            assert_eq!(end_in(text), expected, "{text}");
        }
    }
}
