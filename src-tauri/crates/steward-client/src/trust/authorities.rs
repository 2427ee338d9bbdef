//! Certificates in a CA file, for display.

use std::time::{SystemTime, UNIX_EPOCH};

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

/// Reads the certificates in a PEM file.
///
/// # Errors
/// [`SetupFault::Authority`] if there is no certificate, or one cannot be read.
pub fn authorities(pem: &[u8]) -> Result<Vec<Authority>, SetupFault> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let read = CertificateDer::pem_slice_iter(pem).map(|der| {
        let described =
            describe(&der.map_err(|_| SetupFault::Authority)?, now).ok_or(SetupFault::Authority)?;
        Ok(Authority {
            subject: described.subject,
            not_after: described.not_after,
            is_valid: described.valid == Validity::Now,
        })
    });
    let read: Vec<_> = read.collect::<Result<_, _>>()?;
    if read.is_empty() { Err(SetupFault::Authority) } else { Ok(read) }
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

        let told = authorities([pem(3000), pem(2001)].concat().as_bytes()).unwrap();

        let told: Vec<_> =
            told.iter().map(|one| (one.subject.as_str(), one.not_after.as_str(), one.is_valid)).collect();
        assert_eq!(
            told,
            [("CN=3000", "3000-01-05T00:00:00Z", true), ("CN=2001", "2001-01-05T00:00:00Z", false)]
        );
        assert!(matches!(authorities(b""), Err(SetupFault::Authority)));
    }
}
