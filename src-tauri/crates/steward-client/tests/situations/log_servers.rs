//! Log servers that the trail is forwarded to.

use std::time::Duration;

use steward_client::log_server::{DeliveryError, deliver};
use steward_client::{ClientCertificate, Http, Route, StreamError, Trust};
use steward_testkit::{LogReceiver, Reading};
use steward_vault::Secret;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::proxies::Proxy;
use crate::support::{Authority, accepting, pass, trusting};

fn messages() -> Vec<Vec<u8>> {
    // What has a length of its own, in bytes and not in characters, and what looks like a frame.
    ["one", "zw\u{f6}lf\nlines", "7 another"].map(|text| text.as_bytes().to_vec()).into()
}

fn texts() -> Vec<String> {
    messages().into_iter().map(|message| String::from_utf8(message).unwrap()).collect()
}

fn direct(trust: &Trust) -> Http {
    Http::with_route(trust, &Route::Direct).unwrap()
}

#[tokio::test]
async fn messages_arrive_whole_and_in_their_order() {
    let authority = Authority::new("Example Authority");
    let server = LogReceiver::start(authority.signs(&["127.0.0.1"], |_| ()).server()).await.unwrap();

    deliver(&direct(&trusting(&authority)), "127.0.0.1", server.port(), &messages()).await.unwrap();

    assert_eq!(server.messages(), texts());
}

#[tokio::test]
async fn a_server_that_ends_or_breaks_the_connection_by_itself_has_not_taken_the_messages() {
    let authority = Authority::new("Example Authority");
    let server = LogReceiver::start(authority.signs(&["127.0.0.1"], |_| ()).server()).await.unwrap();
    let http = direct(&trusting(&authority));

    for reading in [Reading::First, Reading::FirstAbruptly, Reading::Nothing] {
        server.set(reading);
        let error = deliver(&http, "127.0.0.1", server.port(), &messages()).await.unwrap_err();
        assert!(matches!(error, DeliveryError::Ended(_)), "{reading:?}: {error:?}");
    }
}

#[tokio::test]
async fn nothing_is_sent_to_a_server_whose_certificate_is_not_trusted_not_even_if_it_is_trusted_for_a_site() {
    let (authority, other) = (Authority::new("Example Authority"), Authority::new("Another"));
    let certified = authority.signs(&["127.0.0.1"], |_| ());
    let server = LogReceiver::start(certified.server()).await.unwrap();
    let origin = format!("https://127.0.0.1:{}", server.port());

    for trust in [trusting(&other), accepting(&certified, &origin)] {
        let error = deliver(&direct(&trust), "127.0.0.1", server.port(), &messages()).await.unwrap_err();
        assert!(matches!(error, DeliveryError::Stream(StreamError::Certificate(_))), "{error:?}");
    }
    assert!(server.messages().is_empty());
}

#[tokio::test]
async fn a_server_that_requires_a_client_certificate_gets_the_given_one_and_rejects_none() {
    let authority = Authority::new("Example Authority");
    let certified = authority.signs(&["127.0.0.1"], |_| ());
    let me = authority.signs(&["administrator"], |_| ());
    let pem = [me.certificate.pem(), me.key.serialize_pem()].concat();
    let identity = ClientCertificate::Pem(Secret::new(pem.into_bytes()));
    let with_identity = Trust { identity: Some(identity), ..trusting(&authority) };
    for config in [certified.server_asking(&authority), certified.server_asking_by_tls12(&authority)] {
        let server = LogReceiver::start(config).await.unwrap();

        let error = deliver(&direct(&trusting(&authority)), "127.0.0.1", server.port(), &messages()).await;
        assert!(
            matches!(error, Err(DeliveryError::Stream(StreamError::ClientCertificate { .. }))),
            "{error:?}"
        );
        deliver(&direct(&with_identity), "127.0.0.1", server.port(), &messages()).await.unwrap();

        assert_eq!(server.messages(), texts());
    }
}

#[tokio::test]
async fn a_port_without_tls_is_told_as_such_whether_it_is_silent_speaks_first_or_hangs_up() {
    for (says, hangs_up) in [("", false), ("220 mail.example.org ESMTP\r\n", false), ("", true)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = tokio::spawn(async move {
            let (mut client, _) = listener.accept().await.unwrap();
            client.write_all(says.as_bytes()).await.unwrap();
            client.readable().await.unwrap();
            if !hangs_up {
                std::future::pending::<()>().await;
            }
        });
        let http = direct(&Trust::default());
        let delivery = tokio::spawn(async move { deliver(&http, "127.0.0.1", port, &messages()).await });
        if says.is_empty() && !hangs_up {
            // The connection is there by then, and the app waits for TLS.
            tokio::time::sleep(Duration::from_millis(300)).await;
            pass(Duration::from_secs(21)).await;
        }

        let error = delivery.await.unwrap().unwrap_err();

        assert!(
            matches!(error, DeliveryError::Stream(StreamError::NoTls(_))),
            "{says:?}, {hangs_up}: {error:?}"
        );
        server.abort();
    }
}

#[tokio::test]
async fn a_server_behind_a_proxy_is_reached_by_a_tunnel_and_a_proxy_that_opens_none_is_told() {
    let authority = Authority::new("Example Authority");
    let server =
        LogReceiver::start(authority.signs(&["logs.example.invalid"], |_| ()).server()).await.unwrap();
    let by = |proxy: &Proxy| Http::with_route(&trusting(&authority), &proxy.route(&[])).unwrap();
    let proxy = Proxy::to(server.port()).await;

    deliver(&by(&proxy), "logs.example.invalid", 6514, &messages()).await.unwrap();

    assert_eq!(server.messages(), texts());
    let [head] = &proxy.asked()[..] else { panic!("{:?}", proxy.asked()) };
    assert!(head.starts_with("CONNECT logs.example.invalid:6514 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("Basic bWU6Y2FuYXJ5LXBhc3N3b3Jk"), "{head}");

    let refusing = Proxy::refusing("403 Forbidden").await;
    let error = deliver(&by(&refusing), "logs.example.invalid", 6514, &messages()).await.unwrap_err();
    let DeliveryError::Stream(StreamError::ProxyRefused(refusal)) = error else { panic!("{error:?}") };
    assert_eq!((refusal.status, refusal.target.as_str()), (Some(403), "logs.example.invalid:6514"));
}
