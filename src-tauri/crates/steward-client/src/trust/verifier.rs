//! Asks the system about a server's certificate, and knows the one certificate that a person accepted.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};

use super::Fingerprint;
use super::certificate::{self, Described, Validity};
use super::problem::{CertificateProblem, Reason};

/// Certificates of a chain that are shown.
const LONGEST_CHAIN: usize = 10;

/// Whether an authority's certificate stays refused as a server's although the authority is trusted. Windows and macOS,
/// which judge by themselves, take it then.
const AUTHORITIES_STAY_REFUSED: bool = cfg!(not(any(windows, target_os = "macos")));

/// The verifier of the connections to one origin.
///
/// A refusal carries its [`CertificateProblem`] inside the error, so that what is shown is what this very
/// handshake was refused for.
#[derive(Debug)]
pub(crate) struct Verifier {
    usual: Arc<dyn ServerCertVerifier>,
    accepted: Option<Accepted>,
}

/// The certificate that a person accepted for the origin.
#[derive(Debug, Clone)]
pub(crate) struct Accepted {
    /// The origin's host. A proxy on the way has another name, and nothing was accepted for it.
    pub(crate) host: ServerName<'static>,
    pub(crate) fingerprint: Fingerprint,
}

impl Verifier {
    pub(crate) const fn new(usual: Arc<dyn ServerCertVerifier>, accepted: Option<Accepted>) -> Self {
        Self { usual, accepted }
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
        let usual = &self.usual;
        let refused =
            match usual.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
                Ok(verified) => return Ok(verified),
                Err(refused) => refused,
            };
        let fingerprint = Fingerprint::of(end_entity);
        let accepted = self.accepted.as_ref().filter(|accepted| accepted.host == *server_name);
        // The issuer withdrew it because its key is in other hands; the person's acceptance was for the old ones.
        let is_revoked = matches!(refused, Error::InvalidCertificate(CertificateError::Revoked));
        if accepted.is_some_and(|accepted| accepted.fingerprint == fingerprint) && !is_revoked {
            return Ok(ServerCertVerified::assertion());
        }

        let described = certificate::describe(end_entity, now.as_secs()).unwrap_or_default();
        let chain = std::iter::once(end_entity).chain(intermediates).take(LONGEST_CHAIN);
        let reason = why(&refused, &described, server_name);
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

    // An accepted certificate is public; only the handshake's signature shows that the server has its key.

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.usual.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.usual.supported_verify_schemes()
    }
}

/// Why the usual verifier refused. The systems' own verifiers tell less than ours, so the certificate is asked too.
fn why(refused: &Error, described: &Described, server_name: &ServerName<'_>) -> Reason {
    let other = || Reason::Other { text: refused.to_string() };
    let Error::InvalidCertificate(error) = refused else { return other() };
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => match described.valid {
            Validity::NoMore => Reason::Expired,
            // Windows says the same of a time that has not begun.
            Validity::NotYet => Reason::NotYetValid,
            Validity::Now => Reason::ChainExpired,
        },
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            match described.valid {
                Validity::NotYet => Reason::NotYetValid,
                _ => Reason::ChainNotYetValid,
            }
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            wrong_host(described, server_name)
        }
        CertificateError::UnknownIssuer if described.issued_by_itself => Reason::SelfSigned,
        CertificateError::UnknownIssuer => Reason::UnknownIssuer,
        CertificateError::Revoked => Reason::Revoked,
        // Sites that were set up again have a new authority of the old name.
        CertificateError::BadSignature => Reason::AnotherKey,
        // webpki's word for it is not among the variants of rustls.
        CertificateError::Other(_) if is_misused_authority(described) => Reason::CaAsEndEntity,
        _ => other(),
    }
}

/// Everything that can be seen to be wrong with the certificate itself.
fn faults(
    end_entity: &CertificateDer<'_>,
    described: &Described,
    server_name: &ServerName<'_>,
) -> impl Iterator<Item = Reason> {
    let is_for_another = ParsedCertificate::try_from(end_entity)
        .is_ok_and(|certificate| verify_server_name(&certificate, server_name).is_err());
    let faults = [
        (described.valid == Validity::NoMore).then_some(Reason::Expired),
        (described.valid == Validity::NotYet).then_some(Reason::NotYetValid),
        is_for_another.then(|| wrong_host(described, server_name)),
        described.issued_by_itself.then_some(Reason::SelfSigned),
        is_misused_authority(described).then_some(Reason::CaAsEndEntity),
    ];
    faults.into_iter().flatten()
}

const fn is_misused_authority(described: &Described) -> bool {
    described.is_authority && AUTHORITIES_STAY_REFUSED
}

fn wrong_host(described: &Described, server_name: &ServerName<'_>) -> Reason {
    Reason::WrongHost { asked: server_name.to_str().into_owned(), names: described.names.clone() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A verifier that accepted `certificate` for `gis.example.org`, behind one that trusts nobody it should.
    fn verifier(certificate: &CertificateDer<'_>) -> Verifier {
        let other = rcgen::generate_simple_self_signed(["other".to_owned()]).unwrap();
        let mut roots = rustls::RootCertStore::empty();
        roots.add(other.cert.der().clone()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let usual = rustls::client::WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        let host = ServerName::try_from("gis.example.org").unwrap();
        let accepted = Accepted { host, fingerprint: Fingerprint::of(certificate) };
        Verifier::new(usual.build().unwrap(), Some(accepted))
    }

    #[test]
    fn what_was_accepted_for_a_site_is_not_accepted_for_the_proxy_before_it() {
        let certified = rcgen::generate_simple_self_signed(["x".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let verifier = verifier(certificate);
        let verify = |name: &str| {
            let name = ServerName::try_from(name.to_owned()).unwrap();
            verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now())
        };

        assert!(verify("gis.example.org").is_ok());
        assert!(verify("proxy.example.org").is_err());
    }

    /// Refuses every certificate with the same words, as a system's verifier does.
    #[derive(Debug)]
    struct Refuses(CertificateError, Arc<dyn ServerCertVerifier>);

    impl ServerCertVerifier for Refuses {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Err(self.0.clone().into())
        }
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.1.verify_tls12_signature(message, certificate, signed)
        }
        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            self.1.verify_tls13_signature(message, certificate, signed)
        }
        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.1.supported_verify_schemes()
        }
    }

    fn problem(verified: Result<ServerCertVerified, Error>) -> CertificateProblem {
        let Err(Error::InvalidCertificate(CertificateError::Other(other))) = verified else {
            panic!("accepted")
        };
        other.0.downcast_ref::<CertificateProblem>().unwrap().clone()
    }

    #[test]
    fn a_withdrawn_certificate_stays_refused_though_it_was_accepted() {
        let certified = rcgen::generate_simple_self_signed(["gis.example.org".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let Verifier { usual, accepted } = verifier(certificate);
        let verifier = Verifier::new(Arc::new(Refuses(CertificateError::Revoked, usual)), accepted);

        let name = ServerName::try_from("gis.example.org").unwrap();
        let verified = verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::now());

        let problem = problem(verified);
        assert_eq!(problem.reason, Reason::Revoked);
        assert_eq!(problem.accepted_before, None);
    }

    #[test]
    fn a_time_that_is_over_is_told_from_one_to_come_though_the_system_has_one_word_for_both() {
        let certified = rcgen::generate_simple_self_signed(["gis.example.org".to_owned()]).unwrap();
        let certificate = certified.cert.der();
        let Verifier { usual, .. } = verifier(certificate);
        let verifier = Verifier::new(Arc::new(Refuses(CertificateError::Expired, usual)), None);
        let name = ServerName::try_from("gis.example.org").unwrap();
        let reason =
            |now: UnixTime| problem(verifier.verify_server_cert(certificate, &[], &name, &[], now)).reason;

        // It is valid from 1975 to 4096.
        assert_eq!(reason(UnixTime::since_unix_epoch(Duration::ZERO)), Reason::NotYetValid);
        assert_eq!(reason(UnixTime::since_unix_epoch(Duration::from_secs(1 << 37))), Reason::Expired);
        // Then it is another one of the chain.
        assert_eq!(reason(UnixTime::now()), Reason::ChainExpired);
    }
}
