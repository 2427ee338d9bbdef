//! Whom a site may be.

use rcgen::{BasicConstraints, IsCa};
use steward_client::{CertificateProblem, CertificateReason, ClientError, Stage, Trust, TrustedCertificate};
use steward_testkit::{Reply, TestServer};
use url::Url;

use crate::support::{
    Authority, Certified, DONE, accepting, endpoint, expired, get, not_yet_valid, post, self_signed, trusting,
};

const HERE: &[&str] = &["127.0.0.1", "localhost"];

async fn site(certified: &Certified) -> TestServer {
    TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap()
}

/// Asks a site that presents `certified`, and returns why its certificate was refused.
async fn refused(certified: &Certified, trust: &Trust) -> CertificateProblem {
    let site = site(certified).await;
    let endpoint = endpoint(trust, &site.origin());
    let ClientError::Certificate(first) = get(&endpoint).await.unwrap_err() else {
        panic!("not about a certificate")
    };
    let second = post(&endpoint).await.unwrap_err();
    assert!(!second.may_have_taken_effect());
    let ClientError::Certificate(second) = second else { panic!("not about a certificate") };
    assert_eq!(first, second);
    assert!(site.requests().is_empty(), "nothing is sent to a site whose certificate is refused");
    assert_eq!(first.origin, Some(site.origin()));
    *first
}

#[tokio::test]
async fn a_certificate_of_a_named_authority_is_accepted() {
    let authority = Authority::new("Example Authority");
    let site = site(&authority.signs(HERE, |_| ())).await;

    let endpoint = endpoint(&trusting(&authority), &site.origin());

    get(&endpoint).await.unwrap();
    post(&endpoint).await.unwrap();
    assert_eq!(site.requests().len(), 2);
}

#[tokio::test]
async fn a_refused_certificate_is_described_for_whoever_decides() {
    let authority = Authority::new("Example Authority");
    let certified = authority.signs(&["gis.example.org", "10.0.0.7"], expired);

    let problem = refused(&certified, &Trust::default()).await;

    assert_eq!(problem.server, "127.0.0.1");
    assert_eq!(problem.subject, "CN=server");
    assert_eq!(problem.issuer, "CN=Example Authority");
    assert_eq!(problem.names, ["gis.example.org", "10.0.0.7"]);
    assert_eq!(problem.not_before, "2020-01-01T00:00:00Z");
    assert_eq!(problem.not_after, "2021-01-01T00:00:00Z");
    assert_eq!(problem.fingerprint, certified.fingerprint());
    assert_eq!(problem.chain.len(), 1);
    assert_eq!(problem.chain[0].fingerprint, certified.fingerprint());
    assert_eq!(problem.accepted_before, None);
    let json = serde_json::to_value(&problem).unwrap();
    assert_eq!(json["notAfter"], "2021-01-01T00:00:00Z");
    assert_eq!(json["chain"][0]["subject"], "CN=server");
}

#[tokio::test]
async fn an_expired_certificate_is_refused() {
    let authority = Authority::new("Example Authority");
    let problem = refused(&authority.signs(HERE, expired), &trusting(&authority)).await;
    assert_eq!((problem.reason, problem.also), (CertificateReason::Expired, vec![]));
}

#[tokio::test]
async fn a_certificate_that_is_not_valid_yet_is_refused() {
    let authority = Authority::new("Example Authority");
    let problem = refused(&authority.signs(HERE, not_yet_valid), &trusting(&authority)).await;
    assert_eq!((problem.reason, problem.also), (CertificateReason::NotYetValid, vec![]));
}

#[tokio::test]
async fn a_certificate_for_another_host_is_refused() {
    let authority = Authority::new("Example Authority");
    let problem = refused(&authority.signs(&["gis.example.org"], |_| ()), &trusting(&authority)).await;

    let names = vec!["gis.example.org".to_owned()];
    assert_eq!(problem.reason, CertificateReason::WrongHost { asked: "127.0.0.1".to_owned(), names });
    assert_eq!(problem.reason.to_string(), "the certificate is for gis.example.org, not for 127.0.0.1");
    assert_eq!(problem.also, []);
}

#[tokio::test]
async fn a_certificate_of_an_unknown_authority_is_refused() {
    let (known, unknown) = (Authority::new("Known"), Authority::new("Unknown"));
    let problem = refused(&unknown.signs(HERE, |_| ()), &trusting(&known)).await;
    assert_eq!((problem.reason, problem.also), (CertificateReason::UnknownIssuer, vec![]));
}

#[tokio::test]
async fn a_certificate_that_names_a_trusted_authority_and_was_signed_with_another_key_is_told_as_that() {
    let (trusted, set_up_again) = (Authority::new("Example Authority"), Authority::new("Example Authority"));
    let problem = refused(&set_up_again.signs(HERE, |_| ()), &trusting(&trusted)).await;
    assert_eq!((problem.reason, problem.also), (CertificateReason::AnotherKey, vec![]));

    let (trusted, presented) = (self_signed(HERE, |_| ()), self_signed(HERE, |_| ()));
    let trust = Trust { ca_pem: Some(trusted.certificate.pem().into_bytes()), ..Trust::default() };
    let problem = refused(&presented, &trust).await;
    assert_eq!(
        (problem.reason, problem.also),
        (CertificateReason::AnotherKey, vec![CertificateReason::SelfSigned])
    );
}

#[tokio::test]
async fn a_self_signed_certificate_is_refused_and_everything_wrong_with_it_is_said() {
    let problem = refused(&self_signed(HERE, |_| ()), &Trust::default()).await;
    assert_eq!((problem.reason, problem.also), (CertificateReason::SelfSigned, vec![]));

    let problem = refused(&self_signed(&["gis.example.org"], expired), &Trust::default()).await;
    let names = vec!["gis.example.org".to_owned()];
    let wrong_host = CertificateReason::WrongHost { asked: "127.0.0.1".to_owned(), names };
    let mut all = problem.also;
    all.push(problem.reason);
    for fault in [CertificateReason::Expired, CertificateReason::SelfSigned, wrong_host] {
        assert!(all.contains(&fault), "{fault:?} in {all:?}");
    }
}

/// Windows and macOS judge by themselves, and take it.
#[cfg(not(any(windows, target_os = "macos")))]
#[tokio::test]
async fn an_authoritys_certificate_used_by_a_server_is_refused_even_when_it_is_trusted() {
    let certified = self_signed(HERE, |params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    let trust = Trust { ca_pem: Some(certified.certificate.pem().into_bytes()), ..Trust::default() };

    let problem = refused(&certified, &trust).await;

    assert_eq!(problem.reason, CertificateReason::CaAsEndEntity);
    assert_eq!(problem.also, [CertificateReason::SelfSigned]);
    assert!(problem.reason.to_string().contains("even when that authority is trusted"));
}

#[tokio::test]
async fn an_accepted_certificate_is_accepted_for_its_origin_only() {
    let certified = self_signed(&["gis.example.org"], expired);
    let (accepted, other) = (site(&certified).await, site(&certified).await);
    let trust = accepting(&certified, &accepted.origin());
    let http = steward_client::Http::new(&trust).unwrap();
    let at = |root: String| steward_client::Endpoint::new(http.clone(), Url::parse(&root).unwrap());

    get(&at(accepted.origin())).await.unwrap();
    post(&at(accepted.origin())).await.unwrap();

    // The same machine and the same certificate, another port.
    assert!(matches!(get(&at(other.origin())).await, Err(ClientError::Certificate(_))));
    // The same port by another name.
    let by_name = format!("https://localhost:{}", accepted.port());
    assert!(matches!(get(&at(by_name)).await, Err(ClientError::Certificate(_))));
    assert_eq!((accepted.requests().len(), other.requests().len()), (2, 0));
}

#[tokio::test]
async fn an_authoritys_certificate_used_by_a_server_can_be_accepted_as_it_is() {
    let certified = self_signed(HERE, |params| params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained));
    let site = site(&certified).await;

    get(&endpoint(&accepting(&certified, &site.origin()), &site.origin())).await.unwrap();
}

#[tokio::test]
async fn another_certificate_than_the_accepted_one_is_refused_and_the_accepted_one_named() {
    let (before, now) = (self_signed(HERE, |_| ()), self_signed(HERE, |_| ()));
    let site = site(&now).await;
    let trust = accepting(&before, &site.origin());

    let Err(ClientError::Certificate(problem)) = get(&endpoint(&trust, &site.origin())).await else {
        panic!("the changed certificate was accepted");
    };

    assert_eq!(problem.fingerprint, now.fingerprint());
    assert_eq!(problem.accepted_before, Some(before.fingerprint()));
    assert!(site.requests().is_empty());
}

#[tokio::test]
async fn an_accepted_certificate_without_its_key_is_refused() {
    let certified = self_signed(HERE, |_| ());
    let thief = TestServer::start_tls(certified.stolen(), |_| Reply::json(DONE)).await.unwrap();
    let trust = accepting(&certified, &thief.origin());

    let error = post(&endpoint(&trust, &thief.origin())).await.unwrap_err();

    assert!(matches!(error, ClientError::Unreachable { stage: Stage::Tls, .. }), "{error:?}");
    assert!(thief.requests().is_empty());
}

#[tokio::test]
async fn a_fingerprint_that_is_none_accepts_nothing() {
    let certified = self_signed(HERE, |_| ());
    let site = site(&certified).await;
    for fingerprint in ["", "00", "anything", &certified.fingerprint()[..92]] {
        let certificate = TrustedCertificate::new(&Url::parse(&site.origin()).unwrap(), fingerprint);
        let trust = Trust { trusted_certificates: vec![certificate], ..Trust::default() };
        assert!(matches!(get(&endpoint(&trust, &site.origin())).await, Err(ClientError::Certificate(_))));
    }
}

#[tokio::test]
async fn encryption_that_breaks_after_the_request_leaves_its_effect_unknown() {
    let certified = self_signed(HERE, |_| ());
    let site = TestServer::start_tls(certified.server(), |_| Reply::garbage()).await.unwrap();

    let error = post(&endpoint(&accepting(&certified, &site.origin()), &site.origin())).await.unwrap_err();

    assert!(matches!(error, ClientError::Unreachable { stage: Stage::Lost, .. }), "{error:?}");
    assert!(error.may_have_taken_effect());
    assert_eq!(site.requests().len(), 1);
}

#[tokio::test]
async fn a_token_does_not_travel_without_encryption() {
    let endpoint = endpoint(&Trust::default(), "http://gis.example.invalid/portal");

    for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
        let ClientError::NotEncrypted { to } = &error else { panic!("{error:?}") };
        assert_eq!(to, "http://gis.example.invalid");
        assert!(!error.may_have_taken_effect());
    }
}

#[test]
fn a_file_of_authorities_that_holds_none_is_refused() {
    for pem in
        [&b""[..], b"not a certificate", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
    {
        let trust = Trust { ca_pem: Some(pem.to_vec()), ..Trust::default() };
        let error = steward_client::Http::new(&trust).unwrap_err();
        let ClientError::Setup { source } = error else { panic!("{error:?}") };
        assert!(matches!(source, steward_client::SetupFault::Authority));
    }
}
