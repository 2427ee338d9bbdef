//! The way to a site.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use steward_client::{ClientError, Endpoint, Http, Route, Stage, Trust, TrustedCertificate};
use steward_testkit::{Reply, TestServer};
use steward_vault::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::support::{DONE, TOKEN, accepting, get, post, self_signed};

/// A name that no resolver knows, so that only the proxy leads there.
const HOST: &str = "gis.example.invalid";

/// Leads every tunnel to one port of this machine, and remembers what it was asked.
pub(crate) struct Proxy {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    pub(crate) async fn to(port: u16) -> Self {
        Self::answering(port, None).await
    }

    /// A proxy that answers with `refusal` instead.
    pub(crate) async fn refusing(refusal: &str) -> Self {
        Self::answering(1, Some(refusal.to_owned())).await
    }

    async fn answering(port: u16, refusal: Option<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heads = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let heads: Arc<Mutex<Vec<String>>> = heads.clone();
                let refusal = refusal.clone();
                tokio::spawn(async move {
                    let mut head = Vec::new();
                    while !head.ends_with(b"\r\n\r\n") {
                        head.push(client.read_u8().await?);
                    }
                    heads.lock().unwrap().push(String::from_utf8_lossy(&head).into_owned());
                    if let Some(refusal) = refusal {
                        let response = format!("HTTP/1.1 {refusal}\r\ncontent-length: 0\r\n\r\n");
                        return client.write_all(response.as_bytes()).await;
                    }
                    client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
                    let mut site = TcpStream::connect(("127.0.0.1", port)).await?;
                    tokio::io::copy_bidirectional(&mut client, &mut site).await.map(drop)
                });
            }
        });
        Self { address, asked }
    }

    pub(crate) fn route(&self, exceptions: &[&str]) -> Route {
        Route::Proxy {
            url: Url::parse(&format!("http://{}", self.address)).unwrap(),
            user: "me".to_owned(),
            password: Secret::new("canary-password".to_owned()),
            exceptions: exceptions.iter().map(|host| (*host).to_owned()).collect(),
        }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn endpoint(trust: &Trust, route: &Route, root: &str) -> Endpoint {
    let http = Http::with_route(trust, route).unwrap();
    Endpoint::new(http, Url::parse(root).unwrap()).with_token(Secret::new(TOKEN.to_owned()))
}

fn root(site: &TestServer) -> String {
    format!("https://{HOST}:{}", site.port())
}

#[tokio::test]
async fn a_site_is_reached_through_a_proxy_that_sees_its_own_credentials_and_no_token() {
    let certified = self_signed(&[HOST], |_| ());
    let site = TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap();
    let proxy = Proxy::to(site.port()).await;
    let endpoint = endpoint(&accepting(&certified, &root(&site)), &proxy.route(&[]), &root(&site));

    get(&endpoint).await.unwrap();
    post(&endpoint).await.unwrap();

    for head in proxy.asked() {
        assert!(head.starts_with(&format!("CONNECT {HOST}:{}", site.port())), "{head}");
        // `me:canary-password` in base64.
        assert!(head.contains("Basic bWU6Y2FuYXJ5LXBhc3N3b3Jk"), "{head}");
        assert!(!head.contains(TOKEN));
    }
    assert_eq!((proxy.asked().len(), site.requests().len()), (2, 2));
    assert!(site.requests().iter().all(|request| request.header("proxy-authorization").is_none()));
}

#[tokio::test]
async fn a_certificate_is_judged_behind_a_proxy_too_and_can_be_accepted() {
    let certified = self_signed(&["another.example.org"], |_| ());
    let site = TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap();
    let proxy = Proxy::to(site.port()).await;

    let error = post(&endpoint(&Trust::default(), &proxy.route(&[]), &root(&site))).await.unwrap_err();
    let ClientError::Certificate(problem) = &error else { panic!("{error:?}") };
    assert_eq!((problem.server.as_str(), problem.origin.clone()), (HOST, Some(root(&site))));
    assert!(site.requests().is_empty());

    let trusted_certificates =
        vec![TrustedCertificate::new(&Url::parse(&root(&site)).unwrap(), &problem.fingerprint)];
    get(&endpoint(&Trust { trusted_certificates, ..Trust::default() }, &proxy.route(&[]), &root(&site)))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_proxy_that_opens_no_connection_is_named_with_its_status_and_schemes() {
    let offers =
        |schemes: &str| format!("407 Proxy Authentication Required\r\nProxy-Authenticate: {schemes}");
    for (refusal, status, schemes) in [
        ("403 Forbidden".to_owned(), 403, &[][..]),
        ("503 Service Unavailable".to_owned(), 503, &[]),
        (offers("Negotiate\r\nProxy-Authenticate: NTLM"), 407, &["Negotiate", "NTLM"]),
        (offers("Basic realm=\"staff, all\""), 407, &["Basic"]),
        ("407 Proxy Authentication Required".to_owned(), 407, &[]),
    ] {
        let proxy = Proxy::refusing(&refusal).await;
        let endpoint = endpoint(&Trust::default(), &proxy.route(&[]), &format!("https://{HOST}:6443"));
        for error in [post(&endpoint).await.unwrap_err(), get(&endpoint).await.unwrap_err()] {
            let ClientError::ProxyRefused(told) = &error else { panic!("{refusal}: {error:?}") };

            assert_eq!(told.proxy, format!("http://{}", proxy.address));
            assert_eq!(told.target, format!("{HOST}:6443"));
            assert_eq!(told.status, Some(status));
            assert_eq!(told.schemes, schemes);
            assert!(!error.may_have_taken_effect());
            assert!(!format!("{error:?}").contains("canary"), "{error:?}");
        }
        // Each request was tried once, and the reason asked for once.
        assert_eq!(proxy.asked().len(), 4);
        assert!(proxy.asked().iter().all(|head| !head.contains(TOKEN)));
    }
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named_and_not_the_site() {
    let closed = steward_testkit::ClosedPort::new();
    let address = closed.address();
    let gone = Proxy { address, asked: Arc::default() };
    let error =
        get(&endpoint(&Trust::default(), &gone.route(&[]), &format!("https://{HOST}"))).await.unwrap_err();

    let ClientError::ProxyRefused(told) = &error else { panic!("{error:?}") };
    assert_eq!((told.proxy.clone(), told.status), (format!("http://{address}"), None));
    assert!(error.is_network_failure());
}

#[tokio::test]
async fn exceptions_and_this_computer_are_spoken_to_directly() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let site = TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap();
    let proxy = Proxy::to(site.port()).await;

    let trust = accepting(&certified, &site.origin());
    get(&endpoint(&trust, &proxy.route(&[]), &site.origin())).await.unwrap();
    for exception in
        [HOST, "*.example.invalid", ".example.invalid", "other.example.org, example.invalid", "gis.*", "*"]
    {
        let error = get(&endpoint(&trust, &proxy.route(&[exception]), &root(&site))).await;
        assert!(
            matches!(error, Err(ClientError::Unreachable { stage: Stage::Connect, .. })),
            "{exception}: {error:?}"
        );
    }

    assert!(proxy.asked().is_empty());
}

#[test]
fn the_password_of_a_proxy_does_not_show_itself() {
    let route = Route::Proxy {
        url: Url::parse("http://proxy.example.org:3128").unwrap(),
        user: "me".to_owned(),
        password: Secret::new("canary".to_owned()),
        exceptions: Vec::new(),
    };
    let http = Http::with_route(&Trust::default(), &route).unwrap();

    assert!(!format!("{route:?} {http:?}").contains("canary"));
}

#[tokio::test]
async fn a_certificate_trusted_for_a_site_is_not_trusted_when_a_proxy_presents_it() {
    let certified = self_signed(&[HOST], |_| ());
    let proxy = TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap();
    let root = format!("https://{HOST}");
    let route = Route::Proxy {
        url: Url::parse(&proxy.origin()).unwrap(),
        user: "me".to_owned(),
        password: Secret::new("canary-password".to_owned()),
        exceptions: Vec::new(),
    };

    let error = get(&endpoint(&accepting(&certified, &root), &route, &root)).await.unwrap_err();

    assert!(matches!(error, ClientError::Certificate(_)), "{error:?}");
    assert!(proxy.requests().is_empty(), "the password of the proxy would have been sent");
}
