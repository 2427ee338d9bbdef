//! Verifier of server certificates: the verification of the system, plus one trusted certificate per origin.
//!
//! [`Verifier`] is installed in the clients of one origin. A rejected certificate is described by a
//! [`CertificateProblem`] inside the error.
//!
//! Invariants: the trusted certificate is accepted only for the host of the origin, and not if it is revoked; the
//! signature of the handshake is always verified, because a certificate is public.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};

use super::certificate::{self, Described, Validity};
use super::fingerprint::Fingerprint;
use super::problem::{CertificateProblem, CertificateReason};

/// Maximum number of certificates of a chain that are described.
const LONGEST_CHAIN: usize = 10;

/// Whether a CA certificate used by a server stays rejected although the CA is trusted. The system verifiers of Windows
/// and macOS accept it then.
const AUTHORITIES_STAY_REFUSED: bool = cfg!(not(any(windows, target_os = "macos")));

/// Verifier of the connections to one origin.
///
/// A rejection carries its [`CertificateProblem`] inside the error, so that the user sees the reason of this handshake.
#[derive(Debug)]
pub(crate) struct Verifier {
    system: Arc<dyn ServerCertVerifier>,
    accepted: Option<Accepted>,
    expiry: CertificateExpiry,
}

/// When the certificate that was accepted last expires.
#[derive(Debug, Default, Clone)]
pub(crate) struct CertificateExpiry(Arc<AtomicI64>);

impl CertificateExpiry {
    /// Returns the time in milliseconds since 1970; `None` before a certificate was accepted.
    pub(crate) fn get(&self) -> Option<i64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|at| *at != 0)
    }

    fn note(&self, certificate: &CertificateDer<'_>) {
        if let Some(seconds) = certificate::expires_at(certificate) {
            self.0.store(seconds.saturating_mul(1000), Ordering::Relaxed);
        }
    }
}

/// Certificate that the user trusts for the origin.
#[derive(Debug, Clone)]
pub(crate) struct Accepted {
    /// Host of the origin. A proxy has another name, so the certificate is not trusted for it.
    pub(crate) host: ServerName<'static>,
    pub(crate) fingerprint: Fingerprint,
}

impl Verifier {
    pub(crate) fn new(system: Arc<dyn ServerCertVerifier>, accepted: Option<Accepted>) -> Self {
        Self { system, accepted, expiry: CertificateExpiry::default() }
    }

    /// Returns the verifier that notes in `expiry` when the certificates expire that it accepts.
    pub(crate) fn noting(self, expiry: CertificateExpiry) -> Self {
        Self { expiry, ..self }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let system = &self.system;
        let rejected =
            match system.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
                Ok(verified) => {
                    self.expiry.note(end_entity);
                    return Ok(verified);
                }
                Err(rejected) => rejected,
            };
        let fingerprint = Fingerprint::of(end_entity);
        let accepted = self.accepted.as_ref().filter(|accepted| accepted.host == *server_name);
        // A revoked certificate stays rejected: its key might be compromised, and the user trusted it before that was
        // known.
        let is_revoked = matches!(rejected, Error::InvalidCertificate(CertificateError::Revoked));
        if accepted.is_some_and(|accepted| accepted.fingerprint == fingerprint) && !is_revoked {
            self.expiry.note(end_entity);
            return Ok(ServerCertVerified::assertion());
        }

        let described = certificate::describe(end_entity, now.as_secs()).unwrap_or_default();
        let chain = std::iter::once(end_entity).chain(intermediates).take(LONGEST_CHAIN);
        let reason = why(&rejected, &described, server_name);
        let problem = CertificateProblem {
            server: server_name.to_str().into_owned(),
            origin: None,
            fingerprint: fingerprint.to_string(),
            chain: chain.map(|one| certificate::link(one)).collect(),
            also: faults(end_entity, &described, server_name).filter(|fault| *fault != reason).collect(),
            reason,
            accepted_before: accepted
                .map(|accepted| accepted.fingerprint)
                .filter(|before| *before != fingerprint)
                .map(|before| before.to_string()),
            subject: described.subject,
            issuer: described.issuer,
            names: described.names,
            not_before: described.not_before,
            not_after: described.not_after,
        };
        Err(Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(problem)))))
    }

    // A trusted certificate is public: only the signature in the handshake proves that the server has its key.

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.system.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.system.supported_verify_schemes()
    }
}

/// Returns the reason of a rejection. System verifiers report less detail than webpki, so the certificate is checked as
/// well.
fn why(rejected: &Error, described: &Described, server_name: &ServerName<'_>) -> CertificateReason {
    let other = || CertificateReason::Other { text: rejected.to_string() };
    let Error::InvalidCertificate(error) = rejected else { return other() };
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => match described.valid {
            Validity::NoMore => CertificateReason::Expired,
            // Windows reports the same error for a validity that has not started.
            Validity::NotYet => CertificateReason::NotYetValid,
            Validity::Now => CertificateReason::ChainExpired,
        },
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            match described.valid {
                Validity::NotYet => CertificateReason::NotYetValid,
                _ => CertificateReason::ChainNotYetValid,
            }
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            wrong_host(described, server_name)
        }
        CertificateError::UnknownIssuer if described.issued_by_itself => CertificateReason::SelfSigned,
        CertificateError::UnknownIssuer => CertificateReason::UnknownIssuer,
        CertificateError::Revoked => CertificateReason::Revoked,
        // A reinstalled site has a new CA with the old name.
        CertificateError::BadSignature => CertificateReason::AnotherKey,
        // webpki's error for this has no variant in rustls.
        CertificateError::Other(_) if is_misused_authority(described) => CertificateReason::CaAsEndEntity,
        _ => other(),
    }
}

/// Returns all problems of the certificate itself.
fn faults(
    end_entity: &CertificateDer<'_>,
    described: &Described,
    server_name: &ServerName<'_>,
) -> impl Iterator<Item = CertificateReason> {
    let is_for_another = ParsedCertificate::try_from(end_entity)
        .is_ok_and(|certificate| verify_server_name(&certificate, server_name).is_err());
    let faults = [
        (described.valid == Validity::NoMore).then_some(CertificateReason::Expired),
        (described.valid == Validity::NotYet).then_some(CertificateReason::NotYetValid),
        is_for_another.then(|| wrong_host(described, server_name)),
        described.issued_by_itself.then_some(CertificateReason::SelfSigned),
        is_misused_authority(described).then_some(CertificateReason::CaAsEndEntity),
    ];
    faults.into_iter().flatten()
}

const fn is_misused_authority(described: &Described) -> bool {
    described.is_authority && AUTHORITIES_STAY_REFUSED
}

fn wrong_host(described: &Described, server_name: &ServerName<'_>) -> CertificateReason {
    CertificateReason::WrongHost { asked: server_name.to_str().into_owned(), names: described.names.clone() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::trust::AcceptsNone;

    /// Creates a verifier that trusts `certificate` for `gis.example.org`; no CA is trusted.
    fn verifier(certificate: &CertificateDer<'_>) -> Verifier {
        let other = rcgen::generate_simple_self_signed(["other".to_owned()]).unwrap();
        let mut roots = rustls::RootCertStore::empty();
        roots.add(other.cert.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let system = rustls::client::WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        let host = ServerName::try_from("gis.example.org").unwrap();
        let accepted = Accepted { host, fingerprint: Fingerprint::of(certificate) };
        Verifier::new(system.build().unwrap(), Some(accepted))
    }

    #[test]
    fn a_certificate_is_accepted_for_its_site_and_not_for_a_proxy_and_only_its_expiry_is_noted() {
        let certified = rcgen::generate_simple_self_signed(["x".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let expiry = CertificateExpiry::default();
        let verifier = verifier(certificate).noting(expiry.clone());
        let verify = |name: &'static str| {
            let name = ServerName::try_from(name).unwrap();
            verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now())
        };

        assert!(verify("proxy.example.org").is_err());
        assert_eq!(expiry.get(), None);
        assert!(verify("gis.example.org").is_ok());
        let expected = certificate::expires_at(certificate).unwrap() * 1000;
        assert_eq!(expiry.get(), Some(expected));
    }

    /// Creates a verifier whose system rejects every certificate with the same error.
    fn rejecting(reason: CertificateError, accepted: Option<Accepted>) -> Verifier {
        Verifier::new(Arc::new(AcceptsNone { schemes: Vec::new(), reason }), accepted)
    }

    fn problem(verified: Result<ServerCertVerified, Error>) -> CertificateProblem {
        let Err(Error::InvalidCertificate(CertificateError::Other(other))) = verified else {
            panic!("accepted")
        };
        other.0.downcast_ref::<CertificateProblem>().unwrap().clone()
    }

    #[test]
    fn revoked_certificate_stays_rejected_although_trusted() {
        let certified = rcgen::generate_simple_self_signed(["gis.example.org".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let verifier = rejecting(CertificateError::Revoked, verifier(certificate).accepted);

        let name = ServerName::try_from("gis.example.org").unwrap();
        let verified = verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now());

        let problem = problem(verified);
        assert_eq!(problem.reason, CertificateReason::Revoked);
        assert_eq!(problem.accepted_before, None);
    }

    #[test]
    fn expired_and_not_yet_valid_are_distinguished_although_the_system_reports_one_error() {
        let certified = rcgen::generate_simple_self_signed(["gis.example.org".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let verifier = rejecting(CertificateError::Expired, None);
        let name = ServerName::try_from("gis.example.org").unwrap();
        let reason =
            |now: UnixTime| problem(verifier.verify_server_cert(certificate, &[], &name, &[], now)).reason;

        // Valid from 1975 to 4096.
        assert_eq!(reason(UnixTime::since_unix_epoch(Duration::ZERO)), CertificateReason::NotYetValid);
        assert_eq!(
            reason(UnixTime::since_unix_epoch(Duration::from_secs(1 << 37))),
            CertificateReason::Expired
        );
        // Another certificate of the chain has the problem then.
        assert_eq!(reason(UnixTime::now()), CertificateReason::ChainExpired);
    }

    #[test]
    fn an_error_that_rustls_has_no_name_for_is_told_in_its_own_words() {
        let certified = rcgen::generate_simple_self_signed(["gis.example.org".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let odd = OtherError(Arc::new(std::io::Error::other("an odd extension")));
        let verifier = rejecting(CertificateError::Other(odd), None);

        let name = ServerName::try_from("gis.example.org").unwrap();
        let verified = verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now());

        let CertificateReason::Other { text } = problem(verified).reason else { panic!("another reason") };
        assert!(text.contains("an odd extension"), "{text}");
    }
}
