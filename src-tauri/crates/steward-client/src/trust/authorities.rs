//! Certificates in a CA file.

use std::time::{SystemTime, UNIX_EPOCH};

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::certificate::{Validity, describe};
use crate::setup_fault::SetupFault;

/// Certificate in a CA file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// Distinguished name of the subject.
    pub subject: String,
    /// End of validity, for example `2026-01-05T00:00:00Z`.
    pub not_after: String,
    /// Whether it is valid now.
    pub is_valid: bool,
}

/// Certificates in a CA file, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorities {
    /// Those that are trusted, in the order of the file.
    pub readable: Vec<Authority>,
    /// Number of damaged ones, which are not trusted. The others are used all the same.
    pub damaged: usize,
}

/// Reads the certificates in a PEM file.
///
/// # Errors
/// [`SetupFault::Authority`] if there is no certificate that can be read.
pub fn authorities(pem: &[u8]) -> Result<Authorities, SetupFault> {
    let (readable, damaged) = certificates(pem)?;
    Ok(Authorities { readable: readable.iter().filter_map(|der| Authority::of(der)).collect(), damaged })
}

impl Authority {
    /// Describes a certificate; `None` if the bytes are none.
    pub(super) fn of(der: &[u8]) -> Option<Self> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let described = describe(der, now)?;
        Some(Self {
            subject: described.subject,
            not_after: described.not_after,
            is_valid: described.valid == Validity::Now,
        })
    }
}

/// Returns the certificates in a PEM file that can be an authority, and the number of the others.
pub(crate) fn certificates(pem: &[u8]) -> Result<(Vec<CertificateDer<'static>>, usize), SetupFault> {
    let mut damaged = 0;
    let readable = CertificateDer::pem_slice_iter(pem).filter_map(|der| {
        let readable = der.ok().filter(|der| {
            // Another library reads what is displayed of it, and has to accept it too.
            RootCertStore::empty().add(der.clone()).is_ok() && describe(der, 0).is_some()
        });
        damaged += usize::from(readable.is_none());
        readable
    });
    let readable: Vec<_> = readable.collect();
    if readable.is_empty() { Err(SetupFault::Authority) } else { Ok((readable, damaged)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificates_of_a_file_are_told_in_their_order_with_whether_they_are_valid() {
        let pem = |until: i32| {
            let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
            params.distinguished_name = rcgen::DistinguishedName::new();
            params.distinguished_name.push(rcgen::DnType::CommonName, until.to_string());
            params.not_after = rcgen::date_time_ymd(until, 1, 5);
            params.self_signed(&rcgen::KeyPair::generate().unwrap()).unwrap().pem()
        };

        let file = [pem(3000), pem(2001)].concat();
        let told = authorities(file.as_bytes()).unwrap().readable;

        let told: Vec<_> =
            told.iter().map(|one| (one.subject.as_str(), one.not_after.as_str(), one.is_valid)).collect();
        assert_eq!(
            told,
            [("CN=3000", "3000-01-05T00:00:00Z", true), ("CN=2001", "2001-01-05T00:00:00Z", false)]
        );
        assert!(matches!(authorities(b""), Err(SetupFault::Authority)));
    }

    #[test]
    fn a_damaged_certificate_in_a_file_takes_no_other_one_with_it() {
        let good = rcgen::generate_simple_self_signed(["ca.example.org".to_owned()]).unwrap().cert.pem();
        let not_base64 = "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n";
        let no_certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        let cut = &good[..good.len() / 2];
        for file in [
            [not_base64, &good, no_certificate].concat(),
            [good.as_str(), not_base64, cut].concat(),
            [no_certificate, not_base64, &good].concat(),
        ] {
            let told = authorities(file.as_bytes()).unwrap();
            assert_eq!((told.readable.len(), told.damaged), (1, 2), "{file}");
        }
        assert!(matches!(authorities(no_certificate.as_bytes()), Err(SetupFault::Authority)));
    }
}
