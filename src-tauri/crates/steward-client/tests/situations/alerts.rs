//! Receivers of alerts: webhooks and heartbeats, honest ones and others.

use std::time::Duration;

use steward_client::alerts::{AlertRequest, AlertResponse, send};
use steward_client::{ClientError, Http, Route, Trust};
use steward_testkit::{Reply, TestServer};
use url::Url;

use crate::support::{Authority, accepting, self_signed, trusting};

const BODY: &str = r#"{"text":"The backup failed"}"#;

fn direct(trust: &Trust) -> Http {
    Http::with_route(trust, &Route::Direct).unwrap()
}

fn alert(to: &str, body: Option<&str>) -> AlertRequest {
    AlertRequest {
        address: Url::parse(to).unwrap(),
        headers: vec![("Idempotency-Key", "one".to_owned())],
        body: body.map(|body| ("application/json", body.as_bytes().to_vec())),
    }
}

/// Sends within the time that a user waits for a test.
async fn sent(http: &Http, request: AlertRequest) -> Result<AlertResponse, ClientError> {
    tokio::time::timeout(Duration::from_secs(20), send(http, request)).await.expect("it ends by itself")
}

#[tokio::test]
async fn an_alert_arrives_once_with_its_headers_and_the_words_of_the_receiver_come_back() {
    let receiver = TestServer::start(|_| Reply::new("403 Forbidden", "", "invalid_token")).await.unwrap();
    let to = format!("{}/services/T0?x=1", receiver.origin());

    let response = sent(&direct(&Trust::default()), alert(&to, Some(BODY))).await.unwrap();

    assert_eq!(response, AlertResponse { status: 403, beginning: "invalid_token".to_owned() });
    let requests = receiver.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!((requests[0].method(), requests[0].target()), ("POST", "/services/T0?x=1"));
    assert_eq!(requests[0].header("Idempotency-Key"), Some("one"));
    assert_eq!(requests[0].header("Content-Type"), Some("application/json"));
    assert!(requests[0].text().ends_with(BODY));

    sent(&direct(&Trust::default()), alert(&to, None)).await.unwrap();
    assert_eq!(receiver.requests()[1].method(), "GET");
}

#[tokio::test]
async fn a_receiver_that_sends_endlessly_or_never_is_left() {
    let endless = TestServer::start(|_| {
        let beginning = "x".repeat(9_000);
        Reply::raw(format!("HTTP/1.1 500 Oh\r\nContent-Length: 99999999\r\n\r\n{beginning}")).then_silence()
    })
    .await
    .unwrap();
    let response = sent(&direct(&Trust::default()), alert(&endless.origin(), Some(BODY))).await.unwrap();
    assert_eq!((response.status, response.beginning.len()), (500, 2_000));

    let silent = TestServer::start(|_| Reply::silence()).await.unwrap();
    let error = sent(&direct(&Trust::default()), alert(&silent.origin(), Some(BODY))).await.unwrap_err();
    assert!(matches!(error, ClientError::Stalled { .. }), "{error:?}");
    assert_eq!(silent.requests().len(), 1, "it is not sent again");
}

#[tokio::test]
async fn a_redirect_of_a_receiver_is_not_followed_not_even_on_its_own_host() {
    let elsewhere = TestServer::start(|_| Reply::json("ok")).await.unwrap();
    let target = format!("{}/secret", elsewhere.origin());
    let moved = TestServer::start(move |_| Reply::redirect("308 Permanent Redirect", &target)).await.unwrap();
    let around = TestServer::start(|_| Reply::redirect("302 Found", "/again")).await.unwrap();

    for (receiver, body) in [(&moved, Some(BODY)), (&moved, None), (&around, Some(BODY)), (&around, None)] {
        let error = sent(&direct(&Trust::default()), alert(&receiver.origin(), body)).await.unwrap_err();
        assert!(matches!(error, ClientError::Redirected { .. }), "{error:?}");
    }
    assert_eq!(elsewhere.connections(), 0);
    assert_eq!(around.requests().len(), 2);
}

#[tokio::test]
async fn a_receiver_is_trusted_by_an_authority_and_by_nothing_of_a_site() {
    let authority = Authority::new("Example Authority");
    let certified = authority.signs(&["127.0.0.1"], |_| ());
    let receiver = TestServer::start_tls(certified.server(), |_| Reply::json("ok")).await.unwrap();
    sent(&direct(&trusting(&authority)), alert(&receiver.origin(), Some(BODY))).await.unwrap();

    let own = self_signed(&["127.0.0.1"], |_| ());
    let unknown = TestServer::start_tls(own.server(), |_| Reply::json("ok")).await.unwrap();
    // Trusted for a site at another port.
    let trust = accepting(&own, &receiver.origin());
    let error = sent(&direct(&trust), alert(&unknown.origin(), Some(BODY))).await.unwrap_err();
    assert!(matches!(error, ClientError::Certificate(_)), "{error:?}");
    assert!(unknown.requests().is_empty());
}

#[tokio::test]
async fn an_address_without_encryption_gets_nothing_unless_it_is_here() {
    let error =
        sent(&direct(&Trust::default()), alert("http://192.0.2.1/hook", Some(BODY))).await.unwrap_err();
    assert!(matches!(error, ClientError::NotEncrypted { .. }), "{error:?}");
}
