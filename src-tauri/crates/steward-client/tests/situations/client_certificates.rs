//! Sites that ask who we are.

use p12_keystore::{Certificate, KeyStore, KeyStoreEntry, PrivateKey, PrivateKeyChain};
use steward_client::{ClientCertificate, ClientError, Http, SetupFault, Trust, discovery};
use steward_testkit::{Reply, Request, TestServer};
use steward_vault::Secret;

use crate::support::{Authority, Certified, DONE, accepting, endpoint, get, post};

/// What OpenSSL 3 writes, and what it writes with `-legacy`; the password is `throw-away`, and so is the key.
const OPENSSL: &[u8] = include_bytes!("openssl.p12");
const OPENSSL_LEGACY: &[u8] = include_bytes!("openssl-legacy.p12");

/// A site that asks for a certificate of `authority`, and the trust in the site's own.
async fn asking(authority: &Authority) -> (TestServer, Trust) {
    let certified = authority.signs(&["127.0.0.1"], |_| ());
    let site =
        TestServer::start_tls(certified.server_asking(authority), |_| Reply::json(DONE)).await.unwrap();
    let trust = accepting(&certified, &site.origin());
    (site, trust)
}

fn pem(certified: &Certified) -> ClientCertificate {
    let pem = [certified.certificate.pem(), certified.key.serialize_pem()].concat();
    ClientCertificate::Pem(Secret::new(pem.into_bytes()))
}

fn pkcs12(certified: &Certified, password: &str) -> ClientCertificate {
    let key = PrivateKey::from_der(&certified.key.serialize_der()).unwrap();
    let certificate = Certificate::from_der(&certified.der()).unwrap();
    let mut store = KeyStore::new();
    store.add_entry("me", KeyStoreEntry::PrivateKeyChain(PrivateKeyChain::new("id", key, [certificate])));
    let file = store.writer("throw-away").write().unwrap();
    ClientCertificate::Pkcs12 { file: Secret::new(file), password: Secret::new(password.to_owned()) }
}

fn with(identity: ClientCertificate, trust: Trust) -> Trust {
    Trust { identity: Some(identity), ..trust }
}

fn fault(identity: ClientCertificate) -> SetupFault {
    let trust = Trust { identity: Some(identity), ..Trust::default() };
    match Http::new(&trust).unwrap_err() {
        ClientError::Setup { source } => source,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_site_that_asks_for_a_certificate_and_gets_none_says_so_and_does_nothing() {
    let authority = Authority::new("Example Authority");
    let (site, trust) = asking(&authority).await;
    let endpoint = endpoint(&trust, &site.origin());

    for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
        let ClientError::ClientCertificate { alert } = &error else { panic!("{error:?}") };
        assert_eq!(alert, "CertificateRequired");
        assert!(!error.may_have_taken_effect());
    }
    assert!(site.requests().is_empty());
}

#[tokio::test]
async fn a_certificate_in_pem_is_given() {
    let authority = Authority::new("Example Authority");
    let (site, trust) = asking(&authority).await;
    let me = authority.signs(&["administrator"], |_| ());

    let endpoint = endpoint(&with(pem(&me), trust), &site.origin());

    get(&endpoint).await.unwrap();
    post(&endpoint).await.unwrap();
}

#[tokio::test]
async fn a_certificate_in_pkcs12_is_given() {
    let authority = Authority::new("Example Authority");
    let (site, trust) = asking(&authority).await;
    let me = authority.signs(&["administrator"], |_| ());

    get(&endpoint(&with(pkcs12(&me, "throw-away"), trust), &site.origin())).await.unwrap();
}

#[tokio::test]
async fn a_certificate_the_site_does_not_accept_is_said_to_be_refused() {
    let (authority, other) = (Authority::new("Example Authority"), Authority::new("Another"));
    let (site, trust) = asking(&authority).await;
    let me = other.signs(&["administrator"], |_| ());

    let error = post(&endpoint(&with(pem(&me), trust), &site.origin())).await.unwrap_err();

    // A client that finds no fitting authority among those the server names may also give none.
    assert!(matches!(error, ClientError::ClientCertificate { .. }), "{error:?}");
    assert!(site.requests().is_empty());
}

#[tokio::test]
async fn a_portal_that_only_a_server_names_is_not_told_who_we_are() {
    let authority = Authority::new("Example Authority");
    let certified = authority.signs(&["127.0.0.1", "localhost"], |_| ());
    let named =
        TestServer::start_tls(certified.server_asking(&authority), |_| Reply::json(DONE)).await.unwrap();
    let owner = named.origin().replace("127.0.0.1", "localhost") + "/portal";
    let info = format!(r#"{{"currentVersion":11.3,"owningSystemUrl":"{owner}"}}"#);
    let script = move |request: &Request| match request.path().contains("/sharing/") {
        true => Reply::new("404 Not Found", "", ""),
        false => Reply::json(info.as_str()),
    };
    let server = TestServer::start_tls(certified.server_asking(&authority), script).await.unwrap();
    let trusted_certificates = [server.origin(), named.origin(), owner]
        .map(|root| accepting(&certified, &root).trusted_certificates)
        .concat();
    let me = authority.signs(&["administrator"], |_| ());
    let http = Http::new(&with(pem(&me), Trust { trusted_certificates, ..Trust::default() })).unwrap();

    let found = discovery::find(&http, &format!("{}/server/rest", server.origin())).await.unwrap();

    let site = found.site.unwrap();
    assert!(site.unreached_portal.is_some() && named.connections() > 0, "it was looked for: {site:?}");
    assert!(named.requests().is_empty(), "it got a certificate that was meant for another");
}

#[test]
fn files_that_openssl_writes_are_read() {
    for file in [OPENSSL, OPENSSL_LEGACY] {
        let password = Secret::new("throw-away".to_owned());
        let identity = ClientCertificate::Pkcs12 { file: Secret::new(file.to_vec()), password };
        Http::new(&Trust { identity: Some(identity), ..Trust::default() }).unwrap();
    }
}

#[test]
fn a_wrong_password_is_told_from_a_broken_file() {
    let me = Authority::new("Example Authority").signs(&["administrator"], |_| ());
    assert!(matches!(fault(pkcs12(&me, "wrong")), SetupFault::IdentityPassword));
    for file in [OPENSSL, OPENSSL_LEGACY] {
        let identity = ClientCertificate::Pkcs12 {
            file: Secret::new(file.to_vec()),
            password: Secret::new("wrong".to_owned()),
        };
        assert!(matches!(fault(identity), SetupFault::IdentityPassword));
    }
    let broken = ClientCertificate::Pkcs12 {
        file: Secret::new(b"not a file".to_vec()),
        password: Secret::new("throw-away".to_owned()),
    };
    assert!(matches!(fault(broken), SetupFault::Identity));
}

#[test]
fn each_way_a_file_in_pem_can_be_wrong_has_its_own_words() {
    let authority = Authority::new("Example Authority");
    let (me, other) = (authority.signs(&["me"], |_| ()), authority.signs(&["other"], |_| ()));
    let of = |text: String| fault(ClientCertificate::Pem(Secret::new(text.into_bytes())));
    let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";

    assert!(matches!(of(String::new()), SetupFault::Identity));
    assert!(matches!(of(me.certificate.pem()), SetupFault::IdentityWithoutKey));
    assert!(matches!(of(me.certificate.pem() + encrypted), SetupFault::IdentityEncrypted));
    assert!(matches!(
        of([me.certificate.pem(), other.key.serialize_pem()].concat()),
        SetupFault::IdentityMismatch(_)
    ));
}
