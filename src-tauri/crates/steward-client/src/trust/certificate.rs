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

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

    use super::*;

    const FROM: &str = "2026-01-02T03:04:05Z";
    const TO: &str = "2027-11-12T00:00:00Z";

    fn params(name: &str, hosts: &[&str]) -> CertificateParams {
        let hosts: Vec<_> = hosts.iter().map(|host| (*host).to_owned()).collect();
        let mut params = CertificateParams::new(hosts).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        let from = rcgen::date_time_ymd(2026, 1, 2).replace_hour(3).unwrap();
        params.not_before = from.replace_minute(4).unwrap().replace_second(5).unwrap();
        params.not_after = rcgen::date_time_ymd(2027, 11, 12);
        params
    }

    /// Returns a certificate that an authority issued to a server, and that of the authority.
    fn issued(hosts: &[&str]) -> [Vec<u8>; 2] {
        let (key, of_authority) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let mut authority = params("City CA", &[]);
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let itself = authority.self_signed(&of_authority).unwrap().der().to_vec();
        let issuer = Issuer::new(authority, of_authority);
        [params("gis", hosts).signed_by(&key, &issuer).unwrap().der().to_vec(), itself]
    }

    #[test]
    fn a_certificate_is_described_as_its_issuer_wrote_it() {
        let [server, authority] = issued(&["gis.example.org", "192.0.2.7", "2001:db8::1"]);

        let [server, authority] = [server, authority].map(|der| describe(&der, 0).unwrap());

        assert_eq!((server.subject.as_str(), server.issuer.as_str()), ("CN=gis", "CN=City CA"));
        assert_eq!(server.names, ["gis.example.org", "192.0.2.7", "2001:db8::1"]);
        assert_eq!((server.not_before.as_str(), server.not_after.as_str()), (FROM, TO));
        assert_eq!((server.issued_by_itself, server.is_authority), (false, false));
        assert_eq!((authority.issued_by_itself, authority.is_authority), (true, true));
        assert_eq!(authority.names, Vec::<String>::new());
        assert!(describe(b"no certificate", 0).is_none());
    }

    #[test]
    fn a_certificate_is_valid_from_its_first_second_to_its_last() {
        let [server, _] = issued(&["gis.example.org"]);
        let at = |time: &str| u64::try_from(time.parse::<Timestamp>().unwrap().as_second()).unwrap();
        for (now, valid) in [
            (at(FROM) - 1, Validity::NotYet),
            (at(FROM), Validity::Now),
            (at(FROM) + 1, Validity::Now),
            (at(TO) - 1, Validity::Now),
            (at(TO), Validity::Now),
            (at(TO) + 1, Validity::NoMore),
        ] {
            assert_eq!(describe(&server, now).unwrap().valid, valid, "{now}");
        }
    }

    #[test]
    fn a_link_of_a_chain_has_its_subject_and_its_fingerprint_and_what_is_none_no_subject() {
        let [server, _] = issued(&[]);
        let told = link(&server);
        assert_eq!(
            (told.subject.as_str(), told.fingerprint),
            ("CN=gis", Fingerprint::of(&server).to_string())
        );
        assert_eq!(link(b"no certificate").subject, "");
    }

    #[test]
    fn the_names_of_a_certificate_do_not_fill_the_window() {
        let key = KeyPair::generate().unwrap();
        let hosts: Vec<String> = (0..=MOST_NAMES).map(|at| format!("h{at}.example.org")).collect();
        let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
        let long = params(&"x".repeat(LONGEST_NAME), &hosts).self_signed(&key).unwrap();

        let described = describe(long.der(), 0).unwrap();

        assert_eq!(described.names.len(), MOST_NAMES);
        assert_eq!(described.subject, format!("CN={}", "x".repeat(LONGEST_NAME - 3)));
    }
}
