//! Description of a certificate for display. Does not decide about trust.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use x509_parser::prelude::{ASN1Time, FromDer, GeneralName, X509Certificate};

use super::fingerprint::Fingerprint;
use super::problem::ChainLink;

/// Limits for display, in characters and in names: the certificate's creator chooses their size.
const LONGEST_NAME: usize = 500;
const MOST_NAMES: usize = 100;

/// Contents of a certificate.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub(super) subject: String,
    pub(super) issuer: String,
    pub(super) names: Vec<String>,
    pub(super) not_before: String,
    pub(super) not_after: String,
    pub(super) issued_by_itself: bool,
    pub(super) is_authority: bool,
    pub(super) valid: Validity,
}

/// Validity at the time of the check.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Validity {
    NotYet,
    #[default]
    Now,
    NoMore,
}

/// Describes a certificate at `now`, in seconds since 1970. `None` if the bytes are not a certificate.
pub(super) fn describe(der: &[u8], now: u64) -> Option<Described> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let dates = certificate.validity();
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    let valid = if now < dates.not_before.timestamp() {
        Validity::NotYet
    } else if now > dates.not_after.timestamp() {
        Validity::NoMore
    } else {
        Validity::Now
    };
    Some(Described {
        subject: short(&certificate.subject().to_string()),
        issuer: short(&certificate.issuer().to_string()),
        names: names(&certificate),
        not_before: rfc3339(&dates.not_before),
        not_after: rfc3339(&dates.not_after),
        issued_by_itself: certificate.subject().as_raw() == certificate.issuer().as_raw(),
        is_authority: certificate.is_ca(),
        valid,
    })
}

/// Returns the end of the validity, in seconds since 1970. `None` if the bytes are not a certificate.
pub(super) fn expires_at(der: &[u8]) -> Option<i64> {
    Some(X509Certificate::from_der(der).ok()?.1.validity().not_after.timestamp())
}

/// Describes one certificate of a chain. The subject is empty if the bytes are not a certificate.
pub(super) fn link(der: &[u8]) -> ChainLink {
    let subject = describe(der, 0).map(|described| described.subject).unwrap_or_default();
    ChainLink { subject, fingerprint: Fingerprint::of(der).to_string() }
}

fn names(certificate: &X509Certificate<'_>) -> Vec<String> {
    let Ok(Some(extension)) = certificate.subject_alternative_name() else { return Vec::new() };
    let names = extension.value.general_names.iter().filter_map(|name| match name {
        GeneralName::DNSName(name) => Some(short(name)),
        GeneralName::IPAddress(bytes) => address(bytes).map(|address| address.to_string()),
        _ => None,
    });
    names.take(MOST_NAMES).collect()
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    let four = <[u8; 4]>::try_from(bytes).map(|bytes| IpAddr::from(Ipv4Addr::from(bytes)));
    let sixteen = <[u8; 16]>::try_from(bytes).map(|bytes| IpAddr::from(Ipv6Addr::from(bytes)));
    four.or(sixteen).ok()
}

fn rfc3339(time: &ASN1Time) -> String {
    let time = time.to_datetime();
    let (hour, minute, second) = time.to_hms();
    let month = u8::from(time.month());
    format!("{:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", time.year(), time.day())
}

fn short(name: &str) -> String {
    name.chars().take(LONGEST_NAME).collect()
}
