//! Sites that point elsewhere.

use steward_client::{ClientError, Trust};

use crate::support::{DONE, Reply, Site, TOKEN, accepting, area, get, post, self_signed};

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
        let elsewhere = Site::tls(certified.server(), |_| Reply::json(DONE)).await;
        let to = format!("https://me:secret@127.0.0.1:{}/there?token=x#y", elsewhere.port());
        let site = Site::tls(certified.server(), move |_| Reply::redirect(line, &to)).await;
        let mut trust = accepting(&certified, &site.root());
        trust.pins.extend(accepting(&certified, &elsewhere.root()).pins);
        let area = area(&trust, &site.root());

        for error in [get(&area).await.unwrap_err(), post(&area).await.unwrap_err()] {
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
    let elsewhere = Site::plain(|_| Reply::json(DONE)).await;
    let to = elsewhere.root();
    let site = Site::tls(certified.server(), move |_| Reply::redirect("307 Temporary Redirect", &to)).await;

    let error = get(&area(&accepting(&certified, &site.root()), &site.root())).await.unwrap_err();

    assert!(matches!(error, ClientError::Redirected { .. }), "{error:?}");
    assert_eq!(elsewhere.connections(), 0);
}

#[tokio::test]
async fn a_post_is_not_sent_on_within_its_origin_either() {
    for (line, status) in STATUSES {
        let site = Site::plain(move |_| Reply::redirect(line, "/elsewhere")).await;

        let error = post(&area(&Trust::default(), &site.root())).await.unwrap_err();

        assert!(
            matches!(error, ClientError::Redirected { status: given, .. } if given == status),
            "{error:?}"
        );
        assert_eq!(site.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_reading_follows_within_its_origin_with_its_token() {
    let site = Site::plain(|request| {
        if request.starts_with("GET /moved") {
            Reply::json(DONE)
        } else {
            Reply::redirect("302 Found", "/moved?f=json")
        }
    })
    .await;

    assert_eq!(get(&area(&Trust::default(), &site.root())).await.unwrap(), ["/enterpriseDatabases"]);

    let requests = site.requests();
    assert_eq!(requests.len(), 2);
    assert!(requests[1].contains(TOKEN));
}

#[tokio::test]
async fn a_circle_of_redirects_ends() {
    let site = Site::plain(|_| Reply::redirect("302 Found", "/again")).await;

    let error = get(&area(&Trust::default(), &site.root())).await.unwrap_err();

    assert!(matches!(error, ClientError::Redirected { .. }), "{error:?}");
    assert_eq!(site.requests().len(), 6);
}

#[tokio::test]
async fn a_redirect_without_a_place_or_with_an_unreadable_one_is_an_error() {
    for headers in ["", "location: https://[broken?token=x\r\n", "location: javascript:alert(1)\r\n"] {
        let site = Site::plain(move |_| Reply::Answer("302 Found", headers.to_owned(), String::new())).await;
        let area = area(&Trust::default(), &site.root());
        for error in [get(&area).await.unwrap_err(), post(&area).await.unwrap_err()] {
            assert!(!error.to_string().contains("token"), "{error}");
        }
    }
}
