//! Verifier for a handshake that only reads which certificate a host presents.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};

/// Rejects every certificate, which ends the handshake. In place of the system's verifier, it has a
/// [`Verifier`](super::Verifier) describe each one.
#[derive(Debug)]
pub(crate) struct AcceptsNone {
    /// Signatures that a host may offer.
    pub(crate) schemes: Vec<SignatureScheme>,
    /// Reason for each certificate.
    pub(crate) reason: CertificateError,
}

impl ServerCertVerifier for AcceptsNone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Err(self.reason.clone().into())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(self.reason.clone().into())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(self.reason.clone().into())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}
