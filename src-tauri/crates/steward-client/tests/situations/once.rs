//! No request that changes a site is ever sent twice: not by us, not by the library.

use std::io::ErrorKind;
use std::time::Duration;

use steward_client::uploads::{self, Outgoing};
use steward_client::{ClientError, Stage, Trust};
use steward_testkit::{Reply, TestServer, until};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::support::{DONE, accepting, endpoint, get, post, self_signed};

fn answer(status: &'static str) -> Reply {
    Reply::new(status, "content-type: text/html\r\n", "<html>no</html>")
}

/// Counts the connections that were made to the site, and the changing requests that it read.
///
/// A site accepts connections in the order in which they were made, so everything sent before is counted once it has
/// taken one more.
async fn counted(site: &TestServer) -> (usize, usize) {
    let mut last = TcpStream::connect(site.address()).await.unwrap();
    // A site that expects encryption, or resets everything, closes the connection. The others read the request.
    let _ = last.write_all(b"GET /last HTTP/1.1\r\nhost: site\r\n\r\n").await;
    let is_closed =
        || !matches!(last.try_read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock);
    let is_read = || site.requests().iter().any(|request| request.path() == "/last");
    until("the last connection is taken", async || is_read() || is_closed()).await;
    let posts = site.requests().iter().filter(|request| request.method() == "POST").count();
    (site.connections() - 1, posts)
}

#[tokio::test]
async fn a_post_whose_answer_is_an_error_page_is_sent_once() {
    for status in [
        "500 Oops",
        "502 Bad Gateway",
        "503 Service Unavailable",
        "504 Gateway Timeout",
        "408 Timeout",
        "403 Forbidden",
    ] {
        let site = TestServer::start(move |_| answer(status)).await.unwrap();
        let error = post(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err();
        assert!(matches!(error, ClientError::Unreadable { .. }), "{error:?}");
        assert!(error.may_have_taken_effect(), "{status}");
        assert_eq!(counted(&site).await, (1, 1), "{status}");
    }
}

#[tokio::test]
async fn a_post_that_is_reset_before_it_is_read_is_sent_once() {
    let site = TestServer::start_resetting().await.unwrap();
    let error = post(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err();
    assert!(matches!(error, ClientError::Unreachable { .. }), "{error:?}");
    assert_eq!(counted(&site).await, (1, 0));
}

#[tokio::test]
async fn a_post_that_is_reset_or_dropped_after_it_was_read_is_sent_once() {
    for reply in [Reply::reset(), Reply::close()] {
        let site = TestServer::start(move |_| reply.clone()).await.unwrap();
        let error = post(&endpoint(&Trust::default(), &site.origin())).await.unwrap_err();
        assert!(matches!(error, ClientError::Unreachable { stage: Stage::Lost, .. }), "{error:?}");
        assert!(error.may_have_taken_effect());
        assert_eq!(counted(&site).await, (1, 1));
    }
}

#[tokio::test]
async fn a_post_reset_within_encryption_is_sent_once() {
    let certified = self_signed(&["127.0.0.1"], |_| ());
    let site = TestServer::start_tls(certified.server(), |_| Reply::reset()).await.unwrap();

    let error = post(&endpoint(&accepting(&certified, &site.origin()), &site.origin())).await.unwrap_err();

    assert!(error.may_have_taken_effect(), "{error:?}");
    assert_eq!(counted(&site).await, (1, 1));
}

#[tokio::test]
async fn a_post_that_is_given_up_is_sent_once() {
    let site = TestServer::start(|_| Reply::silence()).await.unwrap();
    let endpoint = endpoint(&Trust::default(), &site.origin());

    tokio::select! {
        ended = post(&endpoint) => panic!("{ended:?}"),
        () = until("the request", async || !site.requests().is_empty()) => (),
    }

    assert_eq!(counted(&site).await, (1, 1));
}

#[tokio::test]
async fn a_connection_that_a_post_was_sent_on_is_not_used_again() {
    let site = TestServer::start(|_| Reply::json(DONE)).await.unwrap();
    let endpoint = endpoint(&Trust::default(), &site.origin());

    for _ in 0..5 {
        post(&endpoint).await.unwrap();
    }

    assert_eq!((site.connections(), site.requests().len()), (5, 5));
}

#[tokio::test]
async fn the_parts_of_a_file_share_a_connection_and_what_follows_them_has_its_own() {
    let site = TestServer::start(|_| Reply::json(DONE)).await.unwrap();
    let endpoint = endpoint(&Trust::default(), &site.origin());

    for number in 1..=5 {
        let part = Outgoing::of(vec![b'x'; 1 << 16]);
        uploads::upload_part(endpoint.permit_unchecked().await, "i1", number, part, Duration::from_secs(20))
            .await
            .unwrap();
    }
    assert_eq!((site.connections(), site.requests().len()), (1, 5));

    uploads::commit(endpoint.permit_unchecked().await, "i1", 5).await.unwrap();
    assert_eq!((site.connections(), site.requests().len()), (2, 6));
}

#[tokio::test]
async fn each_post_has_a_connection_of_its_own_and_so_never_meets_one_that_is_being_closed() {
    let site = TestServer::start(|_| Reply::json(DONE)).await.unwrap();
    let endpoint = endpoint(&Trust::default(), &site.origin());

    for round in 1..=20 {
        // A reading leaves a connection behind.
        get(&endpoint).await.unwrap();
        let before = site.connections();
        post(&endpoint).await.unwrap();
        assert_eq!(site.connections(), before + 1, "round {round}");
    }

    let posts = site.requests().iter().filter(|request| request.method() == "POST").count();
    assert_eq!(posts, 20);
}
