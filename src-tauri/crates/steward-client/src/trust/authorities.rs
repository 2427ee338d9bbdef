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
