//! Sites that point elsewhere.

use steward_client::{ClientError, Trust};
use steward_testkit::{Reply, TestServer};

use crate::support::{DONE, TOKEN, accepting, endpoint, get, post, self_signed};

const STATUSES: [(&str, u16); 5] = [
    ("301 Moved Permanently", 301),
    ("302 Found", 302),
    ("303 See Other", 303),
    ("307 Temporary Redirect", 307),
    ("308 Permanent Redirect", 308),
];

#[tokio::test]
async fn no_redirect_to_another_origin_is_followed_and_nothing_is_carried_there() {
    let certified = self_signed(&["127.0.0.1", "localhost"], |_| ());
    for (line, status) in STATUSES {
        let elsewhere = TestServer::start_tls(certified.server(), |_| Reply::json(DONE)).await.unwrap();
        let to = format!("https://me:secret@127.0.0.1:{}/there?token=x#y", elsewhere.port());
        let site =
            TestServer::start_tls(certified.server(), move |_| Reply::redirect(line, &to)).await.unwrap();
        let mut trust = accepting(&certified, &site.origin());
        trust.trusted_certificates.extend(accepting(&certified, &elsewhere.origin()).trusted_certificates);
        let endpoint = endpoint(&trust, &site.origin());

        for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
            let ClientError::Redirected { to, status: given } = &error else { panic!("{error:?}") };
            assert_eq!(to, &format!("https://127.0.0.1:{}/there", elsewhere.port()));
            assert_eq!(*given, status);
            assert!(error.may_have_taken_effect());
        }
        assert_eq!(site.requests().len(), 2);
        assert_eq!(elsewhere.connections(), 0);
    }
}

#[tokio::test]
async fn no_redirect_from_encryption_to_none_is_followed() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let elsewhere = TestServer::start(|_| Reply::json(DONE)).await.unwrap();
    let to = elsewhere.origin();
    let site =
        TestServer::start_tls(certified.server(), move |_| Reply::redirect("307 Temporary Redirect", &to))
            .await
            .unwrap();

    let error = get(&endpoint(&accepting(&certified, &site.origin()), &site.origin())).await.unwrap_err();

    assert!(matches!(error, ClientError::Redirected { .. }), "{error:?}");
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_post_is_not_sent_on_within_its_origin_either() {
    for (line, status) in STATUSES {
        let site = TestServer::start(move |_| Reply::redirect(line, "/elsewhere")).await.unwrap();

        let error = post(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err();

        assert!(
            matches!(error, ClientError::Redirected { status: given, .. } if given == status),
            "{error:?}"
        );
        assert_eq!(site.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_reading_follows_within_its_origin_with_its_token() {
    let site = TestServer::start(|request| {
        if request.path() == "/moved" {
            Reply::json(DONE)
        } else {
            Reply::redirect("302 Found", "/moved?f=json")
        }
    })
    .await
    .unwrap();

    assert_eq!(get(&endpoint(&Trust::default(), &site.origin())).await.unwrap(), ["/enterpriseDatabases"]);

    let requests = site.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].text().contains(TOKEN));
}

#[tokio::test]
async fn a_circle_of_redirects_ends() {
    let site = TestServer::start(|_| Reply::redirect("302 Found", "/again")).await.unwrap();

    let error = get(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err();

    assert!(matches!(error, ClientError::Redirected { .. }), "{error:?}");
    assert_eq!(site.requests().len(), 6);
}

#[tokio::test]
async fn a_redirect_without_a_place_or_with_an_unreadable_one_is_an_error() {
    for headers in ["", "location: https://[broken?token=x\r\n", "location: javascript:alert(1)\r\n"] {
        let site = TestServer::start(move |_| Reply::new("302 Found", headers, "")).await.unwrap();
        let endpoint = endpoint(&Trust::default(), &site.origin());
        for error in [get(&endpoint).await.unwrap_err(), post(&endpoint).await.unwrap_err()] {
            assert!(!error.to_string().contains("token"), "{error}");
        }
    }
}
